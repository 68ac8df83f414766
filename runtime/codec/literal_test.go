package codec

import "testing"

// TestLiteralForms pins what makes a value equal to a constant: not the spelling
// of strings and numbers, and not the order of keys, at any depth.
func TestLiteralForms(t *testing.T) {
	set, err := parseConst(`{"a":[1,"x",{"k":1e2,"l":null}],"b":true}`)
	if err != nil {
		t.Fatal(err)
	}
	for raw, want := range map[string]int{
		`{"b":true,"a":[1,"x",{"l":null,"k":100.0}]}`:              0,
		`{ "a" : [ 1.0 , "\u0078" , {"k":100,"l":null}],"b":true}`: 0,
		`{"a":[1,"x",{"k":101,"l":null}],"b":true}`:                -1,
		`{"a":["x",1,{"k":100,"l":null}],"b":true}`:                -1,
		`{"a":[1,"x",{"k":"100","l":null}],"b":true}`:              -1,
		`{"a":[1,"x",{"k":100,"l":null}]}`:                         -1,
		`{"a":[1,"x",{"k":[100],"l":null}],"b":true}`:              -1,
	} {
		if got := set.find([]byte(raw)); got != want {
			t.Errorf("find(%s) = %d, want %d", raw, got, want)
		}
	}
}
