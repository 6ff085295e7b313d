package text

import (
	"strings"

	"autobattle/engine"
)

// Refusal is a refusal in a few sentences: what was wrong, what would be right, the blocks in the way, how many cells a
// move may go to, and the rule with its title. b is the battle as the reader knows it; nil: none.
func (r *Renderer) Refusal(b *engine.Battle, no *engine.Rejection) string {
	s := r.scene(b)
	var out strings.Builder
	out.WriteString(s.reason(no))
	if len(no.Cells) > 0 {
		out.WriteString(r.msgs.fill(r.msgs.find("refusal_cells", string(no.Reason)), arg{"cells", s.blocks(no.Cells)}))
	}
	if len(no.Region) > 0 {
		out.WriteString(r.msgs.fill(r.msgs.find("refusal_region"), arg{"n", number(int64(len(no.Region)))}))
	}
	if no.Rule != "" {
		out.WriteString(r.msgs.fill(r.msgs.find("refusal_rule"), arg{"rule", own(string(no.Rule))}, arg{"title", phrase(r.ruleTitle(no.Rule))}))
	}
	return out.String()
}

// reason is the refusal's sentence with all its arguments.
func (s *scene) reason(no *engine.Rejection) string {
	return s.told(s.msgs.find("refusal", string(no.Reason)), "refusal_args", no.Args)
}

// ServerError is the sentence for an error of the server. key is a reason of the schema, with or without
// ERROR_REASON_, in any case: BAD_KEY, bad_key. A key that has no sentence gets the one for an unexplained failure.
func ServerError(l Locale, key string, args ...engine.Arg) string {
	r := For(nil, l)
	s := r.scene(nil)
	key = strings.ToLower(strings.TrimPrefix(key, "ERROR_REASON_"))
	return s.told(r.msgs.find("error", key), "error_args", args)
}
