package cli

import (
	"os"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
)

// workflow runs the shell steps of one job of the scaffolded workflow, as far as
// there is a shell to run them: workflow check. Actions and expressions are
// GitHub's; a condition on an output of an earlier step is looked up.
func workflow(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: workflow job")
	}
	var file struct {
		Jobs map[string]struct {
			Steps []struct {
				Name, If, Run string
			}
		}
	}
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(workflowFile)), &file))
	job, ok := file.Jobs[args[0]]
	if !ok {
		ts.Fatalf("no job %s", args[0])
	}
	outputs := ts.MkAbs("outputs")
	ts.Check(os.WriteFile(outputs, nil, 0o600))
	ts.Setenv("GITHUB_OUTPUT", outputs)
	ran := 0
	for _, step := range job.Steps {
		if step.Run == "" {
			continue
		}
		if strings.Contains(step.Run, "${{") {
			ts.Fatalf("step %q: an expression in a script is an injection", step.Name)
		}
		if step.If != "" {
			if step.If != "steps.verify.outputs.drift == 'true'" {
				ts.Fatalf("step %q: condition %q is not known here", step.Name, step.If)
			}
			if ts.ReadFile(outputs) != "drift=true\n" {
				continue
			}
		}
		ran++
		err := ts.Exec("bash", "-e", "-o", "pipefail", "-c", step.Run)
		switch {
		case err == nil:
		case neg:
			return
		default:
			ts.Fatalf("step %q: %v", step.Name, err)
		}
	}
	if neg || ran == 0 {
		ts.Fatalf("job %s: %d steps ran, none failed", args[0], ran)
	}
}
