package backend

import (
	"fmt"
	"os"
	"strings"
)

// memory is that of the machine, and what of it is free; 0: not known.
func memory() (total, free int64) {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(data)) {
		var name string
		var kib int64
		if n, _ := fmt.Sscanf(line, "%s %d", &name, &kib); n != 2 {
			continue
		}
		switch name {
		case "MemTotal:":
			total = kib << 10
		case "MemAvailable:":
			free = kib << 10
		}
	}
	return total, free
}
