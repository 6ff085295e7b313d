// Package eclipse plays one part of Eclipse Phase's second edition: the opposed attack of percentile dice with armour,
// wounds, initiative, delay and pools. Its rule ids are those of the project's rule catalogue; README.md says what is in
// and has the glossary.
package eclipse
