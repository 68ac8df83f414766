// Package names makes Go identifiers of wire names, and keeps them.
//
// In: any string a server may send, and the names given earlier. Out: legal,
// readable Go identifiers; within a [Scope] unique ones that do not depend on
// the order of requests and that later additions never change. It knows neither
// schemas nor models and imports nothing of mcpbind.
package names
