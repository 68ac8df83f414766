package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A server that asks by requests can ask any number of questions in one call.
func TestQuestionsByRequestAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, questionsByRequestAreBounded)
}

func questionsByRequestAreBounded(t *testing.T) {
	const more = 8
	entered, refused := make(chan struct{}, maxQuestions+more), make(chan struct{}, maxQuestions+more)
	ended := make(chan struct{}, maxQuestions+more)
	c, _ := memoryFake(t, answers{
		"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			for i := range maxQuestions + more {
				sendEvents(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{"message":"?"}}`, i))
			}
			sendEvents(w, m.result(fakeOK))
		},
		"": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) { // the response to a question
			w.WriteHeader(http.StatusAccepted)
			refused <- struct{}{}
		},
	}, WithElicitation(func(ctx context.Context, _ Elicitation) (ElicitationAnswer, error) {
		entered <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return ElicitationAnswer{}, ctx.Err()
	}))
	if _, err := callT(t, c); err != nil {
		t.Fatal(err)
	}
	for range maxQuestions {
		<-entered
	}
	for range more {
		<-refused
	}
	if len(entered) > 0 {
		t.Errorf("%d questions too many were asked at once", len(entered))
	}
	begin := time.Now()
	if err := c.Close(); err != nil || time.Since(begin) > 2*time.Second {
		t.Errorf("Close = %v after %v", err, time.Since(begin))
	}
	for range maxQuestions {
		<-ended
	}
}

func TestQuestionsEndWithTheSession(t *testing.T) {
	t.Parallel()
	q := newQuestions()
	session, end := context.WithCancelCause(t.Context())
	q.endWith(session)
	asked, done, ok := q.begin(t.Context())
	if !ok {
		t.Fatal("no question may be asked")
	}
	defer done()
	end(errClosed)
	<-asked.Done()
	if cause := context.Cause(asked); !errors.Is(cause, errClosed) {
		t.Errorf("the question ended for %v", cause)
	}
}
