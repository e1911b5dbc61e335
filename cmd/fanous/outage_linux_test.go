package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
)

// TestWithTheNetworkCut runs the program in an empty network namespace and asks the kernel how often anything
// in it was to be reached: every connect and every datagram is counted there, whether or not it found a way.
// A numeric address makes the reranker's attempt exactly one; a name shows that its look-up counts too.
func TestWithTheNetworkCut(t *testing.T) {
	const inside = "FANOUS_TEST_NETWORK_IS_CUT"
	if os.Getenv(inside) == "" {
		again(t, inside+"=1")
		return
	}
	raiseLoopback(t)
	s := newStation(t)
	server := coheretest.Start()
	defer server.Close()
	const v4, v6, named = "https://192.0.2.1", "https://[2001:db8::1]", "https://cohere.invalid" // reserved: nobody has them
	search := []string{"search", "--json", "lantern hall"}
	bundle := filepath.Join(t.TempDir(), "bundle.zip")
	steps := []struct {
		name     string
		url      string
		args     []string
		attempts int // -1: at least one
		backend  domain.Backend
		code     string
	}{
		{"offline", server.URL, append(search, "--offline"), 0, domain.BackendCrossEncoder, "offline"},
		{"local", server.URL, append(search, "--rerank", "local"), 0, domain.BackendCrossEncoder, ""},
		{"reranking off", server.URL, append(search, "--rerank", "off"), 0, domain.BackendNone, ""},
		{"index", server.URL, []string{"index"}, 0, "", ""},
		{"status", server.URL, []string{"status"}, 0, "", ""},
		{"models", server.URL, []string{"models", "list"}, 0, "", ""},
		{"their digests", server.URL, []string{"models", "verify"}, 0, "", ""},
		{"a bundle", server.URL, []string{"models", "pack", "--runtime=false", "--to", bundle}, 0, "", ""},
		{"its import", server.URL, []string{"models", "import", bundle}, 0, "", ""},
		{"Cohere is there", server.URL, search, 1, domain.BackendCohere, ""},
		{"Cohere is not there", v4, search, 1, domain.BackendCrossEncoder, "unreachable"},
		{"nor the second time", v4, search, 1, domain.BackendCrossEncoder, "unreachable"},
		{"the breaker is open", v4, search, 0, domain.BackendCrossEncoder, "breaker_open"},
		{"IPv6", v6, search, 1, domain.BackendCrossEncoder, "unreachable"},
		{"a name", named, search, -1, domain.BackendCrossEncoder, "dns"},
	}
	for _, step := range steps {
		before := attempts(t)
		out := s.run([]string{"CO_API_KEY=" + coheretest.Key, "FANOUS_COHERE_URL=" + step.url}, step.args...)
		if n := attempts(t) - before; n != step.attempts && (step.attempts >= 0 || n == 0) {
			t.Errorf("%s: %d attempts to reach something, want %d", step.name, n, step.attempts)
		}
		if step.backend == "" {
			continue
		}
		r := s.answer(out).Rerank
		code := ""
		if len(r.Steps) > 0 {
			code = r.Steps[0].Code
		}
		if r.Backend != step.backend || code != step.code {
			t.Errorf("%s: %+v", step.name, r)
		}
	}
}

// again runs the test that calls it, and no other, in a network namespace of its own.
func again(t *testing.T, env string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Skipf("this machine does not let a test make a network namespace (%v): run it as root, or allow user namespaces", err)
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Fatalf("in a network namespace: %v\n%s", err, out)
	}
}

// raiseLoopback brings up what an empty namespace has and a machine without a network still has.
func raiseLoopback(t *testing.T) {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(socket)
	request := struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP}
	copy(request.name[:], "lo")
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		t.Fatal(errno)
	}
}

// attempts is how often the kernel was asked, in this network namespace, to reach something: connects that
// began, datagrams that were sent, and either where there was no way.
func attempts(t *testing.T) int {
	t.Helper()
	values := map[string]string{}
	v4, err := os.ReadFile("/proc/net/snmp")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(v4)) { // a line of names, then one of values
		fields := strings.Fields(line)
		if len(names) == 0 || names[0] != fields[0] {
			names = fields
			continue
		}
		for i, value := range fields {
			values[fields[0]+names[i]] = value
		}
		names = nil
	}
	v6, err := os.ReadFile("/proc/net/snmp6") // a name and a value; no file where there is no IPv6
	if err != nil {
		v6 = []byte("Ip6OutNoRoutes 0\nUdp6OutDatagrams 0\n")
	}
	for line := range strings.Lines(string(v6)) {
		fields := strings.Fields(line)
		values[fields[0]] = fields[1]
	}
	sum := 0
	for _, name := range []string{"Ip:OutNoRoutes", "Tcp:ActiveOpens", "Udp:OutDatagrams", "Ip6OutNoRoutes", "Udp6OutDatagrams"} {
		n, err := strconv.Atoi(values[name])
		if err != nil {
			t.Fatalf("the kernel's counter %s is %q", name, values[name])
		}
		sum += n
	}
	return sum
}
