"""Which weights? Judgments, collection, exact optimum, honest selection, report.

data/        queries, judgments, collected runs
collect/     asks an engine once per input pipeline
problem/     re-fuses what was collected, bit-equal to the server, at thousands of weightings
measures/    nDCG, RR, recall, hit, AP at a cutoff
optimum/     exact sweep of a line, line ascent, branch-and-bound certificate
statistics/  paired tests, intervals, detectable difference
selection/   rules to choose weights, cross-validated; says when there is no evidence to leave equal ones
diagnosis/   winners and losers, unreachable documents, coverage, gate, score thresholds
report/      weights.json, TREC runs, per-query table, one self-contained HTML file
experiment/  the whole, from a TOML file
"""
