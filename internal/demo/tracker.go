package demo

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// firstID is beyond 2^53: a client that goes through float64 asks for another issue.
const firstID = 9007199254740993

const user = "ada"

type estimate struct {
	Amount float64 `json:"amount"`
	Unit   string  `json:"unit"`
}

type issue struct {
	ID       int64                      `json:"id"`
	Title    string                     `json:"title"`
	Body     string                     `json:"body,omitzero"`
	State    string                     `json:"state"`
	Priority int                        `json:"priority"`
	Assignee *string                    `json:"assignee"`
	Labels   []string                   `json:"labels"`
	Parent   *int64                     `json:"parent"`
	Estimate *estimate                  `json:"estimate"`
	Fields   map[string]json.RawMessage `json:"fields,omitempty"`
	Created  time.Time                  `json:"created"`

	comments []comment
	events   []any
}

type comment struct {
	Number  int       `json:"number"`
	Author  string    `json:"author"`
	Text    string    `json:"text"`
	Replies []comment `json:"replies,omitempty"`

	replyTo int
}

type tracker struct {
	mu     sync.Mutex
	clock  time.Time
	issues []*issue // oldest first
	next   int64
}

func newTracker() *tracker {
	t := &tracker{clock: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), next: firstID}
	crash := t.add(issue{
		Title: "Crash when the list is empty", State: "open", Priority: 1, Assignee: new("grace"),
		Labels: []string{"bug"}, Estimate: &estimate{Amount: 2.5, Unit: "hours"},
		Fields: map[string]json.RawMessage{"browser": json.RawMessage(`"any"`), "reports": json.RawMessage(`12`)},
	})
	t.add(issue{Title: "Reproduce the crash", State: "closed", Priority: 2, Assignee: new(user), Labels: []string{}, Parent: new(crash.ID)})
	t.add(issue{Title: "Write a guide for newcomers", State: "in-progress", Priority: 3, Labels: []string{"docs", "good-first-issue"}})
	return t
}

func (t *tracker) tick() time.Time {
	t.clock = t.clock.Add(time.Minute)
	return t.clock
}

func (t *tracker) add(i issue) *issue {
	i.ID, i.Created = t.next, t.tick()
	i.events = []any{opened{"opened", i.Created, user}}
	t.next += 2
	t.issues = append(t.issues, &i)
	return &i
}

func (t *tracker) find(id int64) (*issue, error) {
	for _, i := range t.issues {
		if i.ID == id {
			return i, nil
		}
	}
	return nil, fmt.Errorf("there is no issue %d", id)
}

func (t *tracker) whoami(struct{}) (any, error) {
	return map[string]any{"login": user, "display_name": "Ada Lovelace", "can_delete": true}, nil
}

// optional tells an absent member (not set) from null (set, nil value).
type optional[T any] struct {
	set   bool
	value *T
}

func (o *optional[T]) UnmarshalJSON(b []byte) error {
	o.set = true
	return json.Unmarshal(b, &o.value)
}

type searchInput struct {
	Text     string           `json:"text"`
	State    string           `json:"state"`
	Assignee optional[string] `json:"assignee"`
	Labels   []string         `json:"labels"`
	Limit    int              `json:"limit"`
}

func (t *tracker) search(in searchInput) (any, error) {
	found := []*issue{}
	for _, i := range slices.Backward(t.issues) {
		matches := strings.Contains(strings.ToLower(i.Title), strings.ToLower(in.Text)) &&
			(in.State == "" || i.State == in.State) &&
			(!in.Assignee.set || equal(i.Assignee, in.Assignee.value)) &&
			!slices.ContainsFunc(in.Labels, func(l string) bool { return !slices.Contains(i.Labels, l) })
		if matches {
			found = append(found, i)
		}
	}
	total := len(found)
	return map[string]any{"issues": found[:min(total, cmp.Or(in.Limit, 20))], "total": total}, nil
}

type node struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	State string `json:"state"`
	Parts []node `json:"parts"`
}

func (t *tracker) get(in struct{ ID int64 }) (any, error) {
	i, err := t.find(in.ID)
	if err != nil {
		return nil, err
	}
	return t.node(i), nil
}

func (t *tracker) node(i *issue) node {
	n := node{i.ID, i.Title, i.State, []node{}}
	for _, part := range t.issues {
		if equal(part.Parent, &i.ID) { // parents exist before their parts: no cycles
			n.Parts = append(n.Parts, t.node(part))
		}
	}
	return n
}

type createInput struct {
	Title    string
	Body     string
	Priority int
	Labels   []string
	Parent   *int64
	Estimate *estimate
	Fields   map[string]json.RawMessage
}

func (t *tracker) create(in createInput) (any, error) {
	if in.Title == "" {
		return nil, errors.New("an issue needs a title")
	}
	if in.Parent != nil {
		if _, err := t.find(*in.Parent); err != nil {
			return nil, err
		}
	}
	if in.Estimate != nil {
		in.Estimate.Unit = cmp.Or(in.Estimate.Unit, "hours")
	}
	i := t.add(issue{
		Title: in.Title, Body: in.Body, State: "open", Priority: cmp.Or(in.Priority, 2),
		Labels: append([]string{}, in.Labels...), Parent: in.Parent, Estimate: in.Estimate, Fields: in.Fields,
	})
	return map[string]any{"id": i.ID, "url": fmt.Sprintf("https://tracker.example/issues/%d", i.ID)}, nil
}

type updateInput struct {
	ID       int64
	Title    *string
	State    *string
	Priority *int
	Assignee optional[string]
	Estimate optional[estimate]
}

func (t *tracker) update(in updateInput) (any, error) {
	i, err := t.find(in.ID)
	if err != nil {
		return nil, err
	}
	changed := []string{}
	set(t, i, &changed, "title", &i.Title, in.Title)
	set(t, i, &changed, "state", &i.State, in.State)
	set(t, i, &changed, "priority", &i.Priority, in.Priority)
	if in.Assignee.set && !equal(i.Assignee, in.Assignee.value) {
		t.changed(i, &changed, "assignee", i.Assignee, in.Assignee.value)
		i.Assignee = in.Assignee.value
	}
	if in.Estimate.set && !equal(i.Estimate, in.Estimate.value) {
		t.changed(i, &changed, "estimate", i.Estimate, in.Estimate.value)
		i.Estimate = in.Estimate.value
	}
	return map[string]any{"changed": changed}, nil
}

func set[T comparable](t *tracker, i *issue, changed *[]string, property string, old, value *T) {
	if value != nil && *value != *old {
		t.changed(i, changed, property, *old, *value)
		*old = *value
	}
}

func (t *tracker) changed(i *issue, changed *[]string, property string, from, to any) {
	*changed = append(*changed, property)
	i.events = append(i.events, change{"changed", t.tick(), property, from, to})
}

func (t *tracker) remove(in struct {
	ID      int64
	Confirm bool
}) (any, error) {
	i, err := t.find(in.ID)
	switch {
	case err != nil:
		return nil, err
	case !in.Confirm:
		return nil, errors.New("deleting needs \"confirm\": true")
	case len(t.node(i).Parts) > 0:
		return nil, fmt.Errorf("issue %d has parts; delete those first", i.ID)
	}
	t.issues = slices.DeleteFunc(t.issues, func(other *issue) bool { return other == i })
	return fmt.Sprintf("Issue %d is deleted.", i.ID), nil
}

func (t *tracker) sync(struct{ Source json.RawMessage }) (any, error) {
	return nil, errors.New("the demo has no network: no other tracker can be reached")
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
