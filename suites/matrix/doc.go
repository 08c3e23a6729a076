// Package matrix holds several releases or builds of OpenSearch against the gate's claims, one
// after the other, and puts them into one table and one chart.
//
//	make matrix
//	STREAMGATE_VERSIONS=3.1.0,3.8.0,image:mine:1 make matrix
//
// It has the build tag matrix, since it takes some three minutes a release: no other go test
// runs it. Releases that are held against each other in the same rounds are suites/compare's.
package matrix
