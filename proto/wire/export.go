package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protodelim"

	pb "autobattle/proto/autobattle/v1"
)

// exportMagic is the first line of an export.
const exportMagic = "autobattle export 1\n"

// maxRecord is the size of the largest record of an export, in bytes.
const maxRecord = 64 << 20

// WriteExport begins an export and returns a function that writes its records.
func WriteExport(w io.Writer) (write func(*pb.ExportRecord) error, err error) {
	if _, err := io.WriteString(w, exportMagic); err != nil {
		return nil, fmt.Errorf("write export: %w", err)
	}
	options := protodelim.MarshalOptions{MarshalOptions: marshal()}
	return func(m *pb.ExportRecord) error {
		if _, err := options.MarshalTo(w, m); err != nil {
			return fmt.Errorf("write export: %w", err)
		}
		return nil
	}, nil
}

// ReadExport begins to read an export and returns a function that reads its records, and io.EOF behind the last. An export that
// was cut off ends in another error.
func ReadExport(r io.Reader) (read func() (*pb.ExportRecord, error), err error) {
	in := bufio.NewReader(r)
	line := make([]byte, len(exportMagic))
	if _, err := io.ReadFull(in, line); err != nil || string(line) != exportMagic {
		return nil, errors.New("read export: the first line is not \"autobattle export 1\": this is no exported battle")
	}
	options := protodelim.UnmarshalOptions{MaxSize: maxRecord}
	n, ended := 0, false
	return func() (*pb.ExportRecord, error) {
		m := &pb.ExportRecord{}
		err := options.UnmarshalFrom(in, m)
		switch {
		case errors.Is(err, io.EOF) && ended:
			return nil, io.EOF
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, fmt.Errorf("read export: it was cut off behind record %d", n)
		case err != nil:
			return nil, fmt.Errorf("read export: record %d: %w", n+1, err)
		case ended:
			return nil, fmt.Errorf("read export: record %d comes behind the end", n+1)
		}
		n++
		_, ended = m.Record.(*pb.ExportRecord_End)
		return m, nil
	}, nil
}
