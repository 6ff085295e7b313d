package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"

	pb "autobattle/proto/autobattle/v1"
)

const (
	pxBlock  = 24  // pixels of a block
	pxMargin = 40  // around everything
	pxLine   = 20  // from one line of text to the next
	pxLeast  = 760 // the picture's least width
	around   = 3   // blocks shown around the two
	aside    = 0.9 // how far from the line a block's middle may be to be in the side view
)

// Bodies in blocks, as people have them, standing, crouching and prone; the picture only shows where they are.
const bodyWidth = 0.6

func bodyHeight(p pb.Posture) (height, eye float64) {
	switch p {
	case pb.Posture_POSTURE_CROUCHING:
		return 1.5, 1.27
	case pb.Posture_POSTURE_PRONE:
		return 0.6, 0.4
	}
	return 1.8, 1.62
}

// words are the picture's own texts.
type words struct{ top, side, hidden, points, open, cover, closed, unseen, rays, light, blocks string }

var pictureWords = map[string]words{
	"en": {
		top: "From above", side: "From the side, along the line between the two", hidden: "hides", points: "of %d points",
		open: "No cover", cover: "Cover: half or more is behind what stops shots", closed: "No shot: all of it is behind what stops shots",
		unseen: "Out of sight", rays: "Red: to the blocks that hide. Green: from eye to eye, where some of the other is seen.", light: "Light", blocks: "Distance: %d blocks",
	},
	"ru": {
		top: "Вид сверху", side: "Вид сбоку, вдоль линии между ними", hidden: "закрывает", points: "из %d точек",
		open: "Без укрытия", cover: "Укрытие: половина или больше за тем, что держит выстрел", closed: "Выстрела нет: всё за тем, что держит выстрел",
		unseen: "Вне поля зрения", rays: "Красное: к блокам, которые закрывают. Зелёное: от глаз к глазам, если хоть часть тела видна.", light: "Свет", blocks: "Расстояние, блоков: %d",
	},
}

// picture is a sighting as SVG.
type picture struct {
	w        *world
	from, to *pb.Actor
	seen     *pb.InspectResponse
	say      words
	body     bytes.Buffer
	hiding   map[place]*pb.HidingCell
}

// picture draws what an actor sees of another.
func (a *api) picture(ctx context.Context, battle string, seen *pb.InspectResponse, from, to uint32) ([]byte, error) {
	b, err := a.battle.GetBattle(ctx, &pb.GetBattleRequest{BattleId: battle, PlayerId: a.player, Locale: a.locale})
	if err != nil {
		return nil, err
	}
	find := func(id uint32) *pb.Actor {
		i := slices.IndexFunc(b.GetBattle().GetActors(), func(x *pb.Actor) bool { return x.GetId() == id })
		if i < 0 {
			return nil
		}
		return b.GetBattle().GetActors()[i]
	}
	p := &picture{from: find(from), to: find(to), seen: seen, say: pictureWords["en"], hiding: map[place]*pb.HidingCell{}}
	if p.from.GetPose() == nil || p.to.GetPose() == nil {
		return nil, fmt.Errorf("actors %d and %d: one of them is nowhere to be seen, and cannot be drawn", from, to)
	}
	if s, ok := pictureWords[a.locale]; ok {
		p.say = s
	}
	if p.w, err = a.world(ctx, battle, b.GetBattle().GetBlocks()); err != nil {
		return nil, err
	}
	return p.draw(), nil
}

// point is a place in blocks.
type point [3]float64

func feet(a *pb.Actor) point {
	at := a.GetPose().GetAt()
	return point{float64(at.GetX()) / 256, float64(at.GetY()) / 256, float64(at.GetZ()) / 256}
}

func eye(a *pb.Actor) point {
	p := feet(a)
	_, e := bodyHeight(a.GetPose().GetPosture())
	p[1] += e
	return p
}

func middle(at place) point {
	return point{float64(at[0]) + .5, float64(at[1]) + .5, float64(at[2]) + .5}
}

// escape is text as XML has it.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

func (p *picture) text(x, y float64, size int, fill, s string) {
	fmt.Fprintf(&p.body, `<text x="%.1f" y="%.1f" font-size="%d" fill="%s">%s</text>`+"\n", x, y, size, fill, escape(s))
}

func (p *picture) rect(x, y, w, h float64, style, title string) {
	fmt.Fprintf(&p.body, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" %s><title>%s</title></rect>`+"\n", x, y, w, h, style, escape(title))
}

func (p *picture) line(x0, y0, x1, y1 float64, style string) {
	fmt.Fprintf(&p.body, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>`+"\n", x0, y0, x1, y1, style)
}

// style is how a block is drawn: red where it hides; pale where it can be seen through.
func (p *picture) style(at place, b *pb.Block) string {
	stroke := `stroke="#8a8f98" stroke-width="0.5"`
	if p.hiding[at] != nil {
		return `fill="#e4572e" fill-opacity="0.75" stroke="#9c2f12" stroke-width="2"`
	}
	switch {
	case b.GetMedium() == pb.Medium_MEDIUM_LIQUID:
		return `fill="#9cc9ee" fill-opacity="0.6" ` + stroke
	case b.GetEmits() > 0:
		return `fill="#ffd75e" ` + stroke
	case b.GetSight() == pb.Sight_SIGHT_DIM:
		return `fill="#9ec99a" fill-opacity="0.7" ` + stroke
	case b.GetSight() != pb.Sight_SIGHT_OPAQUE:
		return `fill="#cfe8f3" fill-opacity="0.5" ` + stroke
	}
	return `fill="#b9bec6" ` + stroke
}

// draw makes the picture.
func (p *picture) draw() []byte {
	for _, h := range p.seen.GetSighting().GetHiding() {
		p.hiding[placeOf(h.GetAt())] = h
	}
	a, b := eye(p.from), eye(p.to)
	// The part of the arena that is shown.
	lo := place{math.MaxInt32, math.MaxInt32, math.MaxInt32}
	hi := place{math.MinInt32, math.MinInt32, math.MinInt32}
	include := func(x point) {
		for i := range x {
			lo[i], hi[i] = min(lo[i], int32(math.Floor(x[i]))), max(hi[i], int32(math.Floor(x[i])))
		}
	}
	for _, x := range []point{feet(p.from), feet(p.to), a, b} {
		include(x)
	}
	for at := range p.hiding {
		include(middle(at))
	}
	lo = place{lo[0] - around, lo[1] - 1, lo[2] - around}
	hi = place{hi[0] + around, hi[1] + 2, hi[2] + around}
	y := float64(pxMargin)
	y = p.heading(y)
	width, y := p.top(lo, hi, a, b, y+pxLine)
	wide, y := p.side(lo, hi, a, b, y+pxLine)
	y = p.legend(y + pxLine)
	var out bytes.Buffer
	out.WriteString(xml.Header)
	w := max(width, wide, pxLeast)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="sans-serif">`+"\n", w, y+pxMargin, w, y+pxMargin)
	out.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	out.Write(p.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// heading writes who looks at whom, and what it means.
func (p *picture) heading(y float64) float64 {
	s := p.seen.GetSighting()
	p.text(pxMargin, y, 20, "#111111", p.from.GetName()+" → "+p.to.GetName())
	verdict := p.say.open
	switch {
	case !p.seen.GetOpen():
		verdict = p.say.closed
	case p.seen.GetCovered():
		verdict = p.say.cover
	}
	if !p.seen.GetVisible() {
		verdict += ". " + p.say.unseen
	}
	texts := []string{fmt.Sprintf(p.say.blocks, s.GetDistance()), verdict}
	light := fmt.Sprintf("%s: %d / %d", p.say.light, s.GetLight().GetBlock(), s.GetLight().GetSky())
	if p.seen.GetLightBand() != "" {
		light += ", " + p.seen.GetLightBand()
	}
	texts = append(texts, light)
	for _, l := range p.seen.GetLines() {
		texts = append(texts, l.GetText())
	}
	for _, t := range texts {
		y += pxLine
		p.text(pxMargin, y, 14, "#333333", t)
	}
	return y
}

// top draws the blocks between the soles and just above the eyes from above, each column by its highest block; and the line.
func (p *picture) top(lo, hi place, a, b point, y float64) (width, below float64) {
	p.text(pxMargin, y, 14, "#111111", p.say.top)
	y += pxLine / 2
	px := func(x, z float64) (float64, float64) {
		return pxMargin + (x-float64(lo[0]))*pxBlock, y + (z-float64(lo[2]))*pxBlock
	}
	w, h := float64(hi[0]-lo[0]+1)*pxBlock, float64(hi[2]-lo[2]+1)*pxBlock
	p.rect(pxMargin, y, w, h, `fill="#f4f2ec" stroke="#444444"`, p.say.top)
	floor, roof := int32(math.Floor(min(feet(p.from)[1], feet(p.to)[1]))), int32(math.Floor(max(a[1], b[1])))
	for z := lo[2]; z <= hi[2]; z++ {
		for x := lo[0]; x <= hi[0]; x++ {
			var at place
			var found *pb.Block
			for v := hi[1]; v >= lo[1]; v-- {
				here := place{x, v, z}
				if k := p.w.block(here); k != nil && p.shown(here, k) && (p.hiding[here] != nil || found == nil && v >= floor && v <= roof) {
					at, found = here, k
					if p.hiding[here] != nil {
						break
					}
				}
			}
			if found == nil {
				continue
			}
			for _, box := range shape(found) {
				u, v := px(float64(x)+box[0], float64(z)+box[2])
				p.rect(u, v, (box[3]-box[0])*pxBlock, (box[5]-box[2])*pxBlock, p.style(at, found), label(found, at))
			}
		}
	}
	p.rays(a, b, func(x point) (float64, float64) { return px(x[0], x[2]) })
	for i, who := range []*pb.Actor{p.from, p.to} {
		f := feet(who)
		u, v := px(f[0], f[2])
		p.rect(u-bodyWidth/2*pxBlock, v-bodyWidth/2*pxBlock, bodyWidth*pxBlock, bodyWidth*pxBlock, bodyStyle(i), who.GetName())
		if look := who.GetPose().GetLook(); look.GetX() != 0 || look.GetZ() != 0 {
			n := math.Hypot(float64(look.GetX()), float64(look.GetZ()))
			p.line(u, v, u+float64(look.GetX())/n*pxBlock, v+float64(look.GetZ())/n*pxBlock, `stroke="#222222" stroke-width="2"`)
		}
		p.text(u+10, v-10, 13, "#111111", who.GetName())
	}
	return w + 2*pxMargin, y + h
}

// side draws what stands in the upright plane through both eyes.
func (p *picture) side(lo, hi place, a, b point, y float64) (width, below float64) {
	y += pxLine / 2
	p.text(pxMargin, y, 14, "#111111", p.say.side)
	y += pxLine / 2
	dx, dz := b[0]-a[0], b[2]-a[2]
	n := math.Hypot(dx, dz)
	if n == 0 {
		dx, n = 1, 1
	}
	dx, dz = dx/n, dz/n
	along := func(x point) float64 { return (x[0]-a[0])*dx + (x[2]-a[2])*dz }
	first, last := 0.0, along(b)
	for at := range p.hiding {
		first, last = min(first, along(middle(at))), max(last, along(middle(at)))
	}
	first, last = first-around, last+around
	px := func(s, v float64) (float64, float64) {
		return pxMargin + (s-first)*pxBlock, y + (float64(hi[1]+1)-v)*pxBlock
	}
	w, h := (last-first)*pxBlock, float64(hi[1]-lo[1]+1)*pxBlock
	p.rect(pxMargin, y, w, h, `fill="#eef4fa" stroke="#444444"`, p.say.side)
	for v := lo[1]; v <= hi[1]; v++ {
		for z := lo[2]; z <= hi[2]; z++ {
			for x := lo[0]; x <= hi[0]; x++ {
				at := place{x, v, z}
				k := p.w.block(at)
				m := middle(at)
				off := math.Abs((m[0]-a[0])*dz - (m[2]-a[2])*dx)
				if k == nil || !p.shown(at, k) || off > aside && p.hiding[at] == nil {
					continue
				}
				for _, box := range shape(k) {
					s0, s1 := math.Inf(1), math.Inf(-1)
					for _, c := range [][2]float64{{box[0], box[2]}, {box[0], box[5]}, {box[3], box[2]}, {box[3], box[5]}} {
						s := along(point{float64(x) + c[0], 0, float64(z) + c[1]})
						s0, s1 = min(s0, s), max(s1, s)
					}
					if s0, s1 = max(s0, first), min(s1, last); s0 >= s1 {
						continue
					}
					u, t := px(s0, float64(v)+box[4])
					p.rect(u, t, (s1-s0)*pxBlock, (box[4]-box[1])*pxBlock, p.style(at, k), label(k, at))
				}
			}
		}
	}
	for i, who := range []*pb.Actor{p.from, p.to} {
		f := feet(who)
		tall, _ := bodyHeight(who.GetPose().GetPosture())
		u, t := px(along(f)-bodyWidth/2, f[1]+tall)
		p.rect(u, t, bodyWidth*pxBlock, tall*pxBlock, bodyStyle(i), who.GetName())
		p.text(u, t-6, 13, "#111111", who.GetName())
	}
	p.rays(a, b, func(x point) (float64, float64) { return px(along(x), x[1]) })
	return w + 2*pxMargin, y + h
}

// rays draws the line from eye to eye where anything is seen, and one to each block that hides, the thicker the more it hides; and the eyes.
func (p *picture) rays(a, b point, px func(point) (float64, float64)) {
	u, v := px(a)
	x, y := px(b)
	s := p.seen.GetSighting()
	if p.seen.GetVisible() {
		p.line(u, v, x, y, `stroke="#2e8b57" stroke-width="1.5"`)
	}
	for _, h := range s.GetHiding() {
		hx, hy := px(middle(placeOf(h.GetAt())))
		p.line(u, v, hx, hy, fmt.Sprintf(`stroke="#c0392b" stroke-dasharray="5 3" stroke-width="%.1f"`, 1+3*float64(h.GetCount())/float64(max(s.GetSamples(), 1))))
	}
	fmt.Fprintf(&p.body, `<circle cx="%.1f" cy="%.1f" r="3.5"/><circle cx="%.1f" cy="%.1f" r="3.5"/>`+"\n", u, v, x, y)
}

// legend names the blocks that hide, and says what the colours are.
func (p *picture) legend(y float64) float64 {
	s := p.seen.GetSighting()
	for _, h := range s.GetHiding() {
		y += pxLine
		p.text(pxMargin, y, 14, "#9c2f12", fmt.Sprintf("%s (%s) %s %d "+p.say.points, h.GetName(), cellText(h.GetAt()), p.say.hidden, h.GetCount(), s.GetSamples()))
	}
	p.text(pxMargin, y+pxLine, 12, "#555555", p.say.rays)
	return y + pxLine
}

func cellText(c *pb.Cell) string { return fmt.Sprintf("%d,%d,%d", c.GetX(), c.GetY(), c.GetZ()) }

func label(b *pb.Block, at place) string {
	return fmt.Sprintf("%s %d,%d,%d", b.GetName(), at[0], at[1], at[2])
}

func bodyStyle(i int) string {
	return [...]string{`fill="#3b6fb6" fill-opacity="0.8" stroke="#1d3c66"`, `fill="#8e44ad" fill-opacity="0.8" stroke="#4a235a"`}[i]
}

// shown says whether there is anything of a block to be drawn.
func (p *picture) shown(at place, b *pb.Block) bool {
	return len(b.GetBoxes()) > 0 || p.hiding[at] != nil || b.GetSight() > pb.Sight_SIGHT_CLEAR || b.GetMedium() > pb.Medium_MEDIUM_AIR
}

// shape is the boxes of a block, in blocks; one without boxes fills its cell.
func shape(b *pb.Block) (out [][6]float64) {
	for _, x := range b.GetBoxes() {
		out = append(out, [6]float64{float64(x.GetX0()) / 16, float64(x.GetY0()) / 16, float64(x.GetZ0()) / 16, float64(x.GetX1()) / 16, float64(x.GetY1()) / 16, float64(x.GetZ1()) / 16})
	}
	if len(out) == 0 {
		out = append(out, [6]float64{0, 0, 0, 1, 1, 1})
	}
	return out
}
