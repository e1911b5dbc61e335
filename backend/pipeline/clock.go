package pipeline

import "time"

// clock turns work done into a rate and the time left.
type clock struct {
	start time.Time
	total int
}

func newClock(total int) clock { return clock{time.Now(), total} }

// at gives units a second since the start and the time left; 0 where nothing can be said yet.
func (c clock) at(done int) (rate float64, remaining time.Duration) {
	elapsed := time.Since(c.start).Seconds()
	if done == 0 || elapsed == 0 {
		return 0, 0
	}
	rate = float64(done) / elapsed
	return rate, time.Duration(float64(c.total-done) / rate * float64(time.Second))
}
