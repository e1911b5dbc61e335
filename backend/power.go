package backend

import (
	"context"
	"fmt"
	"time"

	"fanous/backend/domain"
)

const (
	// lowCharge is the charge of a battery, in percent, from which work that can wait does.
	lowCharge = 20
	// powerLook is how often waiting work looks whether it may go on.
	powerLook = 30 * time.Second
)

// power is what the machine runs on.
type power struct {
	battery bool // it runs on a battery; false also where that is not known
	charge  int  // of the battery, in percent
}

// waits says why work that can wait does, in one sentence, or nothing.
func (p power) waits(rule domain.OnBattery) string {
	switch {
	case !p.battery || rule == domain.BatteryGo:
	case rule == domain.BatteryPause:
		return "Waiting until the machine is plugged in."
	case p.charge <= lowCharge:
		return fmt.Sprintf("Waiting until the machine is plugged in: the battery has %d %% left.", p.charge)
	}
	return ""
}

// holdOnBattery makes what has work wait by a rule.
func holdOnBattery(rule domain.OnBattery, now func() power) func(context.Context, func(string)) error {
	return func(ctx context.Context, waiting func(string)) error {
		waited := false
		for {
			why := now().waits(rule)
			if why == "" {
				if waited {
					waiting("")
				}
				return ctx.Err()
			}
			waited = true
			waiting(why)
			select {
			case <-time.After(powerLook):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}
