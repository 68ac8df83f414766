//go:build unix

package runtime_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/internal/faultserver"
	"github.com/mcpbind/mcpbind/runtime"
)

func TestFault_StrayLines(t *testing.T) {
	f := faultyClient(t)
	f.succeeds(t, "fault")
	f.succeeds(t, "ok")
}

func TestFault_FloodsStderr(t *testing.T) {
	f := faultyClient(t)
	for range 5 {
		f.succeeds(t, "ok")
	}
}

// After a call whose child is of no use any more, Close is timed by the test's end.
func TestFault_StopsReading(t *testing.T) { timesOut(t) }
func TestFault_EndlessLine(t *testing.T)  { timesOut(t) }

func timesOut(t *testing.T) {
	t.Helper()
	f := faultyClient(t)
	f.failsWithin(t, time.Second, outcome{says: "call: timeout", is: runtime.ErrTimeout, unknown: true})
	// Its pipe takes these, or not.
	for range 3 {
		f.failsWithin(t, 100*time.Millisecond, outcome{says: "call: timeout", is: runtime.ErrTimeout, unknown: true})
	}
}

func TestFault_FloodsStdout(t *testing.T) {
	f := faultyClient(t)
	before := cpu()
	f.failsWithin(t, 3*time.Second, outcome{says: "call: timeout", is: runtime.ErrTimeout, unknown: true})
	// Told, not judged: machines differ. That no more than 10,000 lines a second
	// are read is held by the tests of internal/wire.
	t.Logf("it took %v of the processor in 3 s", cpu()-before)
}

// cpu is what this process has used of the processor.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// withPids connects to a child that writes down its processes.
func withPids(t *testing.T, name string) (*faulty, func() []int) {
	t.Helper()
	watched(t)
	cfg, f := faultConfig(t, name)
	file := filepath.Join(t.TempDir(), "pids")
	cfg.Env[faultserver.PidFile] = file
	f.dial(t, cfg)
	return f, func() []int {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var pids []int
		for field := range strings.FieldsSeq(string(text)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
		return pids
	}
}

// alive reports whether a process runs, zombies left out.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// leavesNobody closes the client and fails the test when a process remains.
func leavesNobody(t *testing.T, name string, processes int) {
	t.Helper()
	f, pids := withPids(t, name)
	f.succeeds(t, "ok")
	running := pids()
	if len(running) != processes {
		t.Fatalf("processes %v", running)
	}
	begin := time.Now()
	if err := f.Close(); err != nil || time.Since(begin) > plenty {
		t.Errorf("Close = %v after %v", err, time.Since(begin))
	}
	for _, pid := range running {
		eventually(t, "the process is gone", func() bool { return !alive(pid) })
	}
}

func TestFault_NeverExits(t *testing.T) { leavesNobody(t, "NeverExits", 1) }
func TestFault_Forks(t *testing.T)      { leavesNobody(t, "Forks", 2) }

func TestFault_Exits(t *testing.T) {
	f := faultyClient(t)
	f.failsWithin(t, plenty, outcome{says: "exit status 9; it wrote to stderr: out of luck", is: runtime.ErrServerUnavailable, unknown: true})
	f.succeeds(t, "ok")
}

func TestFault_ExitsAtOnce(t *testing.T) {
	watched(t)
	cfg, f := faultConfig(t, "ExitsAtOnce")
	f.make(t, cfg)
	err := f.Connect(t.Context())
	for _, want := range []string{"connect:", "exit status 3", "no configuration"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Connect = %v, want it to say %q", err, want)
		}
	}
	if errors.Is(err, runtime.ErrTimeout) {
		t.Errorf("Connect = %v: it waited", err)
	}
}

func TestFault_DiscoverExits(t *testing.T) {
	watched(t)
	cfg, f := faultConfig(t, "DiscoverExits")
	f.olderProtocol(t, cfg)
}

func TestFault_KilledChild(t *testing.T) {
	f, pids := withPids(t, "KilledChild")
	for range 2 {
		f.succeeds(t, "ok")
		child := pids()[0]
		_, since, _ := f.State()
		if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the child is gone", func() bool { return !alive(child) })
		eventually(t, "the client has noticed", func() bool {
			_, now, _ := f.State()
			return now != since
		})
		f.succeeds(t, "ok")
	}
}
