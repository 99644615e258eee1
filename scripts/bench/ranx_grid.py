"""Times ranx's grid search on lists written by `scripts.bench.tuning`; run with a Python that has ranx."""

import json
import sys
import time

from ranx import Qrels, Run, optimize_fusion


def main() -> None:
    """Prints the seconds of processor time of the fastest of three runs (the first one compiles)."""
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    qrels, runs = Qrels(data["qrels"]), [Run(lists) for lists in data["runs"]]
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        optimize_fusion(
            qrels, runs, norm="min-max", method="wsum", metric="ndcg@10", step=0.1, show_progress=False
        )
        seconds.append(time.process_time() - begin)
    print(min(seconds))


if __name__ == "__main__":
    main()
