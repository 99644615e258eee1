"""The figures of a report, each a function from what was found to SVG."""

from atlas_rag.tuning.report.charts.learning import learning_chart
from atlas_rag.tuning.report.charts.ternary import ternary_chart
from atlas_rag.tuning.report.charts.tradeoff import tradeoff_chart
from atlas_rag.tuning.report.charts.weight_curve import weight_curve
from atlas_rag.tuning.report.charts.win_loss import win_loss_chart

__all__ = [
    "learning_chart",
    "ternary_chart",
    "tradeoff_chart",
    "weight_curve",
    "win_loss_chart",
]
