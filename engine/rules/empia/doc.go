// Package empia plays one turn after another of Empia: sealed orders for eight slots, resolved slot by slot on frozen state,
// physical before magical, with hit spans, energy and rest. Its rule ids are those of the project's rule catalogue;
// README.md says what is in and has the glossary.
package empia
