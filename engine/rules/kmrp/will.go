package kmrp

import (
	"slices"

	"autobattle/engine"
)

// What has been bought for one roll (KM-WILL-07): bits of varSpends.
const (
	boughtReroll = 1 << iota
	boughtRaise
)

// askWill asks the roller whether he spends Will on the roll. It asks nobody who has no points or has bought both.
func (r *rules) askWill(s *engine.Scene, f *engine.Frame, roll *engine.Roll) bool {
	b := s.Battle()
	if b.GaugeNow(roll.By.On(), gaugeWill) < 1 || f.Get(varSpends, roll.By) == boughtReroll|boughtRaise {
		return false
	}
	args := make([]engine.Arg, 0, 3)
	args = append(args, engine.Named("purpose", roll.Why), engine.Level("result", int64(roll.Result)))
	if roll.HasAim && roll.Why != whyAttack {
		args = append(args, engine.Level("aim", int64(roll.Aim)))
	}
	s.Ask(engine.Prompt{Whose: roll.By, Kind: engine.PromptSpend, Ask: askRoll, Args: args})
	return true
}

// spend buys a re-roll or a raise for a roll (KM-WILL-02, -03).
func (r *rules) spend(s *engine.Scene, f *engine.Frame, roll *engine.Roll, what engine.ActName) {
	bought := f.Get(varSpends, roll.By)
	s.AddGauge("KM-WILL-01", roll.By.On(), gaugeWill, -1)
	roll.After = slices.Clip(roll.After)
	switch what {
	case actReroll:
		f.Set(varSpends, roll.By, bought|boughtReroll)
		c := casting{v: s.View(), by: roll.By, trait: roll.Base.Trait}
		again(s, roll, s.Battle().Word(optWillKeep) == "best", c.swing())
		s.Revised(*roll, engine.Mod{Name: modReroll, Rule: "KM-WILL-02", Kind: engine.ModLevel})
	case actRaise:
		f.Set(varSpends, roll.By, bought|boughtRaise)
		m := engine.Mod{Name: modWill, Rule: "KM-WILL-03", Kind: engine.ModLevel, Amount: 1}
		roll.After = append(roll.After, m)
		finish(roll)
		s.Revised(*roll, m)
	}
}

// window opens the Will window of a roll that was just made, or goes on at once.
func (r *rules) window(s *engine.Scene, f *engine.Frame, roll *engine.Roll, window, next engine.StepName) {
	if f.Get(varSpends, roll.By) != 0 {
		f.Set(varSpends, roll.By, 0)
	}
	f.Step = window
	if !r.askWill(s, f, roll) {
		f.Step = next
	}
}

// shut plays the answer of a Will window; it opens again while something was bought and something is left to buy.
func (r *rules) shut(s *engine.Scene, f *engine.Frame, roll *engine.Roll, next engine.StepName) {
	if done := s.Take(); len(done) > 0 && len(done[0].Answer) > 0 {
		r.spend(s, f, roll, done[0].Answer[0].Act)
		if r.askWill(s, f, roll) {
			return
		}
	}
	f.Step = next
}

// spendable reports whether an act may be bought at a prompt, or why not.
func (r *rules) spendable(v engine.View, p *engine.Prompt, what engine.ActName) *engine.Rejection {
	f := v.Frame(p.Frame)
	if f == nil {
		return engine.Refuse(engine.ReasonPromptClosed, "KM-WILL-07")
	}
	if p.Ask == askWound {
		if what != actLower {
			return engine.Refuse(engine.ReasonActNotOffered, "KM-WILL-04", engine.Named("act", what))
		}
		return nil
	}
	bought := f.Get(varSpends, p.Whose)
	switch {
	case what == actReroll && bought&boughtReroll == 0, what == actRaise && bought&boughtRaise == 0:
		return nil
	case what == actReroll, what == actRaise:
		return engine.Refuse(engine.ReasonSpent, "KM-WILL-07", engine.Named("act", what))
	}
	return engine.Refuse(engine.ReasonActNotOffered, "KM-WILL-07", engine.Named("act", what))
}

func checkSpend(r *rules, v engine.View, p *engine.Prompt, d *engine.Decide) *engine.Rejection {
	if len(d.Intents) == 0 {
		return nil
	}
	return r.spendable(v, p, d.Intents[0].Act)
}

func offerSpend(r *rules, v engine.View, p *engine.Prompt) []engine.Offer {
	acts := []engine.ActName{actReroll, actRaise}
	if p.Ask == askWound {
		acts = []engine.ActName{actLower}
	}
	cost := []engine.GaugeCost{{Name: gaugeWill, Amount: 1}}
	offers := make([]engine.Offer, 0, len(acts))
	for _, a := range acts {
		offers = append(offers, engine.Offer{Act: a, Cost: cost, No: r.spendable(v, p, a)})
	}
	return offers
}

// rulingActs are the master's answers to a question.
func rulingActs(ask engine.AskName) [2]engine.ActName {
	if ask == askDeath {
		return [2]engine.ActName{actConfirm, actSpare}
	}
	return [2]engine.ActName{actConfirm, actGoOn}
}

func checkRuling(_ *rules, _ engine.View, p *engine.Prompt, d *engine.Decide) *engine.Rejection {
	if len(d.Intents) == 0 {
		return nil
	}
	acts := rulingActs(p.Ask)
	if !slices.Contains(acts[:], d.Intents[0].Act) {
		return engine.Refuse(engine.ReasonActNotOffered, "KM-WND-12", engine.Named("act", d.Intents[0].Act))
	}
	return nil
}

func offerRuling(_ *rules, _ engine.View, p *engine.Prompt) []engine.Offer {
	acts := rulingActs(p.Ask)
	return []engine.Offer{{Act: acts[0]}, {Act: acts[1]}}
}
