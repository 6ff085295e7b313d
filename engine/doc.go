// Package engine decides battles: a battle and a command in, facts out.
//
// It does no I/O, reads no clock, and rolls only the dice it is given. A battle is a log of commits; a commit is one
// accepted command with the facts that came of it. The model (state, facts, frames, prompts, knowledge) is described in
// README.md beside this file.
package engine
