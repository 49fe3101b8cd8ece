"""Models that the demo, the end-to-end tests and the benchmarks share: random weights, nothing downloaded."""
