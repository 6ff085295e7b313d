package bolt

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"

	bolt "go.etcd.io/bbolt"

	"autobattle/state"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal appends the checksum (CRC-32C) of a value to it.
func seal(b []byte) []byte {
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// unseal returns the value without its checksum, and whether it is whole.
func unseal(b []byte) ([]byte, bool) {
	if len(b) < crc32.Size {
		return nil, false
	}
	value, sum := b[:len(b)-crc32.Size], b[len(b)-crc32.Size:]
	return value, binary.BigEndian.Uint32(sum) == crc32.Checksum(value, castagnoli)
}

// sealEntry encodes an entry: time (8 bytes), digest (32), length of the command key (2), key, data. Its
// version is in its key.
func sealEntry(e state.Entry) []byte {
	b := make([]byte, 0, 8+len(e.Digest)+2+len(e.Command)+len(e.Data)+crc32.Size)
	b = binary.BigEndian.AppendUint64(b, uint64(e.AtMS))
	b = append(b, e.Digest[:]...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(e.Command)))
	b = append(b, e.Command...)
	return seal(append(b, e.Data...))
}

func unsealEntry(version uint64, sealed []byte) (state.Entry, bool) {
	b, ok := unseal(sealed)
	if !ok || len(b) < 42 {
		return state.Entry{}, false
	}
	e := state.Entry{Version: version, AtMS: int64(binary.BigEndian.Uint64(b))}
	copy(e.Digest[:], b[8:])
	b = b[40:]
	n := int(binary.BigEndian.Uint16(b))
	if len(b) < 2+n {
		return state.Entry{}, false
	}
	e.Command = string(b[2 : 2+n])
	e.Data = bytes.Clone(b[2+n:])
	return e, true
}

// sealNumbered encodes a version or revision (8 bytes) and data.
func sealNumbered(n uint64, data []byte) []byte {
	b := make([]byte, 0, 8+len(data)+crc32.Size)
	return seal(append(binary.BigEndian.AppendUint64(b, n), data...))
}

func unsealNumbered(sealed []byte) (n uint64, data []byte, ok bool) {
	b, ok := unseal(sealed)
	if !ok || len(b) < 8 {
		return 0, nil, false
	}
	return binary.BigEndian.Uint64(b), bytes.Clone(b[8:]), true
}

// headRecord is a head as it is stored. Text that is not UTF-8 survives as bytes.
type headRecord struct {
	Version               uint64
	Phase                 []byte
	Ruleset               []byte
	Title                 []byte
	Created, Updated, Due int64
}

func encodeHead(h state.Head) ([]byte, error) {
	return json.Marshal(headRecord{
		Version: h.Version, Phase: []byte(h.Phase), Ruleset: []byte(h.Ruleset), Title: []byte(h.Title),
		Created: h.CreatedMS, Updated: h.UpdatedMS, Due: h.DeadlineMS,
	})
}

func decodeHead(id []byte, b []byte) (state.Head, error) {
	var r headRecord
	if err := json.Unmarshal(b, &r); err != nil {
		return state.Head{}, fmt.Errorf("%w: head of %s: %v", state.ErrCorrupt, id, err)
	}
	return state.Head{
		Version: r.Version, Phase: string(r.Phase), Ruleset: string(r.Ruleset), Title: string(r.Title),
		CreatedMS: r.Created, UpdatedMS: r.Updated, DeadlineMS: r.Due,
	}, nil
}

func name(id state.ID) []byte { return []byte(id.String()) }

func logPrefix(id state.ID) []byte { return append(name(id), 0) }

func logKey(id state.ID, version uint64) []byte {
	return binary.BigEndian.AppendUint64(logPrefix(id), version)
}

func commandKey(id state.ID, command string) []byte {
	return append(logPrefix(id), command...)
}

// dueKey sorts by deadline, negative ones first.
func dueKey(deadlineMS int64, id state.ID) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(deadlineMS)^1<<63)
	return append(b, name(id)...)
}

// readHead reads a head, or refuses with ErrNotFound.
func readHead(tx *bolt.Tx, id state.ID) (state.Head, error) {
	b := tx.Bucket(bucketHead).Get(name(id))
	if b == nil {
		return state.Head{}, refused{state.ErrNotFound}
	}
	return decodeHead(name(id), b)
}

// readEntry reads an entry that must be there.
func readEntry(tx *bolt.Tx, id state.ID, version uint64) (state.Entry, error) {
	e, ok := unsealEntry(version, tx.Bucket(bucketLog).Get(logKey(id, version)))
	if !ok {
		return state.Entry{}, fmt.Errorf("%w: entry %d of %s is missing or broken", state.ErrCorrupt, version, id)
	}
	return e, nil
}

// readEntries reads the entries after one version up to another, which must be there.
func readEntries(tx *bolt.Tx, id state.ID, after, to uint64) ([]state.Entry, error) {
	if after >= to {
		return nil, nil
	}
	es := make([]state.Entry, 0, to-after)
	c := tx.Bucket(bucketLog).Cursor()
	key, value := c.Seek(logKey(id, after+1))
	for version := after + 1; version <= to; version++ {
		e, ok := unsealEntry(version, value)
		if !ok || !bytes.Equal(key, logKey(id, version)) {
			return nil, fmt.Errorf("%w: entry %d of %s is missing or broken", state.ErrCorrupt, version, id)
		}
		es = append(es, e)
		key, value = c.Next()
	}
	return es, nil
}

// readSnapshot reads a snapshot. A broken one is none: the log has it all.
func readSnapshot(tx *bolt.Tx, id state.ID) state.Snapshot {
	version, data, ok := unsealNumbered(tx.Bucket(bucketSnapshot).Get(name(id)))
	if !ok {
		return state.Snapshot{}
	}
	return state.Snapshot{Version: version, Data: data}
}
