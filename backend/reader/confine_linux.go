package reader

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// prepare makes a child end with its parent, however that ends, and keeps an interrupt from the terminal to the parent.
func prepare(cmd *exec.Cmd, _ bool) {
	cmd.Args = os.Args[:1] // a program of several names goes by this one
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// hold has nothing to do here: a child confines itself.
func hold(*os.Process, int64) func() { return func() {} }

// confine makes the process give up what reading needs not. What a system refuses is left as it is: the rest holds.
func confine(memory int64, awaited bool) {
	// Where memory runs out, the system ends this process and not the one that people look at.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	if !awaited {
		lowerPriority()
	}
	for resource, limit := range map[int]int64{
		unix.RLIMIT_CORE:   0,
		unix.RLIMIT_FSIZE:  maxWritten,
		unix.RLIMIT_NOFILE: 64,
		unix.RLIMIT_DATA:   memory + memory/4, // guardMemory is to come first
	} {
		_ = unix.Setrlimit(resource, &unix.Rlimit{Cur: uint64(limit), Max: uint64(limit)})
	}
	forbid()
}

// lowerPriority is for all threads of the process, which on Linux have each their own; prepare has made it a group.
func lowerPriority() { _ = unix.Setpriority(unix.PRIO_PGRP, 0, niceness) }

// forbidden are the calls of the system that reading files never makes: those for networks, for other programs, into
// other processes, and into corners of the kernel that only attacks visit. io_uring would lead around them.
func forbidden() []uint32 {
	return []uint32{
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_IO_URING_SETUP,
		unix.SYS_EXECVE, unix.SYS_EXECVEAT,
		unix.SYS_KILL, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD,
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_BPF, unix.SYS_KEYCTL, unix.SYS_USERFAULTFD, unix.SYS_PERF_EVENT_OPEN,
	}
}

// forbid makes the forbidden calls fail in every thread of this process, for good. It needs no privilege and gives up
// all that could be won.
func forbid() {
	arch, known := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !known {
		return
	}
	program := filter(arch, forbidden())
	runtime.LockOSThread() // the two calls are about one thread, and the second about all others too
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return
	}
	loaded := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, _ = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&loaded)))
}

// filter is the program that the kernel runs at every call: calls of another architecture and the forbidden ones fail.
func filter(arch uint32, calls []uint32) []unix.SockFilter {
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		atMost = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		end    = unix.BPF_RET | unix.BPF_K

		otherNumbers = 0x40000000 // from here on amd64 has the numbers of another calling convention
	)
	toRefusal := func(from int) uint8 { return uint8(len(calls) - from + 1) }
	program := []unix.SockFilter{
		{Code: load, K: 4}, // the architecture
		{Code: equal, K: arch, Jt: 1},
		{Code: end, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: 0}, // the call's number
		{Code: atMost, K: otherNumbers, Jt: toRefusal(0)},
	}
	for i, call := range calls {
		program = append(program, unix.SockFilter{Code: equal, K: call, Jt: toRefusal(i + 1)})
	}
	return append(program,
		unix.SockFilter{Code: end, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)})
}
