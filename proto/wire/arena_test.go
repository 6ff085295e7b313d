package wire

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// room is an arena of two sections with walls, glass and a lamp.
func room(t testing.TB) *voxel.Arena {
	t.Helper()
	b := voxel.NewBuilder(voxel.Pos{X: -16, Y: 0, Z: 32}, voxel.Pos{X: 2, Y: 1, Z: 1})
	b.Fill(voxel.Pos{X: -16, Z: 32}, voxel.Pos{X: 15, Z: 47}, voxel.FullCube("stone"))
	b.Fill(voxel.Pos{X: 3, Y: 1, Z: 33}, voxel.Pos{X: 3, Y: 3, Z: 40}, voxel.Glass())
	b.Set(voxel.Pos{X: 5, Y: 2, Z: 35}, voxel.Lamp())
	b.Set(voxel.Pos{X: 6, Y: 1, Z: 35}, voxel.Stairs("stairs", voxel.Look{X: 1}))
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestArena(t *testing.T) {
	a := room(t)
	header, sections := Arena(a)
	u, err := NewUpload(pass(t, header), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(sections) - 1; i >= 0; i-- { // in any order, in any number of parts
		if err := u.Add([]*pb.ArenaSection{pass(t, sections[i])}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := u.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != a.Hash() {
		t.Errorf("uploaded it is %s, before it was %s", got.Hash(), a.Hash())
	}
	data, err := EncodeArena(a)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := DecodeArena(data, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if stored.Hash() != a.Hash() {
		t.Errorf("stored it is %s, before it was %s", stored.Hash(), a.Hash())
	}
	if again, err := EncodeArena(stored); err != nil || !bytes.Equal(again, data) {
		t.Errorf("equal arenas have two encodings (%v)", err)
	}
}

// TestRuns uploads the same blocks as runs, as a client does that cannot pack bits.
func TestRuns(t *testing.T) {
	a := room(t)
	header, sections := Arena(a)
	for i, s := range a.Sections() {
		at := s.At
		m := sections[i]
		m.Indices = nil
		for c := range int32(sectionCells) {
			b := a.Block(at.Add(voxel.Pos{X: c & 15, Z: c >> 4 & 15, Y: c >> 8}))
			for n := range s.Palette {
				if s.Palette[n].Equal(b) {
					if k := len(m.Runs); k > 0 && m.Runs[k-1] == uint32(n) {
						m.Runs[k-2]++
					} else {
						m.Runs = append(m.Runs, 1, uint32(n))
					}
				}
			}
		}
	}
	u, err := NewUpload(header, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Add(sections); err != nil {
		t.Fatal(err)
	}
	got, err := u.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != a.Hash() {
		t.Error("as runs it is another arena")
	}
}

func TestBadArena(t *testing.T) {
	tests := map[string]struct {
		change func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection
		want   string
	}{
		"no corner":    {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { h.Max = nil; return s }, "header.max is missing"},
		"turned round": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { h.Max.Y = -16; return s }, "header.max is 16 -16 48; each coordinate must be greater"},
		"too large":    {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { h.Max.X = 1 << 22; return s }, "more than the 1048576 cells allowed"},
		"misaligned":   {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { h.Max.Y = 17; return s }, "multiple of 16"},
		"no palette":   {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { h.Palette = nil; return s }, "header.palette has 0 blocks"},
		"nameless":     {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { h.Palette[1].Name = ""; return s }, "header.palette[1].name of a block is empty"},
		"bad box": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection {
			h.Palette[0].Boxes[0].Y1 = 17
			return s
		}, "header.palette[0].boxes[0].y1 is 17; it must be 0 to 16"},
		"bad index":    {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { s[1].Palette[0] = 70000; return s }, "sections[1].palette[0] is 70000; the header's palette has"},
		"twice":        {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { s[1].At = s[0].At; return s }, "is given twice"},
		"one missing":  {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { return s[:1] }, "sections lack the one at"},
		"one too many": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection { return append(s, s[0]) }, "sections are 3; the bounds have room for 2"},
		"short indices": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection {
			s[1].Indices = s[1].Indices[:9]
			return s
		}, "sections[1].indices (the section at"},
		"both": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection {
			s[1].Runs = []uint32{4096, 0}
			return s
		}, "sections[1].runs are given beside indices"},
		"odd runs": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection {
			s[1].Indices, s[1].Runs = nil, []uint32{4096}
			return s
		}, "they come in pairs"},
		"short runs": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection {
			s[1].Indices, s[1].Runs = nil, []uint32{4095, 0}
			return s
		}, "cover 4095 cells; a section has 4096"},
		"long runs": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection {
			s[1].Indices, s[1].Runs = nil, []uint32{4000, 0, 1 << 31, 1}
			return s
		}, "sections[1].runs[2] is 2147483648; only 96 cells are left"},
		"run of nothing": {func(h *pb.ArenaHeader, s []*pb.ArenaSection) []*pb.ArenaSection {
			s[1].Indices, s[1].Runs = nil, []uint32{4096, 99}
			return s
		}, "sections[1].runs[1] is 99; the section's palette has"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			header, sections := Arena(room(t))
			sections = tt.change(header, sections)
			u, err := NewUpload(header, 1<<20)
			if err == nil {
				err = u.Add(sections)
			}
			if err == nil {
				_, err = u.Build()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v; want %q", err, tt.want)
			}
			if _, ok := err.(*FieldError); !ok {
				t.Errorf("%T is no *FieldError", err)
			}
		})
	}
}

func TestHostPose(t *testing.T) {
	host := func(x, y, z float64, yaw, pitch float64) *pb.PoseInput {
		return &pb.PoseInput{Pose: &pb.PoseInput_Host{Host: &pb.HostPose{
			X: x, Y: y, Z: z, Facing: &pb.HostPose_Angles{Angles: &pb.HostAngles{YawDeg: yaw, PitchDeg: pitch}},
		}}}
	}
	vector := func(x, y, z float64) *pb.PoseInput {
		return &pb.PoseInput{Pose: &pb.PoseInput_Host{Host: &pb.HostPose{Facing: &pb.HostPose_Look{Look: &pb.HostLook{X: x, Y: y, Z: z}}}}}
	}
	good := map[string]struct {
		in   *pb.PoseInput
		want voxel.Pose
	}{
		"south":            {host(0.5, 64, -0.5, 0, 0), voxel.Pose{At: voxel.Point{X: 128, Y: 64 * 256, Z: -128}, Look: voxel.Look{Z: 16384}}},
		"west":             {host(0, 0, 0, 90, 0), voxel.Pose{Look: voxel.Look{X: -16384}}},
		"north, wrapped":   {host(0, 0, 0, -540, 0), voxel.Pose{Look: voxel.Look{Z: -16384}}},
		"east":             {host(0, 0, 0, 270, 0), voxel.Pose{Look: voxel.Look{X: 16384}}},
		"down":             {host(0, 0, 0, 45, 90), voxel.Pose{Look: voxel.Look{Y: -16384}}},
		"up, slanting":     {host(0, 0, 0, 0, -45), voxel.Pose{Look: voxel.Look{Y: 11585, Z: 11585}}},
		"halves go up":     {host(1.0/512, -1.0/512, 3.0/512, 0, 0), voxel.Pose{At: voxel.Point{X: 1, Y: 0, Z: 2}, Look: voxel.Look{Z: 16384}}},
		"any length":       {vector(3e200, 0, 4e200), voxel.Pose{Look: voxel.Look{X: 9830, Z: 13107}}},
		"tiny":             {vector(0, -5e-324, 0), voxel.Pose{Look: voxel.Look{Y: -16384}}},
		"exact, no stance": {&pb.PoseInput{Pose: &pb.PoseInput_Exact{Exact: &pb.Pose{At: &pb.Point{X: 7}, Look: &pb.Look{X: 1}}}}, voxel.Pose{At: voxel.Point{X: 7}, Look: voxel.Look{X: 1}}},
	}
	for name, tt := range good {
		got, err := FromPoseInput(pass(t, tt.in))
		if err != nil || got != tt.want {
			t.Errorf("%s: got %+v, %v; want %+v", name, got, err, tt.want)
		}
	}
	bad := map[string]struct {
		in   *pb.PoseInput
		want string
	}{
		"none":          {&pb.PoseInput{}, "pose is not given; exact or host is needed"},
		"nothing":       {nil, "pose is missing"},
		"NaN":           {host(math.NaN(), 0, 0, 0, 0), "pose.host.x is NaN"},
		"infinite":      {host(0, math.Inf(1), 0, 0, 0), "pose.host.y is +Inf"},
		"far":           {host(0, 0, 5e6, 0, 0), "pose.host.z is 5e+06"},
		"pitch":         {host(0, 0, 0, 0, 91), "pose.host.angles.pitch_deg is 91; it must be -90 (up) to 90 (down)"},
		"yaw":           {host(0, 0, 0, math.Inf(-1), 0), "pose.host.angles.yaw_deg is -Inf"},
		"zero look":     {vector(0, 0, 0), "pose.host.look is the zero vector"},
		"NaN look":      {vector(0, math.NaN(), 0), "pose.host.look.y is NaN"},
		"no facing":     {&pb.PoseInput{Pose: &pb.PoseInput_Host{Host: &pb.HostPose{}}}, "pose.host.facing is not given"},
		"no look":       {&pb.PoseInput{Pose: &pb.PoseInput_Exact{Exact: &pb.Pose{At: &pb.Point{}}}}, "pose.look is the zero vector"},
		"exact and far": {&pb.PoseInput{Pose: &pb.PoseInput_Exact{Exact: &pb.Pose{At: &pb.Point{X: 1<<31 - 1}, Look: &pb.Look{X: 1}}}}, "pose.exact.at.x is 2147483647"},
		"posture":       {&pb.PoseInput{Pose: &pb.PoseInput_Exact{Exact: &pb.Pose{At: &pb.Point{}, Look: &pb.Look{X: 1}, Posture: 9}}}, "pose.exact.posture is 9"},
	}
	for name, tt := range bad {
		if _, err := FromPoseInput(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v; want %q", name, err, tt.want)
		}
	}
}

func TestExport(t *testing.T) {
	records := []*pb.ExportRecord{
		{Record: &pb.ExportRecord_Header{Header: &pb.ExportHeader{Format: 1, BattleId: "b"}}},
		{Record: &pb.ExportRecord_Commit{Commit: &pb.ExportCommit{Version: 1, Data: []byte{1, 2}}}},
		{Record: &pb.ExportRecord_End{End: &pb.ExportEnd{Commits: 1}}},
	}
	var file bytes.Buffer
	write, err := WriteExport(&file)
	if err != nil {
		t.Fatal(err)
	}
	var ends []int
	for _, m := range records {
		if err := write(m); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, file.Len())
	}
	readAll := func(data []byte) (n int, err error) {
		read, err := ReadExport(bytes.NewReader(data))
		if err != nil {
			return 0, err
		}
		for {
			m, err := read()
			if err == io.EOF {
				return n, nil
			}
			if err != nil {
				return n, err
			}
			if !proto.Equal(m, records[n]) {
				t.Errorf("record %d did not survive", n)
			}
			n++
		}
	}
	if n, err := readAll(file.Bytes()); n != len(records) || err != nil {
		t.Fatalf("read %d records, %v", n, err)
	}
	for cut := range file.Len() {
		if n, err := readAll(file.Bytes()[:cut]); err == nil {
			t.Errorf("cut off behind %d bytes it passes with %d records", cut, n)
		}
	}
	if _, err := readAll(append(file.Bytes(), file.Bytes()[ends[0]:ends[1]]...)); err == nil {
		t.Error("a record behind the end passes")
	}
	if _, err := readAll([]byte("PK\x03\x04 something else altogether")); err == nil || !strings.Contains(err.Error(), "this is no exported battle") {
		t.Errorf("got %v", err)
	}
}
