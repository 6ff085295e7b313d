package server

import (
	"strings"

	"connectrpc.com/vanguard"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"autobattle/proto/wire"
)

// unread is the field number of the note that jsonCodec leaves in a message that it could not read. The schema has no field
// of that number.
const unread protowire.Number = protowire.MaxValidNumber

// jsonCodec is JSON of which a message that cannot be read is refused by the gate, with a reason and a detail: gRPC itself would
// call it an internal error.
type jsonCodec struct{ vanguard.JSONCodec }

// Unmarshal reads JSON into a message.
func (c *jsonCodec) Unmarshal(data []byte, m proto.Message) error {
	if err := c.JSONCodec.Unmarshal(data, m); err != nil {
		proto.Reset(m)
		note := protowire.AppendTag(nil, unread, protowire.BytesType)
		m.ProtoReflect().SetUnknown(protowire.AppendString(note, strings.ToValidUTF8(err.Error(), "?")))
	}
	return nil
}

// unreadable is the error of a message that could not be read, from the note in it; nil: it was read.
func unreadable(m proto.Message) error {
	for b := []byte(m.ProtoReflect().GetUnknown()); len(b) > 0; {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil
		}
		b = b[n:]
		if num == unread && kind == protowire.BytesType {
			why, n := protowire.ConsumeString(b)
			if n < 0 {
				return nil
			}
			return &wire.FieldError{Why: why}
		}
		if n = protowire.ConsumeFieldValue(num, kind, b); n < 0 {
			return nil
		}
		b = b[n:]
	}
	return nil
}
