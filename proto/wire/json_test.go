package wire

import (
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// TestJSON reads a call as a caller without a generated client writes it: whole numbers with a point, 64-bit numbers as strings or
// numbers, names in either case.
func TestJSON(t *testing.T) {
	const call = `{
		"battle_id": "duel-1", "commandId": "p1-0007", "playerId": "steve", "expectedVersion": "41", "promptId": 5.0,
		"intents": [{"act": "strike", "targets": [{"ref": {"kind": "REF_KIND_ACTOR", "id": 2}}, {"cell": {"x": 2048.0, "y": 6.4e1}}], "items": [3.0]}],
		"poses": [{"actorId": 1, "pose": {"host": {"x": 10.5, "y": 64, "z": -3.5, "angles": {"yawDeg": 90, "pitchDeg": 0}}}}]
	}`
	m := &pb.ActRequest{}
	if err := protojson.Unmarshal([]byte(call), m); err != nil {
		t.Fatal(err)
	}
	intents, err := FromIntents(m.Intents)
	survives(t, intents, []engine.Intent{{
		Act:     "strike",
		Targets: []engine.Target{{Ref: engine.ActorID(2).On()}, {Cell: voxel.Pos{X: 2048, Y: 64}}},
		Items:   []engine.ItemID{3},
	}}, err)
	poses, err := FromSeenPoses(m.Poses)
	survives(t, poses, []engine.SeenPose{{Actor: 1, Pose: voxel.Pose{
		At: voxel.Point{X: 2688, Y: 16384, Z: -896}, Look: voxel.Look{X: -16384},
	}}}, err)
	if m.ExpectedVersion != 41 || m.PromptId != 5 || m.BattleId != "duel-1" {
		t.Errorf("read %v", m)
	}
}

// TestBadJSON refuses what is no number before it reaches the engine.
func TestBadJSON(t *testing.T) {
	for name, text := range map[string]string{
		"broken cell": `{"targets": [{"cell": {"x": 1.5}}]}`,
		"NaN cell":    `{"targets": [{"cell": {"x": "NaN"}}]}`,
		"word":        `{"items": ["sword"]}`,
		"both":        `{"targets": [{"cell": {}, "ref": {}}]}`,
		"unknown":     `{"act": "strike", "weapon": 3}`,
	} {
		if err := protojson.Unmarshal([]byte(text), &pb.Intent{}); err == nil {
			t.Errorf("%s: %s is taken", name, text)
		}
	}
}
