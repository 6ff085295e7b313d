// Package enginetest runs scripted battles against a ruleset and prints what happened, one line a fact.
//
// A transcript is a text file of blocks. A block is one command, a line of dashes, the facts it gave, and a blank line:
//
//	# A comment.
//	anna does attack at boris with sword faces + + 0 0
//	----
//	rolled anna attack …
//
// Commands: start; NAME does ACT [at NAME] [with REF,REF] [part P] [about T] [mods A,B] [path X,Y,Z …] [look X,Y,Z] [amount N] [same]; NAME
// declines; master does ACT …; timeup; end. Any may close with "faces …", the script for its dice. Names are actor keys.
package enginetest
