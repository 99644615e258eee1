"""Compare the in-process engine with the plain reference on random definitions, documents and queries.

    python -m scripts.oracle.generated               # seeds 0 to 249, twenty queries each
    python -m scripts.oracle.generated 1000 2000     # other seeds

Every disagreement is printed with its seed, query and first difference.
"""

from __future__ import annotations

import argparse

from tests.support.search_cases import QUERIES_OF_ONE, differences


def main() -> None:
    """Prints what differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("first", type=int, nargs="?", default=0, help="first seed (default 0)")
    parser.add_argument("last", type=int, nargs="?", default=250, help="one more than the last (default 250)")
    chosen = parser.parse_args()
    found = 0
    for seed in range(chosen.first, chosen.last):
        for each in differences(seed):
            found += 1
            print(each)
    print(f"{(chosen.last - chosen.first) * QUERIES_OF_ONE} queries, {found} differences")


if __name__ == "__main__":
    main()
