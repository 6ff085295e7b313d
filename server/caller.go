package server

import (
	"context"
	"slices"
)

// Role is what a key allows. A key may have several.
type Role string

// The roles of keys.
const (
	RolePlugin Role = "plugin" // a game server: speaks for players
	RoleMaster Role = "master" // may do everything in its battles
	RoleViewer Role = "viewer" // reads as a spectator
)

// Caller is who makes a call: the key and what it allows.
type Caller struct {
	Key    string // id of the key, never its secret
	Tenant string
	Roles  []Role
}

// Has reports whether the key has a role.
func (c Caller) Has(r Role) bool { return slices.Contains(c.Roles, r) }

// Sees reports whether the caller, speaking for no player, may see everything.
func (c Caller) Sees() bool { return c.Has(RoleMaster) || c.Has(RolePlugin) }

// role is the strongest role, for records.
func (c Caller) role() string {
	for _, r := range []Role{RoleMaster, RolePlugin, RoleViewer} {
		if c.Has(r) {
			return string(r)
		}
	}
	return ""
}

type callerKey struct{}

// WithCaller puts a caller into a context; the interceptor that checked the key does.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf is the caller of a context. It panics where no interceptor has put one: a call without identity is a bug.
func CallerOf(ctx context.Context) Caller {
	c, ok := ctx.Value(callerKey{}).(Caller)
	if !ok {
		panic("server: a call without a caller")
	}
	return c
}
