#!/usr/bin/env bash
# A deploy job: prove what is there, apply what is wanted, load, prove again. May be killed and run again.
#   ATLAS_RAG_URI=… examples/deploy/deploy.sh shop.notes
set -euo pipefail
cd "$(dirname "$0")"
namespace=${1:?database.collection}

atlas-rag doctor                                                    # this machine, and the way to the deployment
atlas-rag probe "$namespace" --need hybrid                          # 1: it cannot; says what to do next
atlas-rag index plan "$namespace" --recipe notes.toml               # the difference, for the job's log
atlas-rag index apply "$namespace" --recipe notes.toml --create-collection --timeout 900 || {
  atlas-rag index rollback "$namespace"
  exit 1
}
atlas-rag load "$namespace" notes.jsonl --recipe notes.toml         # embeds only what has changed
atlas-rag index check-documents "$namespace" --recipe notes.toml    # what would silently not be found
atlas-rag probe "$namespace" --recipe notes.toml --json             # indexes there, queryable, as needed
atlas-rag search "$namespace" "how long does a refund take" --recipe notes.toml --limit 1
