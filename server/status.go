package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"

	"buf.build/go/protovalidate"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/server/text"
	"autobattle/state"
)

// told is a refusal with its message, made where the battle is known.
type told struct {
	*engine.Rejection
	message string
}

// Unwrap gives the refusal.
func (t *told) Unwrap() error { return t.Rejection }

// limit is an error for what is over a limit of the server.
func limit(what string, n, most int64) error {
	return &failure{reason: pb.ErrorReason_ERROR_REASON_SERVER_LIMIT, args: []engine.Arg{engine.Words("what", what), engine.Num("value", n), engine.Num("limit", most)}}
}

// tooLarge is an error for a message over the limit.
func tooLarge(n, most int64) error {
	return &failure{reason: pb.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE, args: []engine.Arg{engine.Num("size", n), engine.Num("limit", most)}}
}

// problem is an error as clients get it.
type problem struct {
	code   codes.Code
	detail *pb.ErrorDetail
	id     string // of an internal error, for the log
}

// problemOf maps every error of the server once: a malformed message, a refusal of the rules, a state of the store, or
// anything else, which clients learn nothing about.
func problemOf(err error, l text.Locale) problem {
	var (
		no      *engine.Rejection
		f       *failure
		ver     *versionError
		field   *wire.FieldError
		invalid *voxel.InvalidError
		broken  *protovalidate.ValidationError
	)
	switch {
	case errors.As(err, &no):
		return problemOfRefusal(err, no, l)
	case errors.As(err, &f):
		return f.problem(l)
	case errors.As(err, &ver):
		p := (&failure{reason: pb.ErrorReason_ERROR_REASON_VERSION_CONFLICT, args: []engine.Arg{engine.Num("version", int64(ver.current))}}).problem(l)
		p.detail.CurrentVersion = ver.current
		return p
	case errors.As(err, &field):
		return badField(field.Field, field.Why, l)
	case errors.As(err, &invalid):
		return badField(invalid.Field, invalid.Why, l)
	case errors.As(err, &broken):
		p, why := violation(broken)
		return badField(p, why, l)
	}
	for _, k := range storeReasons {
		if errors.Is(err, k.err) {
			return (&failure{reason: k.reason}).problem(l)
		}
	}
	if s, ok := status.FromError(err); ok && s.Code() != codes.Unknown {
		if r := sizeReason(s); r != pb.ErrorReason_ERROR_REASON_UNSPECIFIED {
			return (&failure{reason: r}).problem(l)
		}
		return problem{code: s.Code(), detail: &pb.ErrorDetail{Message: s.Message()}}
	}
	var id [6]byte
	_, _ = rand.Read(id[:])
	name := hex.EncodeToString(id[:])
	p := (&failure{reason: pb.ErrorReason_ERROR_REASON_INTERNAL, args: []engine.Arg{engine.Words("id", name)}}).problem(l)
	p.id = name
	return p
}

// storeReasons say what clients learn of the store's errors.
var storeReasons = [...]struct {
	err    error
	reason pb.ErrorReason
}{
	{state.ErrNotFound, pb.ErrorReason_ERROR_REASON_BATTLE_NOT_FOUND},
	{state.ErrExists, pb.ErrorReason_ERROR_REASON_BATTLE_EXISTS},
	{state.ErrReused, pb.ErrorReason_ERROR_REASON_COMMAND_ID_REUSED},
	{state.ErrUnavailable, pb.ErrorReason_ERROR_REASON_STORE_UNAVAILABLE},
	{state.ErrClosed, pb.ErrorReason_ERROR_REASON_DRAINING},
	{state.ErrCorrupt, pb.ErrorReason_ERROR_REASON_CORRUPT},
	{state.ErrConflict, pb.ErrorReason_ERROR_REASON_BUSY},
	{state.ErrReset, pb.ErrorReason_ERROR_REASON_BUSY},
	{state.ErrInvalid, pb.ErrorReason_ERROR_REASON_BAD_FIELD},
}

// sizeReason tells a message over the limit from other statuses that gRPC makes itself.
func sizeReason(s *status.Status) pb.ErrorReason {
	if s.Code() == codes.ResourceExhausted && strings.Contains(s.Message(), "larger than max") {
		return pb.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE
	}
	return pb.ErrorReason_ERROR_REASON_UNSPECIFIED
}

func problemOfRefusal(err error, no *engine.Rejection, l text.Locale) problem {
	r := wire.Refusal(no)
	d := &pb.ErrorDetail{Reason: r.GetReason(), Rule: r.GetRule(), Args: r.GetArgs(), Cells: r.GetCells(), Region: r.GetRegion()}
	var t *told
	if errors.As(err, &t) {
		d.Message = t.message
	} else {
		d.Message = text.For(nil, l).Refusal(nil, no)
	}
	return problem{code: codes.FailedPrecondition, detail: d}
}

func badField(path, why string, l text.Locale) problem {
	p := (&failure{reason: pb.ErrorReason_ERROR_REASON_BAD_FIELD, args: []engine.Arg{engine.Words("field", path), engine.Words("why", why)}}).problem(l)
	p.detail.Field = path
	p.detail.Reason = arenaReason(path)
	return p
}

// arenaReason is the reason for a malformed field: arenas have their own.
func arenaReason(path string) pb.ErrorReason {
	switch {
	case strings.HasPrefix(path, "header.min"), strings.HasPrefix(path, "header.max"), strings.HasPrefix(path, "bounds"):
		return pb.ErrorReason_ERROR_REASON_ARENA_BAD_BOUNDS
	case strings.HasPrefix(path, "header.palette"), strings.HasPrefix(path, "sections") && strings.Contains(path, "palette"):
		return pb.ErrorReason_ERROR_REASON_ARENA_BAD_PALETTE
	case strings.HasPrefix(path, "sections"):
		return pb.ErrorReason_ERROR_REASON_ARENA_BAD_SECTION
	}
	return pb.ErrorReason_ERROR_REASON_BAD_FIELD
}

func violation(e *protovalidate.ValidationError) (path, why string) {
	if len(e.Violations) == 0 {
		return "", e.Error()
	}
	v := e.Violations[0].Proto
	return protovalidate.FieldPathString(v.GetField()), v.GetMessage()
}

// codeOf is the gRPC code of a reason of the server's own, as the schema documents it.
func codeOf(r pb.ErrorReason) codes.Code {
	switch r {
	case pb.ErrorReason_ERROR_REASON_BAD_KEY:
		return codes.Unauthenticated
	case pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, pb.ErrorReason_ERROR_REASON_FORBIDDEN_ACTOR:
		return codes.PermissionDenied
	case pb.ErrorReason_ERROR_REASON_BATTLE_NOT_FOUND, pb.ErrorReason_ERROR_REASON_ARENA_NOT_FOUND,
		pb.ErrorReason_ERROR_REASON_CHARACTER_NOT_FOUND, pb.ErrorReason_ERROR_REASON_RULE_NOT_FOUND:
		return codes.NotFound
	case pb.ErrorReason_ERROR_REASON_BATTLE_EXISTS, pb.ErrorReason_ERROR_REASON_COMMAND_ID_REUSED:
		return codes.AlreadyExists
	case pb.ErrorReason_ERROR_REASON_VERSION_CONFLICT, pb.ErrorReason_ERROR_REASON_BUSY, pb.ErrorReason_ERROR_REASON_TOO_SLOW:
		return codes.Aborted
	case pb.ErrorReason_ERROR_REASON_STORE_UNAVAILABLE, pb.ErrorReason_ERROR_REASON_DRAINING:
		return codes.Unavailable
	case pb.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE, pb.ErrorReason_ERROR_REASON_SERVER_LIMIT:
		return codes.ResourceExhausted
	case pb.ErrorReason_ERROR_REASON_BAD_FIELD, pb.ErrorReason_ERROR_REASON_ARENA_BAD_BOUNDS, pb.ErrorReason_ERROR_REASON_ARENA_BAD_PALETTE,
		pb.ErrorReason_ERROR_REASON_ARENA_BAD_SECTION, pb.ErrorReason_ERROR_REASON_BAD_CURSOR:
		return codes.InvalidArgument
	case pb.ErrorReason_ERROR_REASON_UNIMPLEMENTED, pb.ErrorReason_ERROR_REASON_REVISION:
		return codes.Unimplemented
	case pb.ErrorReason_ERROR_REASON_CORRUPT:
		return codes.DataLoss
	case pb.ErrorReason_ERROR_REASON_INTERNAL:
		return codes.Internal
	}
	return codes.FailedPrecondition
}

// retryable reports whether the same call may succeed later.
func retryable(r pb.ErrorReason) bool {
	switch r {
	case pb.ErrorReason_ERROR_REASON_STORE_UNAVAILABLE, pb.ErrorReason_ERROR_REASON_DRAINING, pb.ErrorReason_ERROR_REASON_BUSY,
		pb.ErrorReason_ERROR_REASON_TOO_SLOW, pb.ErrorReason_ERROR_REASON_INTERNAL:
		return true
	}
	return false
}

func (f *failure) problem(l text.Locale) problem {
	d := &pb.ErrorDetail{
		Reason: f.reason, Args: wire.Args(f.args), Field: f.field, Retryable: retryable(f.reason),
		Message: text.ServerError(l, f.reason.String(), f.args...),
	}
	return problem{code: codeOf(f.reason), detail: d}
}

// status is the problem with its detail.
func (p problem) status() *status.Status {
	s := status.New(p.code, p.detail.GetMessage())
	if d, err := s.WithDetails(p.detail); err == nil {
		return d
	}
	return s
}

// explain gives a refusal its message, in the words of the battle it was made in.
func (c *Core) explain(err error, b *engine.Battle, v view) error {
	var no *engine.Rejection
	var already *told
	if !errors.As(err, &no) || errors.As(err, &already) || b == nil {
		return err
	}
	return &told{no, c.renderer(b, v.locale).Refusal(engine.See(b, v.in(b)), no)}
}

// interrupted is the problem of a call that ended because its caller went away or its time was over.
func interrupted(ctx context.Context, err error, l text.Locale) problem {
	p := (&failure{reason: pb.ErrorReason_ERROR_REASON_UNSPECIFIED}).problem(l)
	p.code, p.detail.Retryable = codes.Canceled, true
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		p.code = codes.DeadlineExceeded
	}
	return p
}
