// Package cases holds the harness that runs small schemas through everything.
//
// In: folders of case files, as ../../../shared/cases/README.md describes them.
// Out: one line per folder with full passes, values kept, values refused and
// positions typed, then each file that falls short with its reason. It generates
// one module from all cases, compiles it once and runs every value through the
// generated types and the registry. It has no code of its own.
package cases
