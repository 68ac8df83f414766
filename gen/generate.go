package gen

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mcpbind/mcpbind/gen/check"
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/emit"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// Generate returns the Go package for one server. An error means that there is
// no package at all: options that make no sense, or source that failed its check
// ([check.ErrRejected]) whatever tool was left out. Whatever is odd about single
// tools or schemas is a diagnostic instead. It is safe for concurrent use.
func Generate(in Input) (Output, error) { return degrade(in, attempt) }

// Lower returns the Go types that [Generate] would print for in, and prints nothing:
// for those who compare packages. No tool is left without types, as Generate leaves
// those that fail its check.
func Lower(in Input) (lower.Result, error) { return lowerStable(in) }

// attempt generates in as it is. An error that a tool may be to blame for is a
// [fault].
func attempt(in Input) (out Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = Output{}, fault{fmt.Errorf("server %q: %v: this is a bug in mcpbind; exclude the tool that was added last", in.Server, p)}
		}
	}()
	lowered, err := lowerStable(in)
	if err != nil {
		return Output{}, err
	}
	files, err := emit.Package(lowered.Package)
	if err != nil {
		return Output{}, fault{err}
	}
	files, err = check.Package(files, lowered.Package)
	if err != nil {
		return Output{}, fault{err}
	}
	return Output{
		Package:     lowered.Package.Name,
		Files:       files,
		Pins:        lowered.Pins,
		Diagnostics: diag.Sort(lowered.Diagnostics),
		Stats:       lowered.Stats,
	}, nil
}

// lowerStable lowers the snapshot so that every name of the previous one holds.
//
// Only names that are not obvious are pinned in a snapshot, so the pins of the
// previous one do not tell all its names: lowering it again does. Its names then
// act as pins. They are too many to store; what is stored is found by lowering
// with the stored pins alone, and adding those of the owners whose names differ.
func lowerStable(in Input) (lower.Result, error) {
	if in.Snapshot == nil {
		return lower.Result{}, fmt.Errorf("server %q: no snapshot to generate from", in.Server)
	}
	stored := maps.Clone(in.Snapshot.Pins)
	if in.Previous == nil || slices.Equal(in.Previous.Tools, in.Snapshot.Tools) && maps.Equal(in.Previous.Pins, stored) {
		return lowerWith(in, in.Snapshot, stored, false)
	}
	if stored == nil {
		stored = make(map[string]string)
	}
	maps.Copy(stored, in.Previous.Pins)

	previous, err := lowerWith(in, in.Previous, in.Previous.Pins, true)
	if err != nil {
		return lower.Result{}, err
	}
	known := maps.Clone(stored)
	maps.Copy(known, previous.Names)
	result, err := lowerWith(in, in.Snapshot, known, false)
	if err != nil {
		return lower.Result{}, err
	}
	result.Pins, err = pinsFor(in, stored, result.Names)
	return result, err
}

// maxRounds is how often pinning one owner may move another before all are pinned.
// Each time the whole snapshot is lowered again.
const maxRounds = 4

// pinsFor returns the pins that give the snapshot these names, no previous one
// known: few where few do, and else all names.
func pinsFor(in Input, stored, names map[string]string) (map[string]string, error) {
	pins := stored
	for range maxRounds {
		alone, err := lowerWith(in, in.Snapshot, pins, true)
		if err != nil {
			return nil, err
		}
		if maps.Equal(alone.Names, names) {
			return alone.Pins, nil
		}
		pins = maps.Clone(alone.Pins)
		maps.DeleteFunc(pins, func(owner, _ string) bool {
			// An owner that these pins made up would be in the way of the right one.
			return names[owner] == "" && stored[owner] == ""
		})
		for owner, name := range names {
			if alone.Names[owner] != name {
				pins[owner] = name
			}
		}
	}
	pins = maps.Clone(stored)
	maps.Copy(pins, names)
	return pins, nil
}

// lowerWith lowers s with pins. With names, it is for these only.
func lowerWith(in Input, s *snapshot.Snapshot, pins map[string]string, names bool) (lower.Result, error) {
	untyped := in.untyped
	if s == in.Previous {
		untyped = in.untypedBefore
	}
	result, err := lower.Lower(lower.Input{
		Server:  in.Server,
		Source:  in.Source,
		Tools:   s.Tools,
		Digests: s.Digests,
		Pins:    pins,
		Untyped: untyped,
		Options: in.Options,
		Names:   names,
	})
	if err != nil {
		return lower.Result{}, fmt.Errorf("server %q: %w", in.Server, err)
	}
	return result, nil
}
