package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

// format is the number of the stored formats that this package writes. It reads no other.
const format = 1

// Author is who sent a command.
type Author struct {
	Key    string // id of the API key; empty: the server itself
	Role   string // plugin, master, viewer
	Player string // whom the plugin spoke for; empty: nobody
}

// Meta is what a stored commit holds besides the engine's commit.
type Meta struct {
	CommandID string   // idempotency key of the command
	Digest    [32]byte // SHA-256 of the command's content
	AtMS      int64    // server time, Unix milliseconds
	Author    Author
	Salt      [16]byte // of the facts' hashes; see CommitSalt
	Previous  [32]byte // hash of the commit before; zero for the first
	Hash      [32]byte // of this commit; set by EncodeCommit
}

// The numbers of StoredCommit's fields, in the order in which they are written.
const (
	commitFormat   protowire.Number = 1
	commitVersion  protowire.Number = 2
	commitID       protowire.Number = 3
	commitDigest   protowire.Number = 4
	commitAt       protowire.Number = 5
	commitAuthor   protowire.Number = 6
	commitCommand  protowire.Number = 7
	commitFact     protowire.Number = 8
	commitDice     protowire.Number = 9
	commitSerial   protowire.Number = 10
	commitSalt     protowire.Number = 11
	commitPrevious protowire.Number = 12
	commitHash     protowire.Number = 13
)

// marshal is how every part of a stored record is encoded.
func marshal() proto.MarshalOptions { return proto.MarshalOptions{Deterministic: true} }

// CommitSalt is the salt of a commit: the first 16 bytes of HMAC-SHA256 under the battle's salt key of the version in eight bytes,
// big-endian.
func CommitSalt(key [32]byte, v engine.Version) (salt [16]byte) {
	mac := hmac.New(sha256.New, key[:])
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(v)))
	copy(salt[:], mac.Sum(nil))
	return salt
}

// EncodeCommit encodes a commit for the store and sets m.Hash. Equal values give equal bytes. The error is a text that is not
// valid UTF-8.
//
// The hash of a commit is SHA-256 of "autobattle/commit/2", the previous hash, the hash of the head (fields 1 to 6, 9 and
// 10 as encoded), the hash of the command, and the hashes of the facts in order. The hash of the command and of each fact is
// SHA-256 of "autobattle/part/1", its own salt and its encoding; that salt is SHA-256 of "autobattle/salt/1", the commit's
// salt and the number of the fact from 0 in four bytes, big-endian, where the command has 2³²-1. So a fact can be shown to
// somebody with its salt and the hashes of the others, and he can check the chain without learning more.
func EncodeCommit(c *engine.Commit, m *Meta) ([]byte, error) {
	out := make([]byte, 0, 1024)
	out = appendUint(out, commitFormat, format)
	out = appendUint(out, commitVersion, uint64(c.Version))
	out = appendBytes(out, commitID, []byte(m.CommandID))
	out = appendHash(out, commitDigest, m.Digest)
	out = appendUint(out, commitAt, protowire.EncodeZigZag(m.AtMS))
	var err error
	if m.Author != (Author{}) {
		author := &pb.Author{Key: m.Author.Key, Role: m.Author.Role, Player: m.Author.Player}
		if out, _, err = appendMessage(out, commitAuthor, author); err != nil {
			return nil, fmt.Errorf("encode commit %d: author: %w", c.Version, err)
		}
	}
	h := chain{salt: m.Salt, previous: m.Previous}
	h.head = append(h.head, out...)

	var part []byte
	if out, part, err = appendMessage(out, commitCommand, Command(c.Command)); err != nil {
		return nil, fmt.Errorf("encode commit %d: command: %w", c.Version, err)
	}
	h.command(part)
	for i, f := range Facts(c.Facts) {
		if out, part, err = appendMessage(out, commitFact, f); err != nil {
			return nil, fmt.Errorf("encode commit %d: fact %d: %w", c.Version, i, err)
		}
		h.fact(part)
	}
	tail := len(out)
	out = appendPacked(out, commitDice, c.Dice[0], c.Dice[1])
	out = appendPacked(out, commitSerial, uint64(c.Serial[0]), uint64(c.Serial[1]))
	h.head = append(h.head, out[tail:]...)
	m.Hash = h.sum()

	if m.Salt != ([16]byte{}) {
		out = appendBytes(out, commitSalt, m.Salt[:])
	}
	out = appendHash(out, commitPrevious, m.Previous)
	return appendHash(out, commitHash, m.Hash), nil
}

func appendUint(out []byte, n protowire.Number, v uint64) []byte {
	if v == 0 {
		return out
	}
	return protowire.AppendVarint(protowire.AppendTag(out, n, protowire.VarintType), v)
}

func appendBytes(out []byte, n protowire.Number, b []byte) []byte {
	if len(b) == 0 {
		return out
	}
	return protowire.AppendBytes(protowire.AppendTag(out, n, protowire.BytesType), b)
}

func appendHash(out []byte, n protowire.Number, h [32]byte) []byte {
	if h == ([32]byte{}) {
		return out
	}
	return appendBytes(out, n, h[:])
}

func appendPacked(out []byte, n protowire.Number, a, b uint64) []byte {
	if a == 0 && b == 0 {
		return out
	}
	out = protowire.AppendTag(out, n, protowire.BytesType)
	out = protowire.AppendVarint(out, uint64(protowire.SizeVarint(a)+protowire.SizeVarint(b)))
	return protowire.AppendVarint(protowire.AppendVarint(out, a), b)
}

// appendMessage appends a field and returns the encoding of the message besides.
func appendMessage(out []byte, n protowire.Number, m proto.Message) (all, part []byte, err error) {
	size := marshal().Size(m)
	out = protowire.AppendTag(out, n, protowire.BytesType)
	out = protowire.AppendVarint(out, uint64(size))
	start := len(out)
	options := marshal()
	options.UseCachedSize = true
	if out, err = options.MarshalAppend(out, m); err != nil {
		return nil, nil, err
	}
	return out, out[start:], nil
}

// chain computes the hash of a commit.
type chain struct {
	salt     [16]byte
	previous [32]byte
	head     []byte
	parts    []byte // hashes of the command and the facts
	facts    uint32
	buf      []byte
}

// commandPart is the number of the command among the parts.
const commandPart = 1<<32 - 1

func (c *chain) command(encoding []byte) { c.part(commandPart, encoding) }

func (c *chain) fact(encoding []byte) {
	c.part(c.facts, encoding)
	c.facts++
}

func (c *chain) part(number uint32, encoding []byte) {
	salt := PartSalt(c.salt, number)
	c.buf = append(c.buf[:0], "autobattle/part/1"...)
	c.buf = append(append(c.buf, salt[:]...), encoding...)
	sum := sha256.Sum256(c.buf)
	c.parts = append(c.parts, sum[:]...)
}

// PartSalt is the salt of one fact of a commit, by its number from 0. It may be shown together with the fact.
func PartSalt(commit [16]byte, number uint32) [32]byte {
	var in [17 + 16 + 4]byte
	copy(in[:], "autobattle/salt/1")
	copy(in[17:], commit[:])
	binary.BigEndian.PutUint32(in[33:], number)
	return sha256.Sum256(in[:])
}

func (c *chain) sum() [32]byte {
	head := sha256.Sum256(c.head)
	in := append(c.buf[:0], "autobattle/commit/2"...)
	in = append(append(append(in, c.previous[:]...), head[:]...), c.parts...)
	return sha256.Sum256(in)
}

// DecodeCommit reads a stored commit. It does not check the hash: see CheckCommit. The error is a *FieldError where a field is
// wrong.
func DecodeCommit(data []byte) (engine.Commit, Meta, error) {
	m := &pb.StoredCommit{}
	if err := proto.Unmarshal(data, m); err != nil {
		return engine.Commit{}, Meta{}, fmt.Errorf("decode commit: %w", err)
	}
	r := reader{}
	if m.Format != format {
		r.fail("format", "is %d; this server reads format %d", m.Format, format)
	}
	c := engine.Commit{
		Version: engine.Version(m.Version),
		Command: need(&r, "command", m.Command, (*reader).command),
		Facts:   list(&r, "facts", m.Facts, (*reader).fact),
		Dice:    pair(&r, "dice", m.Dice),
		Serial:  pair(&r, "serial", m.Serial),
	}
	meta := Meta{
		CommandID: m.CommandId, Digest: r.hash("digest", m.Digest), AtMS: m.AtMs,
		Previous: r.hash("previous", m.Previous), Hash: r.hash("hash", m.Hash),
	}
	if m.Author != nil {
		meta.Author = Author{Key: m.Author.Key, Role: m.Author.Role, Player: m.Author.Player}
	}
	switch len(m.Salt) {
	case 0:
	case len(meta.Salt):
		copy(meta.Salt[:], m.Salt)
	default:
		r.fail("salt", "has %d bytes; it must have %d, or none", len(m.Salt), len(meta.Salt))
	}
	if err := r.done(); err != nil {
		return engine.Commit{}, Meta{}, fmt.Errorf("decode commit: %w", err)
	}
	return c, meta, nil
}

// CheckCommit reads a stored commit and checks that it follows the commit with the given version and hash (0 and the zero hash
// before the first), that its own hash is right, and that its encoding is the canonical one, so that no byte of it can be
// changed unnoticed.
func CheckCommit(data []byte, after engine.Version, previous [32]byte) (engine.Commit, Meta, error) {
	c, m, err := DecodeCommit(data)
	if err != nil {
		return c, m, err
	}
	stored := m.Hash
	again, err := EncodeCommit(&c, &m)
	switch {
	case err != nil:
		return c, m, err
	case c.Version != after+1:
		return c, m, fmt.Errorf("check commit: version is %d; it must be %d", c.Version, after+1)
	case m.Previous != previous:
		return c, m, fmt.Errorf("check commit %d: it follows the commit with hash %x; the one before has %x", c.Version, m.Previous, previous)
	case m.Hash != stored:
		return c, m, fmt.Errorf("check commit %d: its hash is %x; its content has %x", c.Version, stored, m.Hash)
	case !bytes.Equal(again, data):
		return c, m, fmt.Errorf("check commit %d: its encoding is not the canonical one", c.Version)
	}
	return c, m, nil
}
