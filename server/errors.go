package server

import (
	"errors"
	"fmt"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

// failure is an error of the server's own, with the reason that clients see and what was wrong.
type failure struct {
	reason pb.ErrorReason
	args   []engine.Arg
	field  string
}

// The reasons that the core fails with.
const (
	reasonBusy     = pb.ErrorReason_ERROR_REASON_BUSY
	reasonRevision = pb.ErrorReason_ERROR_REASON_REVISION
)

// fail builds a failure from pairs of argument key and text.
func fail(reason pb.ErrorReason, pairs ...string) error {
	f := &failure{reason: reason}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == "field" {
			f.field = pairs[i+1]
			continue
		}
		f.args = append(f.args, engine.Words(pairs[i], pairs[i+1]))
	}
	return f
}

// Error names the reason for logs.
func (f *failure) Error() string {
	out := f.reason.String()
	for _, a := range f.args {
		out += fmt.Sprintf(" %s=%s", a.Key, a.Name)
	}
	return out
}

// reasonOf is the reason of a failure, or unspecified.
func reasonOf(err error) pb.ErrorReason {
	var f *failure
	if errors.As(err, &f) {
		return f.reason
	}
	return pb.ErrorReason_ERROR_REASON_UNSPECIFIED
}

// versionError says that the battle is not at the version that the caller expected.
type versionError struct{ current uint64 }

// Error names the version.
func (e *versionError) Error() string { return fmt.Sprintf("battle is at version %d", e.current) }
