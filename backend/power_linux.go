package backend

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func powerNow() power { return readPower("/sys/class/power_supply") }

// readPower reads what the kernel says of power supplies. A mouse's battery is not the machine's.
func readPower(dir string) power {
	supplies, _ := os.ReadDir(dir)
	var p power
	p.charge = 100
	for _, s := range supplies {
		say := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(dir, s.Name(), name))
			return strings.TrimSpace(string(b))
		}
		switch {
		case say("scope") == "Device":
		case say("type") == "Battery":
			if say("status") == "Discharging" {
				p.battery = true
			}
			if n, err := strconv.Atoi(say("capacity")); err == nil {
				p.charge = min(p.charge, n)
			}
		case say("online") == "1":
			return power{}
		}
	}
	return p
}
