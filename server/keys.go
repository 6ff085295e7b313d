package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/golang-lru/v2"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
)

// keyPrefix begins every key, so that leaked ones can be searched for.
const keyPrefix = "abk_"

// keyAge is how long a process trusts a key that it has looked up: a key removed elsewhere dies within it.
const keyAge = 10 * time.Second

// KeyRecord is what is stored of an API key. The secret itself is stored nowhere: the document's key is its SHA-256. The
// secrets are 160 random bits, so a plain hash cannot be searched.
type KeyRecord struct {
	ID        string `json:"id"`
	Tenant    string `json:"tenant"`
	Roles     []Role `json:"roles"`
	Name      string `json:"name"`
	CreatedMS int64  `json:"created_ms"`
}

// Keys are the API keys of an installation.
type Keys struct {
	store state.Docs
	now   func() time.Time
	seen  *lru.Cache[string, seenKey] // by hash
}

// seenKey is a key that was looked up.
type seenKey struct {
	rec KeyRecord
	at  time.Time
}

// keysKept is how many keys a process keeps.
const keysKept = 1024

// NewKeys reads keys from a store.
func NewKeys(store state.Docs) *Keys {
	seen, err := lru.New[string, seenKey](keysKept)
	if err != nil {
		panic(fmt.Sprintf("server: cache of %d keys: %v", keysKept, err))
	}
	return &Keys{store: store, now: time.Now, seen: seen}
}

func keyDocs() state.Collection { return state.Collection{Kind: "keys", Tenant: state.Global} }

// Add makes a key and returns its secret, which is shown this once.
func (k *Keys) Add(ctx context.Context, tenant, name string, roles []Role) (secret string, rec KeyRecord, err error) {
	if id := (state.ID{Tenant: tenant, Battle: "x"}); !id.Valid() {
		return "", rec, fmt.Errorf("tenant %q: want 1 to 64 of a-z 0-9 - _, first a letter or digit", tenant)
	}
	if len(roles) == 0 {
		return "", rec, errors.New("no role: want one or more of plugin, master, viewer")
	}
	for _, r := range roles {
		if !slices.Contains([]Role{RolePlugin, RoleMaster, RoleViewer}, r) {
			return "", rec, fmt.Errorf("role %q: want plugin, master or viewer", r)
		}
	}
	var raw [20]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return "", rec, fmt.Errorf("draw a key: %w", err)
	}
	secret = keyPrefix + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw[:]))
	hash := hashOf(secret)
	rec = KeyRecord{ID: hash[:12], Tenant: tenant, Roles: roles, Name: name, CreatedMS: k.now().UnixMilli()}
	data, err := json.Marshal(rec)
	if err != nil {
		return "", rec, fmt.Errorf("encode key: %w", err)
	}
	if _, err := k.store.PutDoc(ctx, keyDocs(), hash, 0, data); err != nil {
		return "", rec, fmt.Errorf("store key: %w", err)
	}
	return secret, rec, nil
}

// List gives every key's record, by id.
func (k *Keys) List(ctx context.Context) ([]KeyRecord, error) {
	var out []KeyRecord
	after := ""
	for {
		page, err := k.store.ListDocs(ctx, keyDocs(), "", after, state.MaxPage)
		if err != nil {
			return nil, fmt.Errorf("list keys: %w", err)
		}
		for _, d := range page {
			var rec KeyRecord
			if err := json.Unmarshal(d.Data, &rec); err != nil {
				return nil, fmt.Errorf("%w: key %s: %w", state.ErrCorrupt, d.Key[:12], err)
			}
			out = append(out, rec)
			after = d.Key
		}
		if len(page) < state.MaxPage {
			return out, nil
		}
	}
}

// Remove takes a key back, by its id.
func (k *Keys) Remove(ctx context.Context, id string) error {
	page, err := k.store.ListDocs(ctx, keyDocs(), id, "", 2)
	if err != nil {
		return fmt.Errorf("find key %s: %w", id, err)
	}
	if len(page) != 1 || len(id) < 6 {
		return fmt.Errorf("key %q: want the id that keys list shows", id)
	}
	if err := k.store.DeleteDoc(ctx, keyDocs(), page[0].Key, state.Any); err != nil {
		return fmt.Errorf("remove key %s: %w", id, err)
	}
	k.seen.Remove(page[0].Key)
	return nil
}

// Check is the caller of a secret.
func (k *Keys) Check(ctx context.Context, secret string) (Caller, error) {
	if secret == "" {
		return Caller{}, fail(pb.ErrorReason_ERROR_REASON_BAD_KEY, "want", "authorization: Bearer KEY")
	}
	hash := hashOf(secret)
	known, ok := k.seen.Get(hash)
	if !ok || k.now().Sub(known.at) > keyAge {
		doc, err := k.store.GetDoc(ctx, keyDocs(), hash)
		if errors.Is(err, state.ErrNotFound) {
			k.seen.Remove(hash)
			return Caller{}, fail(pb.ErrorReason_ERROR_REASON_BAD_KEY, "want", "a key made by autobattled keys add")
		}
		if err != nil {
			return Caller{}, err
		}
		known = seenKey{at: k.now()}
		if err := json.Unmarshal(doc.Data, &known.rec); err != nil {
			return Caller{}, fmt.Errorf("%w: key %s: %w", state.ErrCorrupt, hash[:12], err)
		}
		k.seen.Add(hash, known)
	}
	return Caller{Key: known.rec.ID, Tenant: known.rec.Tenant, Roles: known.rec.Roles}, nil
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
