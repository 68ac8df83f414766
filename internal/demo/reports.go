package demo

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

type opened struct {
	Type string    `json:"type"`
	At   time.Time `json:"at"`
	By   string    `json:"by"`
}

type change struct {
	Type     string    `json:"type"`
	At       time.Time `json:"at"`
	Property string    `json:"property"`
	From     any       `json:"from"`
	To       any       `json:"to"`
}

type commented struct {
	Type   string    `json:"type"`
	At     time.Time `json:"at"`
	Number int       `json:"number"`
}

func (o opened) when() time.Time    { return o.At }
func (c change) when() time.Time    { return c.At }
func (c commented) when() time.Time { return c.At }

func (t *tracker) listEvents(in struct {
	Issue int64
	After time.Time
}) (any, error) {
	i, err := t.find(in.Issue)
	if err != nil {
		return nil, err
	}
	events := []any{}
	for _, e := range i.events {
		if e.(interface{ when() time.Time }).when().After(in.After) {
			events = append(events, e)
		}
	}
	return map[string]any{"events": events}, nil
}

type commentInput struct {
	Issue   int64 `json:"issue"`
	ReplyTo int   `json:"reply_to"`
	Content struct {
		Kind                        string
		Text, Source, Language, URL string
		Lines                       []int
	} `json:"content"`
}

func (t *tracker) addComment(in commentInput) (any, error) {
	i, err := t.find(in.Issue)
	if err != nil {
		return nil, err
	}
	if in.ReplyTo > len(i.comments) {
		return nil, fmt.Errorf("issue %d has no comment %d to reply to", i.ID, in.ReplyTo)
	}
	var text string
	switch c := in.Content; c.Kind {
	case "prose":
		text = c.Text
	case "link":
		text = "<" + c.URL + ">"
	case "code":
		if len(c.Lines) == 2 {
			text = fmt.Sprintf("Lines %d to %d:\n", c.Lines[0], c.Lines[1])
		}
		text += "```" + cmp.Or(c.Language, "text") + "\n" + c.Source + "\n```"
	default:
		return nil, errors.New("content needs a kind: prose, code or link")
	}
	number := len(i.comments) + 1
	i.comments = append(i.comments, comment{Number: number, Author: user, Text: text, replyTo: in.ReplyTo})
	i.events = append(i.events, commented{"commented", t.tick(), number})
	return map[string]any{"number": number}, nil
}

func (t *tracker) listComments(in struct{ Issue int64 }) (any, error) {
	i, err := t.find(in.Issue)
	if err != nil {
		return nil, err
	}
	return map[string]any{"comments": thread(i.comments, 0)}, nil
}

// thread returns the replies to comment number, 0 for the topmost ones. A reply
// has a higher number than what it answers, so this ends.
func thread(all []comment, number int) []comment {
	out := []comment{}
	for _, c := range all {
		if c.replyTo == number {
			c.Replies = thread(all, c.Number)
			out = append(out, c)
		}
	}
	return out
}

type condition struct {
	All      []condition
	Any      []condition
	Not      *condition
	Property string
	Is       json.RawMessage
}

func (t *tracker) query(in struct{ Where condition }) (any, error) {
	ids := []int64{}
	for _, i := range t.issues {
		if in.Where.holds(i) {
			ids = append(ids, i.ID)
		}
	}
	return map[string]any{"ids": ids}, nil
}

func (c condition) holds(i *issue) bool {
	switch {
	case c.All != nil:
		return !slices.ContainsFunc(c.All, func(c condition) bool { return !c.holds(i) })
	case c.Any != nil:
		return slices.ContainsFunc(c.Any, func(c condition) bool { return c.holds(i) })
	case c.Not != nil:
		return !c.Not.holds(i)
	case c.Property == "label":
		return slices.ContainsFunc(i.Labels, func(l string) bool { return strconv.Quote(l) == string(c.Is) })
	case c.Property == "assignee" && i.Assignee == nil:
		return string(c.Is) == "null"
	default:
		text, err := strconv.Unquote(string(c.Is))
		if err != nil {
			text = string(c.Is)
		}
		return i.property(c.Property) == text
	}
}

// property returns a property of i as text, "" when it is not set.
func (i *issue) property(name string) string {
	switch name {
	case "id":
		return strconv.FormatInt(i.ID, 10)
	case "title":
		return i.Title
	case "state":
		return i.State
	case "priority":
		return strconv.Itoa(i.Priority)
	case "assignee":
		if i.Assignee != nil {
			return *i.Assignee
		}
	}
	return ""
}

func (t *tracker) statistics(in struct {
	GroupBy string `json:"group_by"`
}) (any, error) {
	counts := map[string]int{}
	var oldest []any
	for _, i := range t.issues {
		counts[cmp.Or(i.property(cmp.Or(in.GroupBy, "state")), "nobody")]++
		if oldest == nil && i.State != "closed" {
			oldest = []any{i.ID, i.Created}
		}
	}
	return map[string]any{"total": len(t.issues), "counts": counts, "oldest": oldest}, nil
}

func (t *tracker) export(in struct {
	Format  string
	Columns []string
}) (any, error) {
	if in.Columns == nil {
		in.Columns = []string{"id", "title", "state"}
	}
	separator, start, end := ",", "", "\n"
	if in.Format == "markdown" {
		separator, start, end = " | ", "| ", " |\n"
	}
	var b strings.Builder
	line := func(cells []string) { b.WriteString(start + strings.Join(cells, separator) + end) }
	line(in.Columns)
	if in.Format == "markdown" {
		line(slices.Repeat([]string{"---"}, len(in.Columns)))
	}
	for _, i := range t.issues {
		cells := make([]string, len(in.Columns))
		for n, column := range in.Columns {
			cells[n] = i.property(column)
			if in.Format != "markdown" && strings.ContainsAny(cells[n], ",\"\n") {
				cells[n] = `"` + strings.ReplaceAll(cells[n], `"`, `""`) + `"`
			}
		}
		line(cells)
	}
	return b.String(), nil
}
