package voxel

import (
	"runtime"
	"testing"
	"unsafe"
)

// bytesOf counts what a grid keeps, slice by slice.
func bytesOf(g *grid) int64 {
	n := int64(unsafe.Sizeof(*g)) + int64(len(g.sections))*int64(unsafe.Sizeof(g.sections[0]))
	for _, s := range g.sections {
		n += int64(unsafe.Sizeof(*s)) + int64(cap(s.palette))*2 + int64(cap(s.data))*8 + int64(cap(s.light))
		if s.some != nil {
			n += int64(unsafe.Sizeof(*s.some))
		}
		if s.full != nil {
			n += int64(unsafe.Sizeof(*s.full))
		}
	}
	for i := range g.blocks {
		n += int64(unsafe.Sizeof(g.blocks[i])+unsafe.Sizeof(g.shapes[i])) + int64(len(g.blocks[i].Name)) + int64(cap(g.blocks[i].Boxes))*6
		n += int64(len(g.kinds.keys[i])) + 24
	}
	return n
}

// An arena of 128 × 64 × 128 takes at most 2 MB, with hills and with as many mixed sections as a built map has; a battle's edits add
// little, and what they do not touch is shared.
func TestArenaIsSmall(t *testing.T) {
	const most = 2 << 20
	town := NewBuilder(Pos{}, Pos{8, 4, 8}).Fill(Pos{}, Pos{127, 20, 127}, FullCube("ground"))
	kinds := kindsForTests()
	d := drawer(3)
	for range 700 { // houses, walls, lamps
		p := Pos{d.within(0, 118), d.within(18, 50), d.within(0, 118)}
		k := kinds[1+d.n(int32(len(kinds)-1))]
		town.Fill(p, p.Add(Pos{d.n(9), d.n(6), d.n(2)}), k)
	}
	for name, a := range map[string]*Arena{"hills": hills(t), "town": mustBuild(t, town)} {
		n := bytesOf(&a.grid)
		if n > most {
			t.Errorf("%s takes %d bytes, at most %d are allowed", name, n, most)
		}
		o, err := a.With([]Edit{{At: Pos{64, 22, 64}, Block: Lamp()}})
		if err != nil {
			t.Fatal(err)
		}
		own := int64(len(o.sections)) * int64(unsafe.Sizeof(o.sections[0]))
		for i := range o.sections {
			if o.sections[i] != a.sections[i] {
				own += 4096 + 512 + 512 + 2048
			}
		}
		if own > most/8 {
			t.Errorf("%s: one edit takes %d bytes of its own", name, own)
		}
		t.Logf("%s: %d bytes, an edit %d", name, n, own)
	}
}

// What is counted is what the heap holds.
func TestCountedBytesAreTheHeap(t *testing.T) {
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	arenas := make([]*Arena, 4)
	for i := range arenas {
		arenas[i] = hills(t)
	}
	grew := heap() - before
	counted := int64(0)
	for _, a := range arenas {
		counted += bytesOf(&a.grid)
	}
	if grew > counted*5/4+1<<16 {
		t.Errorf("four arenas grew the heap by %d bytes, counted are %d", grew, counted)
	}
	runtime.KeepAlive(arenas)
}
