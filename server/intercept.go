package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"buf.build/go/protovalidate"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/server/text"
)

// gate is what every call passes: recovery, identity, validation, error mapping, one log line.
type gate struct {
	keys     *Keys
	validate protovalidate.Validator
	most     int // bytes of one message
	log      *zap.Logger
	metrics  *metrics
}

// open are the methods that need no key: health and reflection.
func open(method string) bool {
	return strings.HasPrefix(method, "/grpc.health.") || strings.HasPrefix(method, "/grpc.reflection.")
}

// identify checks the caller's key.
func (g *gate) identify(ctx context.Context, method string) (context.Context, error) {
	if open(method) {
		return ctx, nil
	}
	secret := ""
	if md, ok := metadata.FromIncomingContext(ctx); ok {
		if v := md.Get("authorization"); len(v) > 0 {
			if bearer, found := strings.CutPrefix(v[0], "Bearer "); found {
				secret = strings.TrimSpace(bearer)
			}
		}
	}
	c, err := g.keys.Check(ctx, secret)
	if err != nil {
		return ctx, err
	}
	return WithCaller(ctx, c), nil
}

// check holds a message against the constraints of the schema.
func (g *gate) check(m any) error {
	p, ok := m.(proto.Message)
	if !ok {
		return nil
	}
	if err := unreadable(p); err != nil {
		return err
	}
	if n := proto.Size(p); n > g.most {
		return tooLarge(int64(n), int64(g.most))
	}
	return g.validate.Validate(p)
}

// unary is the interceptor of unary calls.
func (g *gate) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (resp any, err error) {
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			err = g.panicked(r)
		}
		g.metrics.seconds.WithLabelValues(info.FullMethod).Observe(time.Since(start).Seconds())
		err = g.finish(ctx, info.FullMethod, req, err)
	}()
	if ctx, err = g.identify(ctx, info.FullMethod); err != nil {
		return nil, err
	}
	if err := g.check(req); err != nil {
		return nil, err
	}
	return next(ctx, req)
}

// stream is the interceptor of streams.
func (g *gate) stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	w := &gatedStream{ServerStream: ss, ctx: ss.Context(), gate: g}
	defer func() {
		if r := recover(); r != nil {
			err = g.panicked(r)
		}
		err = g.finish(w.ctx, info.FullMethod, w.first, err)
	}()
	if w.ctx, err = g.identify(w.ctx, info.FullMethod); err != nil {
		return err
	}
	return next(srv, w)
}

// gatedStream checks every message that comes in.
type gatedStream struct {
	grpc.ServerStream
	ctx   context.Context
	gate  *gate
	first any
}

// Context is the context with the caller.
func (s *gatedStream) Context() context.Context { return s.ctx }

// RecvMsg receives and checks a message.
func (s *gatedStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	if s.first == nil {
		s.first = m
	}
	return s.gate.check(m)
}

// panicError is a panic as an error, for the log.
type panicError struct {
	value any
	stack []byte
}

// Error is the panic's value.
func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func (g *gate) panicked(r any) error {
	g.metrics.panicked.Inc()
	return &panicError{r, debug.Stack()}
}

// broke is a panic outside any call, as an error; it is logged here.
func (c *Core) broke(r any) error {
	if c.metrics != nil {
		c.metrics.panicked.Inc()
	}
	err := &panicError{r, debug.Stack()}
	c.log.Error("panic", zap.Any("value", r), zap.ByteString("stack", err.stack))
	return err
}

// finish maps the error of a call and writes its one log line: debug for a command, info for a refusal, error for what
// needs a person.
func (g *gate) finish(ctx context.Context, method string, req any, err error) error {
	if open(method) {
		return err
	}
	fields := callFields(ctx, method, req)
	if err == nil {
		g.metrics.calls.WithLabelValues(method, codes.OK.String()).Inc()
		if _, changes := req.(interface{ GetCommandId() string }); changes {
			g.log.Debug("command", fields...)
		}
		return nil
	}
	p := problemOf(err, localeOf(req))
	if p.id != "" && (ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		p = interrupted(ctx, err, localeOf(req))
	}
	g.metrics.calls.WithLabelValues(method, p.code.String()).Inc()
	reason := p.detail.GetReason()
	fields = append(fields, zap.String("reason", reasonWord(reason)), zap.String("code", p.code.String()))
	var no *engine.Rejection
	var broken *panicError
	switch {
	case errors.As(err, &no):
		g.metrics.refused.WithLabelValues(reasonWord(reason)).Inc()
		g.log.Info("refused", append(fields, zap.String("rule", string(no.Rule)), zap.String("detail", no.Error()))...)
	case errors.As(err, &broken):
		g.log.Error("panic", append(fields, zap.String("id", p.id), zap.Any("value", broken.value), zap.ByteString("stack", broken.stack))...)
	case p.code == codes.Internal || p.code == codes.DataLoss:
		g.log.Error("call failed", append(fields, zap.String("id", p.id), zap.Error(err))...)
	case p.code == codes.Unavailable && reason != pb.ErrorReason_ERROR_REASON_DRAINING:
		g.log.Warn("call failed", append(fields, zap.Error(err))...)
	default:
		g.log.Info("call refused", append(fields, zap.String("detail", p.detail.GetMessage()))...)
	}
	return p.status().Err()
}

// callFields are the log fields of a call. Seeds, keys and hidden facts are not among them.
func callFields(ctx context.Context, method string, req any) []zap.Field {
	fields := []zap.Field{zap.String("method", method[strings.LastIndexByte(method, '/')+1:])}
	if c, ok := ctx.Value(callerKey{}).(Caller); ok {
		fields = append(fields, zap.String("tenant", c.Tenant), zap.String("key", c.Key))
	}
	if r, ok := req.(interface{ GetBattleId() string }); ok {
		fields = append(fields, zap.String("battle", r.GetBattleId()))
	}
	if r, ok := req.(interface{ GetCommandId() string }); ok {
		fields = append(fields, zap.String("command", r.GetCommandId()))
	}
	if r, ok := req.(interface{ GetActorId() uint32 }); ok && r.GetActorId() != 0 {
		fields = append(fields, zap.Uint32("actor", r.GetActorId()))
	}
	return fields
}

func localeOf(req any) text.Locale {
	if r, ok := req.(interface{ GetLocale() string }); ok {
		return text.Match(r.GetLocale())
	}
	return text.Match("")
}

// reasonWord is a reason without its prefix, in lower case.
func reasonWord(r pb.ErrorReason) string {
	return strings.ToLower(strings.TrimPrefix(r.String(), "ERROR_REASON_"))
}
