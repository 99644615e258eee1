"""What is handed on: weights, runs, a table of queries, and one HTML file that explains them."""

from atlas_rag.tuning.report.context import Context
from atlas_rag.tuning.report.files import write_per_query, write_trec_run, write_weights
from atlas_rag.tuning.report.page import html_report
from atlas_rag.tuning.report.write import write_report

__all__ = ["Context", "html_report", "write_per_query", "write_report", "write_trec_run", "write_weights"]
