package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	pb "autobattle/proto/autobattle/v1"
)

// elements parses a picture, and counts what is in it; all text comes back as one.
func elements(t *testing.T, svg []byte) (count map[string]int, text string) {
	t.Helper()
	count = map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count, text
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			count[x.Name.Local]++
		case xml.CharData:
			text += string(x)
		}
	}
}

// A low wall between two: the picture names the blocks that hide and marks them in both views, and names are escaped.
func TestPictureShowsWhatHides(t *testing.T) {
	stoneWall := &pb.Block{Name: `wall<"&'>`, Boxes: []*pb.Box{whole()}, Sight: pb.Sight_SIGHT_OPAQUE, BulletProof: true}
	w := &world{palette: []*pb.Block{airBlock()}, sections: map[place]*[4096]uint16{{}: {}}, changed: map[place]*pb.Block{{5, 1, 8}: stoneWall, {15, 1, 8}: stoneWall}}
	at := func(id uint32, name string, x int32) *pb.Actor {
		return &pb.Actor{Id: id, Name: name, Pose: &pb.Pose{At: &pb.Point{X: x*256 + 128, Y: 256, Z: 8*256 + 128}, Look: &pb.Look{X: 1}}}
	}
	for _, far := range []int32{10, 1} { // the second: one straight above or in the other's place
		p := &picture{w: w, from: at(1, "Anna & Co", 1), to: at(2, "Boris", far), say: pictureWords["ru"], hiding: map[place]*pb.HidingCell{}, seen: &pb.InspectResponse{
			Visible: true, Open: true, Covered: true, LightBand: "shade", Lines: []*pb.TextLine{{Text: "a < b"}},
			Sighting: &pb.Sighting{Distance: 9, Samples: 64, Hidden: 40, Light: &pb.Light{Block: 7, Sky: 3},
				Hiding: []*pb.HidingCell{{At: &pb.Cell{X: 5, Y: 1, Z: 8}, Name: stoneWall.Name, Count: 40}}},
		}}
		svg := p.draw()
		count, text := elements(t, svg)
		for _, want := range []string{`wall<"&'> (5,1,8) закрывает 40 из 64 точек`, "Anna & Co → Boris", "Укрытие", "Расстояние, блоков: 9", "Свет: 7 / 3, shade", "a < b"} {
			if !strings.Contains(text, want) {
				t.Errorf("the picture does not say %q", want)
			}
		}
		if n := strings.Count(string(svg), `fill="#e4572e"`); n != 2 {
			t.Errorf("%d marked blocks, want one in each view", n)
		}
		if far == 10 && strings.Contains(text, "15,1,8") {
			t.Error("a block outside the part that is shown")
		}
		if count["svg"] != 1 || count["circle"] != 4 || strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "Inf") {
			t.Errorf("elements %v\n%s", count, svg)
		}
	}
}

// A battle on a server is drawn with the blocks that Inspect says hide.
func TestInspectDraws(t *testing.T) {
	s := serve(t, "memory:")
	s.must("demo", "--seed", "7")
	for _, way := range [][2]string{{"1", "5"}, {"5", "1"}} {
		file := s.file("sight.svg")
		first, _, _ := strings.Cut(s.must("--json", "inspect", "demo-7", way[0], way[1], "--svg", file), "\n")
		var r struct {
			Sighting struct{ Hiding []struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(first), &r); err != nil {
			t.Fatal(err)
		}
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, text := elements(t, svg)
		for _, h := range r.Sighting.Hiding {
			if !strings.Contains(text, h.Name+" (") {
				t.Errorf("%v: the picture does not name %q", way, h.Name)
			}
		}
		if !strings.Contains(text, "From above") || !strings.Contains(text, "stone ") {
			t.Errorf("%v: no view with blocks:\n%s", way, text)
		}
	}
}
