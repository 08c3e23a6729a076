// Package issues reproduces public performance reports: one file per report, named after
// it, which shows in a minute and with numbers what the report says, or that OpenSearch
// does not do it any more.
//
// A scenario's doc comment is its timeline: what the report says, what is set up, what is
// measured, what is claimed. Its claims fail when the effect goes away. What several
// scenarios do is in scenario_test.go; whether multistream is fast enough is not asked
// here but in suites/multistream.
package issues
