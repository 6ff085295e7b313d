package wire

import (
	"math"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// lookLength is the length of a direction that was made from the numbers of a host.
const lookLength = 1 << 14

// FromPoseInput reads a pose by either convention. It must have a direction and be within the world.
func FromPoseInput(m *pb.PoseInput) (voxel.Pose, error) {
	r := reader{}
	v := need(&r, "pose", m, (*reader).poseInput)
	return v, r.done()
}

// FromSeenPoses reads what a plugin saw.
func FromSeenPoses(ms []*pb.SeenPose) ([]engine.SeenPose, error) {
	r := reader{}
	v := list(&r, "poses", ms, (*reader).seenPose)
	return v, r.done()
}

func (r *reader) seenPose(m *pb.SeenPose) engine.SeenPose {
	if m.ActorId == 0 {
		r.fail("actor_id", "is not given")
	}
	return engine.SeenPose{Actor: engine.ActorID(m.ActorId), Pose: need(r, "pose", m.Pose, (*reader).poseInput)}
}

func (r *reader) poseInput(m *pb.PoseInput) (p voxel.Pose) {
	switch x := m.Pose.(type) {
	case *pb.PoseInput_Exact:
		p = need(r, "exact", x.Exact, (*reader).pose)
	case *pb.PoseInput_Host:
		p = need(r, "host", x.Host, (*reader).hostPose)
	default:
		r.fail("", "is not given; exact or host is needed")
		return p
	}
	if err := p.Validate(); err != nil && r.err == nil {
		bad := err.(*voxel.InvalidError)
		r.fail(bad.Field, "%s", bad.Why)
	}
	return p
}

// hostPose rounds a host's numbers: places to the nearest 1/256 block with halves towards +∞, directions to the nearest vector
// of length lookLength. Products are rounded apart from sums, so that no processor may fuse them.
func (r *reader) hostPose(m *pb.HostPose) voxel.Pose {
	const most = voxel.MaxCoord
	coordinate := func(field string, v float64) int32 {
		if !(v >= -most && v <= most) {
			r.fail(field, "is %g; it must be a number of blocks within ±%d", v, most)
			return 0
		}
		return int32(nearest(float64(v * voxel.Unit)))
	}
	p := voxel.Pose{
		At:      voxel.Point{X: coordinate("x", m.X), Y: coordinate("y", m.Y), Z: coordinate("z", m.Z)},
		Posture: maybe(r, "posture", m.Posture, lastPosture),
	}
	switch x := m.Facing.(type) {
	case *pb.HostPose_Look:
		p.Look = need(r, "look", x.Look, (*reader).hostLook)
	case *pb.HostPose_Angles:
		p.Look = need(r, "angles", x.Angles, (*reader).hostAngles)
	default:
		r.fail("facing", "is not given; look or angles is needed")
	}
	return p
}

func nearest(v float64) float64 { return math.Floor(v + 0.5) }

func (r *reader) hostLook(m *pb.HostLook) voxel.Look {
	for _, part := range [...]struct {
		field string
		v     float64
	}{{"x", m.X}, {"y", m.Y}, {"z", m.Z}} {
		if math.IsNaN(part.v) || math.IsInf(part.v, 0) {
			r.fail(part.field, "is %g; it must be a finite number", part.v)
			return voxel.Look{}
		}
	}
	// The largest part is made 1 first, so that no square overflows or vanishes.
	most := max(math.Abs(m.X), math.Abs(m.Y), math.Abs(m.Z))
	if most == 0 {
		r.fail("", "is the zero vector; a direction is needed")
		return voxel.Look{}
	}
	return unit(m.X/most, m.Y/most, m.Z/most)
}

// unit is the direction of a vector whose largest part is about 1.
func unit(x, y, z float64) voxel.Look {
	length := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	part := func(v float64) int32 { return int32(nearest(float64(v / length * lookLength))) }
	return voxel.Look{X: part(x), Y: part(y), Z: part(z)}
}

func (r *reader) hostAngles(m *pb.HostAngles) voxel.Look {
	const turns = 1e6
	if !(m.YawDeg >= -turns && m.YawDeg <= turns) {
		r.fail("yaw_deg", "is %g; it must be a number of degrees within ±%g", m.YawDeg, turns)
	}
	if !(m.PitchDeg >= -90 && m.PitchDeg <= 90) {
		r.fail("pitch_deg", "is %g; it must be -90 (up) to 90 (down)", m.PitchDeg)
	}
	if r.err != nil {
		return voxel.Look{}
	}
	sinYaw, cosYaw := math.Sincos(float64(math.Mod(m.YawDeg, 360) * (math.Pi / 180)))
	sinPitch, cosPitch := math.Sincos(float64(m.PitchDeg * (math.Pi / 180)))
	return unit(float64(-sinYaw*cosPitch), -sinPitch, float64(cosYaw*cosPitch))
}
