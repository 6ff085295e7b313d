package open

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"autobattle/state"
	"autobattle/state/redis/redistest"
)

func TestStore(t *testing.T) {
	server := redistest.Start(t)
	for url, warns := range map[string]string{
		"memory:": "keeps nothing on disk",
		"bolt:" + filepath.Join(t.TempDir(), "battles"): "",
		server.URL():        "keeps nothing on disk",
		server.URL() + "/3": "keeps nothing on disk",
	} {
		s, err := Store(t.Context(), url)
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if err := s.Health(t.Context()); err != nil {
			t.Errorf("%s: %v", url, err)
		}
		warnings, err := Warnings(t.Context(), s)
		if err != nil {
			t.Errorf("%s: %v", url, err)
		}
		if all := strings.Join(warnings, "\n"); (warns == "") != (all == "") || !strings.Contains(all, warns) {
			t.Errorf("%s: warnings %q, want %q", url, all, warns)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, url := range []string{"", "memory", "memory:x", "bolt:", "file:x", "postgres://a", "redis+x://localhost", "/tmp/x"} {
		s, err := Store(t.Context(), url)
		if !errors.Is(err, state.ErrInvalid) || s != nil {
			t.Errorf("%q opens %v with error %v", url, s, err)
		}
	}
}
