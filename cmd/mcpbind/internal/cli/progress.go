package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// refresh is how often running times are drawn anew.
const refresh = 200 * time.Millisecond

// A progress shows how far each server is. On a terminal there is a block of the
// servers being worked on, redrawn in place, below the lines of those that are
// done. Elsewhere there is one line per server, in order of name, so that equal
// runs print equal text. It is safe for concurrent use.
type progress struct {
	out   *stream
	width int // of the terminal; 0: no terminal
	stop  chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex
	rows  []row
	drawn int // lines of the block on the screen
	next  int // elsewhere: the first row whose line is not printed
}

type row struct {
	name    string
	phase   string // "" before the first
	started time.Time
	line    string // when done
	done    bool
}

// showing calls f for all targets, several at once, and shows how far they are: f
// tells phase what it does and returns the line that is left of it, "" for none.
func (a *app) showing(targets []target, f func(i int, t target, phase func(string)) (line string)) {
	p := newProgress(a.stderr, targets)
	defer p.close()
	eachTarget(targets, func(i int, t target) error {
		start := time.Now()
		line := f(i, t, func(phase string) { p.phase(i, phase) })
		p.done(i, line, time.Since(start))
		return nil
	})
}

func newProgress(out *stream, targets []target) *progress {
	p := &progress{out: out, stop: make(chan struct{})}
	for _, t := range targets {
		p.rows = append(p.rows, row{name: t.Name})
	}
	if width, ok := out.terminal(); ok {
		p.width = width
		p.ended.Go(p.animate)
	}
	return p
}

func (p *progress) animate() {
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			p.mu.Lock()
			p.draw("")
			p.mu.Unlock()
		}
	}
}

// phase says what is being done for row i.
func (p *progress) phase(i int, phase string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := &p.rows[i]
	if r.phase == "" {
		r.started = time.Now()
	}
	r.phase = phase
	if p.width > 0 {
		p.draw("")
	}
}

// done ends row i with its line, which ends in a newline; "" leaves nothing of it.
func (p *progress) done(i int, line string, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows[i].line, p.rows[i].done = line, true
	if p.width > 0 {
		if line != "" {
			line = fmt.Sprintf("%s (%s)\n", strings.TrimSuffix(line, "\n"), seconds(took))
		}
		p.draw(line)
		return
	}
	for ; p.next < len(p.rows) && p.rows[p.next].done; p.next++ {
		p.out.print(p.rows[p.next].line)
	}
}

// draw replaces the block on the screen by finished and the block as it is now.
func (p *progress) draw(finished string) {
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\x1b[J", p.drawn)
	}
	b.WriteString(finished)
	p.drawn = 0
	for _, r := range p.rows {
		if r.phase == "" || r.done {
			continue
		}
		text := fmt.Sprintf("%s: %s (%s)", r.name, r.phase, seconds(time.Since(r.started)))
		// A line that wraps would not be erased.
		b.WriteString(safetext.LineN(text, p.width-1) + "\n")
		p.drawn++
	}
	p.out.print(b.String())
}

// close ends the display.
func (p *progress) close() {
	close(p.stop)
	p.ended.Wait()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }
