package backend

import "golang.org/x/sys/unix"

// memory is that of the machine, and what of it is free; 0: not known.
func memory() (total, free int64) {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0, 0
	}
	return int64(n), 0
}
