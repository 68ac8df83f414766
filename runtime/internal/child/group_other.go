//go:build !unix

package child

import "os/exec"

// Without process groups only the child itself is ended; what it started sees its
// pipes close.
func own(*exec.Cmd) {}

func terminateGroup(*exec.Cmd) {} // there is no signal to ask with: closing stdin was the question

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
