package runtime

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Close is not kept waiting by a Connect that was called before it, however far that
// has come, and has the last word.
func TestCloseDuringConnect(t *testing.T) {
	for name, slow := range map[string]time.Duration{"the server is there": 0, "it is slow": 3 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMortal(t, testServer())
				m.slow = slow
				<-m.turn // somebody else's, so that Connect has not begun yet
				connect, closed := make(chan error, 1), make(chan error, 1)
				go func() { connect <- m.Connect(t.Context()) }()
				synctest.Wait()
				begin := time.Now()
				go func() { closed <- m.Close() }()
				synctest.Wait()
				m.turn <- struct{}{} // Connect waited longer
				if err := <-connect; !errors.Is(err, errClosed) {
					t.Errorf("Connect = %v", err)
				}
				if err := <-closed; err != nil || time.Since(begin) != 0 {
					t.Errorf("Close = %v after %v", err, time.Since(begin))
				}
				time.Sleep(time.Minute)
				if state, _, err := m.State(); state != StateClosed || err != nil {
					t.Errorf("state %s, %v", state, err)
				}
				// What is called later opens it again.
				if err := m.Connect(t.Context()); err != nil {
					t.Error(err)
				}
				_ = m.Close()
			})
		})
	}
}

// A stuckLink takes very long to end in good order.
type stuckLink struct{ link }

const stuckFor = time.Hour

func (stuckLink) finish() { time.Sleep(stuckFor) }

// An earlier session that does not end costs Connect the time that it may take, no more.
func TestConnectOverAStuckSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer())
		connected(t, m)
		m.mu.Lock()
		s := m.live
		m.mu.Unlock()
		s.link = stuckLink{s.link}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		if err := m.Connect(ctx); !errors.Is(err, ErrTimeout) || time.Since(begin) != time.Second {
			t.Errorf("Connect = %v after %v", err, time.Since(begin))
		}
		if err := m.Connect(t.Context()); err != nil { // the earlier one ends by itself
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * stuckFor)
	})
}

// Nor does it cost Close more than that promises.
func TestCloseOfAStuckSession(t *testing.T) {
	if usualEndTimeout != 5*time.Second {
		t.Errorf("Close may take %v, and promises 5 s", usualEndTimeout)
	}
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer())
		connected(t, m)
		m.mu.Lock()
		m.live.link = stuckLink{m.live.link}
		m.mu.Unlock()
		begin := time.Now()
		if err := m.Close(); err != nil || time.Since(begin) > endTimeout {
			t.Errorf("Close = %v after %v", err, time.Since(begin))
		}
		time.Sleep(2 * stuckFor)
	})
}

// What Close waits for, one after the other, takes what it promises altogether.
func TestCloseOfAStuckWatcher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer(), WithWatch(Watch{}))
		connected(t, m)
		synctest.Wait() // for the watcher, which closes what it knows
		m.mu.Lock()
		m.live.link = stuckLink{m.live.link}
		m.watcher.done = make(chan struct{}) // closed by nobody
		m.mu.Unlock()
		begin := time.Now()
		if err := m.Close(); err != nil || time.Since(begin) > endTimeout {
			t.Errorf("Close = %v after %v", err, time.Since(begin))
		}
		time.Sleep(2 * stuckFor)
	})
}

// A tool that was gone may be back on a new connection: the server has to say.
func TestConnectForgetsWhatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testServer()
		m := newMortal(t, server)
		connected(t, m)
		list := func() {
			t.Helper()
			if _, err := m.ListTools(t.Context()); err != nil {
				t.Error(err)
			}
		}
		offer(server, "back", `{"type":"object"}`)
		list()
		server.RemoveTools("back")
		list()
		call := func() error {
			_, err := m.CallTool(t.Context(), ToolCall{Name: "back"})
			return err
		}
		if err := call(); !errors.Is(err, ErrUnknownTool) {
			t.Errorf("a tool that is gone: %v", err)
		}
		offer(server, "back", `{"type":"object"}`)
		if err := m.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := call(); err != nil {
			t.Errorf("a tool that is back: %v", err)
		}
		_ = m.Close()
	})
}
