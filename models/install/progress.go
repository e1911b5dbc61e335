package install

import "time"

// Phase is what an installation does just now.
type Phase string

const (
	Waiting     Phase = "waiting" // for another installation of the same model
	Asking      Phase = "asking"  // the hub for sizes and digests that the catalogue does not have
	Checking    Phase = "checking"
	Downloading Phase = "downloading" // or copying
	Converting  Phase = "converting"
)

// Progress is how far an installation is.
type Progress struct {
	Model     string
	Phase     Phase
	File      string
	Source    string
	Done      int64 // bytes of the whole model, or of a package that files of it are in
	Total     int64 // 0: not known
	Rate      float64
	Remaining time.Duration // 0: not known
}

// Between two reports of a meter lies at least this, so that nobody draws more often than anyone can see; its rate is
// that of the last moments.
const (
	reportEvery = 200 * time.Millisecond
	rateWindow  = 8 * time.Second
)

// meter turns counts of bytes into reports with rate and remaining time.
type meter struct {
	report func(Progress)
	last   time.Time
	marks  []mark // of the last moments, oldest first
}

type mark struct {
	at   time.Time
	done int64
}

// tell reports p, whose rate it fills in, unless the last report was just before.
func (m *meter) tell(p Progress) {
	now := time.Now()
	finished := p.Total > 0 && p.Done >= p.Total
	if now.Sub(m.last) < reportEvery && !finished {
		return
	}
	m.last = now
	if n := len(m.marks); n > 0 && p.Done < m.marks[n-1].done { // a file began again
		m.marks = nil
	}
	m.marks = append(m.marks, mark{now, p.Done})
	for len(m.marks) > 2 && now.Sub(m.marks[0].at) > rateWindow {
		m.marks = m.marks[1:]
	}
	first := m.marks[0]
	if span := now.Sub(first.at).Seconds(); span > 0 {
		p.Rate = float64(p.Done-first.done) / span
	}
	if p.Rate > 0 && p.Total > p.Done {
		p.Remaining = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second))
	}
	m.report(p)
}
