package wire

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

// Clock is how long a prompt has been live.
type Clock struct {
	Prompt  engine.PromptID
	SpentMS int64 // live before SinceMS, in milliseconds
	SinceMS int64 // when it last became live, Unix milliseconds; 0: it is held
}

// Snapshot is a battle as of its version, with what is folded beside it.
type Snapshot struct {
	Battle *engine.Battle
	Hash   [32]byte // of the commit it stands at
	AtMS   int64    // server time of that commit, Unix milliseconds
	Clocks []Clock  // of the open prompts
}

// EncodeSnapshot encodes a snapshot for the store. The error is a text that is not valid UTF-8.
func EncodeSnapshot(s *Snapshot) ([]byte, error) {
	data, err := marshal().Marshal(&pb.StoredSnapshot{
		Format: format, Battle: Battle(s.Battle), Hash: hashBytes(&s.Hash), AtMs: s.AtMS,
		Clocks: each(s.Clocks, func(m *pb.PromptClock, v *Clock) {
			m.Prompt, m.SpentMs, m.SinceMs = uint32(v.Prompt), v.SpentMS, v.SinceMS
		}),
	})
	if err != nil {
		return nil, fmt.Errorf("encode snapshot %d: %w", s.Battle.Version, err)
	}
	return data, nil
}

// DecodeSnapshot reads a stored snapshot.
func DecodeSnapshot(data []byte) (Snapshot, error) {
	m := &pb.StoredSnapshot{}
	if err := proto.Unmarshal(data, m); err != nil {
		return Snapshot{}, fmt.Errorf("decode snapshot: %w", err)
	}
	r := reader{}
	if m.Format != format {
		r.fail("format", "is %d; this server reads format %d", m.Format, format)
	}
	s := Snapshot{
		Battle: need(&r, "battle", m.Battle, (*reader).battle), Hash: r.hash("hash", m.Hash), AtMS: m.AtMs,
		Clocks: list(&r, "clocks", m.Clocks, func(_ *reader, m *pb.PromptClock) Clock {
			return Clock{Prompt: engine.PromptID(m.Prompt), SpentMS: m.SpentMs, SinceMS: m.SinceMs}
		}),
	}
	if err := r.done(); err != nil {
		return Snapshot{}, fmt.Errorf("decode snapshot: %w", err)
	}
	return s, nil
}

// Secret is what must not leave the server before a battle is over.
type Secret struct {
	Seed    [32]byte // of the dice
	SaltKey [32]byte // of the salts of commits; never revealed
}

// EncodeSecret encodes a secret for the store.
func EncodeSecret(s *Secret) []byte {
	data, err := marshal().Marshal(&pb.StoredSecret{Format: format, Seed: hashBytes(&s.Seed), SaltKey: hashBytes(&s.SaltKey)})
	if err != nil {
		panic(err) // it holds no text
	}
	return data
}

// DecodeSecret reads a stored secret. Its errors do not show it.
func DecodeSecret(data []byte) (Secret, error) {
	m := &pb.StoredSecret{}
	if err := proto.Unmarshal(data, m); err != nil {
		return Secret{}, fmt.Errorf("decode secret: not a message")
	}
	if m.Format != format || len(m.Seed) != 32 || len(m.SaltKey) != 32 {
		return Secret{}, fmt.Errorf("decode secret: format %d with %d and %d bytes; it must be %d with 32 and 32", m.Format, len(m.Seed), len(m.SaltKey), format)
	}
	return Secret{Seed: [32]byte(m.Seed), SaltKey: [32]byte(m.SaltKey)}, nil
}
