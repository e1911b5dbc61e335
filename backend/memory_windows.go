package backend

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memory is that of the machine, and what of it is free; 0: not known.
func memory() (total, free int64) {
	// MEMORYSTATUSEX of the Windows API.
	var status struct {
		length, load                                                                                uint32
		total, available, totalPage, availablePage, totalVirtual, availableVirtual, availableExtend uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := proc.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0, 0
	}
	return int64(status.total), int64(status.available)
}
