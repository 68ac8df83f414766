// Package readme holds the test that runs README.md.
//
// In: the README's sh and go blocks, in order. Out: a failure for a command that
// does not work as written, or Go that does not compile. It has no code of its own.
package readme
