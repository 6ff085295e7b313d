package wire

import (
	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

// Forecast makes the message of a forecast. Labels and texts are the caller's to add.
func Forecast(in *engine.Intent, v *engine.Forecast) *pb.Forecast {
	return &pb.Forecast{
		Intent: Intent(in),
		Outcomes: each(v.Outcomes, func(m *pb.ForecastOutcome, v *engine.Likelihood) {
			m.Lane, m.Target, m.Outcome, m.Grade = v.Lane, someTarget(&v.Target), string(v.Outcome), string(v.Grade)
			m.ChancePpm, m.Chance = uint32(v.Chance.PPM()), v.Chance.String()
		}),
		Rolls:   each(v.Rolls, fillRoll),
		Tallies: each(v.Tallies, fillTally),
		Assumptions: each(v.Assumed, func(m *pb.Assumption, v *engine.Assumption) {
			m.Whose, m.Kind, m.Ask, m.Intents = uint32(v.Whose), same[pb.PromptKind](v.Kind), string(v.Ask), Intents(v.Intents)
		}),
		Ways: uint32(v.Ways),
	}
}

// Refused makes the message of a forecast of an intent that is not legal.
func Refused(in *engine.Intent, why *engine.Rejection) *pb.Forecast {
	return &pb.Forecast{Intent: Intent(in), Refusal: Refusal(why)}
}

// FromAssumptions reads the answers that a forecast is to suppose.
func FromAssumptions(ms []*pb.Assumption) ([]engine.Assumption, error) {
	r := reader{}
	v := list(&r, "assumptions", ms, func(r *reader, m *pb.Assumption) engine.Assumption {
		return engine.Assumption{
			Whose: engine.ActorID(m.Whose), Kind: given(r, "kind", plain(r, "kind", m.Kind, lastPromptKind)),
			Ask: engine.AskName(m.Ask), Intents: list(r, "intents", m.Intents, (*reader).intent),
		}
	})
	return v, r.done()
}
