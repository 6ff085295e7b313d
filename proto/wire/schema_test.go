package wire

import (
	"strings"
	"testing"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	_ "autobattle/proto/autobattle/v1"
)

// TestConstraintsCompile builds the checks of every request; a bad annotation would fail only when the first such message
// comes.
func TestConstraintsCompile(t *testing.T) {
	seen := 0
	protoregistry.GlobalFiles.RangeFilesByPackage("autobattle.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Messages().Len() {
			m := f.Messages().Get(i)
			if !strings.HasSuffix(string(m.Name()), "Request") {
				continue
			}
			seen++
			v, err := protovalidate.New(protovalidate.WithDisableLazy(), protovalidate.WithMessageDescriptors(m))
			if err != nil {
				t.Errorf("%s: %v", m.Name(), err)
				continue
			}
			err = v.Validate(dynamicpb.NewMessage(m))
			if _, isViolation := err.(*protovalidate.ValidationError); err != nil && !isViolation {
				t.Errorf("%s: %v", m.Name(), err)
			}
		}
		return true
	})
	if seen < 30 {
		t.Fatalf("only %d requests found", seen)
	}
}
