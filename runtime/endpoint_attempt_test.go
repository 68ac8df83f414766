package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A lateLink never connects, and is slow to say why.
type lateLink struct{ memoryLink }

func (l *lateLink) transport() mcp.Transport { return l }
func (l *lateLink) abort()                   {}

func (l *lateLink) Connect(ctx context.Context) (mcp.Connection, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (l *lateLink) explain(err error) error {
	time.Sleep(time.Minute)
	return err
}

// A machine may be so slow that the end of the first attempt is noticed after the end
// of all.
func TestTheWholeTimeIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEndpoint(ServerConfig{Name: "srv", Timeout: 9 * time.Second}, []Option{quiet()})
		e.open = func() (link, error) { return &lateLink{}, nil }
		want := `server "srv": connect: timeout: not connected after 9s (the server's timeout raises the limit)`
		if err := e.Connect(t.Context()); err == nil || err.Error() != want {
			t.Errorf("Connect = %v, want %s", err, want)
		}
	})
}
