//go:build unix

package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/internal/faultserver"
	"github.com/mcpbind/mcpbind/runtime"
)

const (
	soakHosts   = 6
	soakKids    = 2
	soakCallers = 12
)

// TestSoak calls tools of servers that are killed, restarted, slowed and corrupted
// at random, for as long as the variable SOAK says. Every call is in a ledger of the
// servers when it was carried out, which is what its outcome is held against:
//
//   - a result means that it ran, and once unless it may be repeated;
//   - an error without [runtime.ErrFateUnknown] means that it did not run;
//   - whatever comes, a call that may not be repeated never runs twice.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("SOAK"))
	if err != nil {
		t.Skip("SOAK is no duration: make soak runs this for 10 minutes")
	}
	seed, err := strconv.ParseUint(os.Getenv("SOAK_SEED"), 10, 64)
	if err != nil {
		seed = rand.Uint64()
	}
	t.Logf("SOAK_SEED=%d", seed)
	watched(t)
	descriptors := openFiles()
	s := newSoak(t, seed)
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var wg sync.WaitGroup
	for i := range s.hosts {
		wg.Go(func() { s.torment(ctx, i) })
	}
	for i := range s.kids {
		wg.Go(func() { s.murder(ctx, i) })
	}
	for n := range soakCallers {
		wg.Go(func() { s.calls(ctx, n) })
	}
	wg.Wait()
	reconnects := 0
	for _, st := range s.reg.Status() {
		reconnects += st.Reconnects
	}
	begin := time.Now()
	if err := s.reg.Close(); err != nil || time.Since(begin) > plenty {
		t.Errorf("Close = %v after %v", err, time.Since(begin))
	}
	for _, host := range s.hosts {
		host.Kill()
	}
	s.judge(t)
	t.Logf("seed %d: %d calls in %v, %d reconnections", seed, len(s.log), length, reconnects)
	eventually(t, "all descriptors are closed", func() bool { return openFiles() <= descriptors })
}

// openFiles counts the open descriptors of this process.
func openFiles() int {
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		if entries, err := os.ReadDir(dir); err == nil {
			return len(entries)
		}
	}
	return 0
}

// A soak is one run.
type soak struct {
	seed   uint64
	reg    *runtime.Registry
	hosts  []*faultserver.Host
	kids   []string // their files of process ids
	ledger *faultserver.Ledger
	files  []string // ledgers of children

	mu  sync.Mutex
	log []soaked
}

// A soaked call has come back.
type soaked struct {
	id         string
	repeatable bool
	err        error
	late       time.Duration // beyond its deadline
}

func newSoak(t *testing.T, seed uint64) *soak {
	t.Helper()
	s := &soak{seed: seed, ledger: &faultserver.Ledger{}}
	s.reg = runtime.NewRegistry(runtime.WithCollision(runtime.CollideSkip), runtime.WithLogger(silent()))
	t.Cleanup(func() { _ = s.reg.Close() })
	var configs []runtime.ServerConfig
	for n := range soakHosts {
		host, err := faultserver.NewHost(func() http.Handler { return faultserver.Chaos(seed+uint64(n), s.ledger) })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(host.Kill)
		s.hosts = append(s.hosts, host)
		configs = append(configs, runtime.ServerConfig{Name: fmt.Sprintf("http%d", n), URL: host.URL(), Timeout: plenty})
	}
	for n := range soakKids {
		pids, ledger := filepath.Join(t.TempDir(), "pids"), filepath.Join(t.TempDir(), "ledger")
		s.kids, s.files = append(s.kids, pids), append(s.files, ledger)
		configs = append(configs, runtime.ServerConfig{
			Name: fmt.Sprintf("stdio%d", n), Command: os.Args[0], Args: []string{"-test.run=^$"}, Timeout: plenty,
			Env: map[string]string{faultserver.ChildEnv: faultserver.ChaosChild, faultserver.PidFile: pids, faultserver.LedgerFile: ledger},
		})
	}
	failed := runtime.ConnectAll(t.Context(), s.reg, configs, runtime.WithKeepAlive(time.Second))
	if failed != nil {
		t.Fatal(s.reg.FailedServers())
	}
	return s
}

// torment kills one host again and again and starts it after a while.
func (s *soak) torment(ctx context.Context, i int) {
	random := rand.New(rand.NewPCG(s.seed, uint64(i)))
	for {
		if !asleep(ctx, random, 3*time.Second) {
			return
		}
		s.hosts[i].Kill()
		more := asleep(ctx, random, time.Second)
		if err := s.hosts[i].Start(); err != nil || !more {
			return
		}
	}
}

// murder kills one child again and again.
func (s *soak) murder(ctx context.Context, i int) {
	random := rand.New(rand.NewPCG(s.seed, uint64(soakHosts+i)))
	for asleep(ctx, random, 5*time.Second) {
		text, _ := os.ReadFile(s.kids[i])
		if pid, err := strconv.Atoi(string(text)); err == nil && alive(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func asleep(ctx context.Context, random *rand.Rand, longest time.Duration) bool {
	select {
	case <-time.After(time.Duration(random.Int64N(int64(longest)))):
		return true
	case <-ctx.Done():
		return false
	}
}

// calls makes one call after the other.
func (s *soak) calls(ctx context.Context, caller int) {
	random := rand.New(rand.NewPCG(s.seed, uint64(1000+caller)))
	for n := 0; ctx.Err() == nil; n++ {
		server := fmt.Sprintf("http%d", random.IntN(soakHosts))
		if random.IntN(4) == 0 {
			server = fmt.Sprintf("stdio%d", random.IntN(soakKids))
		}
		call := soaked{id: fmt.Sprintf("%d-%d", caller, n), repeatable: random.IntN(2) == 0}
		limit := time.Duration(50+random.IntN(3000)) * time.Millisecond
		call.late, call.err = s.call(server, call, limit)
		s.mu.Lock()
		s.log = append(s.log, call)
		s.mu.Unlock()
		time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
	}
}

func (s *soak) call(server string, call soaked, limit time.Duration) (late time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	begin := time.Now()
	res, err := s.reg.CallTool(ctx, runtime.ToolCall{
		Server: server, Name: "ok", Arguments: json.RawMessage(`{"id":"` + call.id + `"}`), Repeatable: call.repeatable,
	})
	if err == nil && res.Text != "ok" {
		err = fmt.Errorf("result %+v", res)
	}
	return time.Since(begin) - limit, err
}

// judge holds every call against the ledgers and prints how many had which fate.
func (s *soak) judge(t *testing.T) {
	t.Helper()
	runs := map[string]int{}
	for _, file := range s.files {
		text, _ := os.ReadFile(file)
		for id := range strings.FieldsSeq(string(text)) {
			runs[id]++
		}
	}
	counts := map[string]int{}
	for _, call := range s.log {
		ran := runs[call.id] + s.ledger.Runs(call.id)
		fate, wrong := call.fate(ran)
		counts[fate]++
		if wrong != "" {
			t.Errorf("call %s (repeatable %v) %s: it ran %d times, and its outcome was: %v", call.id, call.repeatable, wrong, ran, call.err)
		}
		if call.late > plenty {
			t.Errorf("call %s came back %v late: %v", call.id, call.late, call.err)
		}
	}
	for _, fate := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%7d %s", counts[fate], fate)
	}
	// How many calls there are in a time is the machine's business, not what they meet.
	if len(s.log) > 200 && counts["answered"] == 0 || len(s.log) > 1000 && len(counts) < 5 {
		t.Error("too little has happened")
	}
}

// fate names the outcome of a call that ran so often, and what is wrong with it.
func (c soaked) fate(ran int) (fate, wrong string) {
	_, known := errors.AsType[*runtime.CallError](c.err)
	switch {
	case c.err == nil && ran > 1:
		fate = "answered, repeated by the rule"
	case c.err == nil:
		fate = "answered"
	case errors.Is(c.err, runtime.ErrFateUnknown) && errors.Is(c.err, runtime.ErrTimeout):
		fate = "error: timeout, fate unknown"
	case errors.Is(c.err, runtime.ErrFateUnknown):
		fate = "error: no usable answer, fate unknown"
	case errors.Is(c.err, runtime.ErrTimeout):
		fate = "error: timeout, not carried out"
	case errors.Is(c.err, runtime.ErrServerUnavailable):
		fate = "error: server unavailable, not carried out"
	default:
		fate = "error: the server refused it"
	}
	switch {
	case c.err != nil && !known:
		wrong = "has an error that is none of ours"
	case c.err == nil && ran == 0:
		wrong = "has a result and did not run"
	case ran > 1 && !c.repeatable, ran > 2:
		wrong = "ran too often"
	case c.err != nil && ran > 0 && !errors.Is(c.err, runtime.ErrFateUnknown):
		wrong = "ran, and its error says that it did not"
	}
	return fate, wrong
}
