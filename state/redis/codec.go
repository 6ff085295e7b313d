package redis

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"autobattle/state"
)

func damaged(what string, reply any) error {
	return fmt.Errorf("%w: %s cannot be read: %.200v", state.ErrCorrupt, what, reply)
}

func encodeDigest(d [32]byte) string { return hex.EncodeToString(d[:]) }

func decodeDigest(s string) (d [32]byte, ok bool) {
	if len(s) != hex.EncodedLen(len(d)) {
		return d, false
	}
	_, err := hex.Decode(d[:], []byte(s))
	return d, err == nil
}

// split takes the word that a script answers and what comes after it.
func split(reply any) (answer string, more any) {
	parts, _ := reply.([]any)
	if len(parts) > 0 {
		answer, _ = parts[0].(string)
	}
	if len(parts) > 1 {
		more = parts[1]
	}
	return answer, more
}

func decodeUint(reply any) (uint64, error) {
	s, _ := reply.(string)
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, damaged("version", reply)
	}
	return n, nil
}

// pairs reads fields and values in turn; a client of protocol 3 may have made a map of them.
func pairs(reply any) map[string]string {
	fields := map[string]string{}
	flat, _ := reply.([]any)
	for i := 0; i+1 < len(flat); i += 2 {
		key, _ := flat[i].(string)
		fields[key], _ = flat[i+1].(string)
	}
	return fields
}

// decodeEntries reads what XRANGE returns: ids and fields.
func decodeEntries(reply any) ([]state.Entry, error) {
	list, ok := reply.([]any)
	if !ok {
		return nil, damaged("entries", reply)
	}
	es := make([]state.Entry, 0, len(list))
	for _, one := range list {
		e, err := decodeEntry(one)
		if err != nil {
			return nil, err
		}
		es = append(es, e)
	}
	return es, nil
}

func decodeEntry(reply any) (state.Entry, error) {
	id, fields := split(reply)
	flat, _ := fields.([]any)
	var e state.Entry
	version, ok := strings.CutSuffix(id, "-0")
	version64, err := strconv.ParseUint(version, 10, 64)
	ok = ok && err == nil && len(flat)%2 == 0
	e.Version = version64
	for i := 0; ok && i < len(flat); i += 2 {
		value, isString := flat[i+1].(string)
		ok = isString
		switch flat[i] {
		case "command":
			e.Command = value
		case "digest":
			e.Digest, ok = decodeDigest(value)
		case "at":
			e.AtMS, err = strconv.ParseInt(value, 10, 64)
			ok = err == nil
		case "data":
			e.Data = []byte(value)
		}
	}
	if !ok || e.Check() != nil {
		return state.Entry{}, damaged("entry", reply)
	}
	return e, nil
}

// decodeHead reads the fields of a head; without any there is no battle.
func decodeHead(fields map[string]string) (state.Head, error) {
	if len(fields) == 0 {
		return state.Head{}, state.ErrNotFound
	}
	h := state.Head{Phase: fields["phase"], Ruleset: fields["ruleset"], Title: fields["title"]}
	version, err := strconv.ParseUint(fields["version"], 10, 64)
	h.Version = version
	for name, field := range map[string]*int64{"created": &h.CreatedMS, "updated": &h.UpdatedMS, "deadline": &h.DeadlineMS} {
		if err == nil {
			*field, err = strconv.ParseInt(fields[name], 10, 64)
		}
	}
	if err != nil {
		return state.Head{}, damaged("head", fields)
	}
	return h, nil
}

// decodeMessage reads a published commit: version, time, digest, length of the command key, key, data.
func decodeMessage(s string) (state.Entry, bool) {
	parts := strings.SplitN(s, " ", 5)
	if len(parts) != 5 {
		return state.Entry{}, false
	}
	version, err1 := strconv.ParseUint(parts[0], 10, 64)
	at, err2 := strconv.ParseInt(parts[1], 10, 64)
	digest, ok := decodeDigest(parts[2])
	n, err3 := strconv.Atoi(parts[3])
	if err1 != nil || err2 != nil || err3 != nil || !ok || n < 0 || n > len(parts[4]) {
		return state.Entry{}, false
	}
	return state.Entry{Version: version, Command: parts[4][:n], Digest: digest, AtMS: at, Data: []byte(parts[4][n:])}, true
}
