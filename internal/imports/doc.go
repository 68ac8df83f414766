// Package imports holds the test of the project's import directions.
//
// In: the import graph of the module as the go command sees it. Out: a failure
// for every arrow that docs/decisions.md does not draw. It has no code of its own.
package imports
