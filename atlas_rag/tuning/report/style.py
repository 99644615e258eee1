"""The style sheet of a report: system fonts, one column, prints well."""

STYLE = """
:root { color-scheme: light; }
body { margin: 0; background: #f8fafc; color: #1f2937; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 880px; margin: 0 auto; padding: 24px 16px 64px; }
header, section { background: white; border: 1px solid #e5e7eb; border-radius: 8px; }
header, section { padding: 16px 24px; margin: 16px 0; }
h1 { font-size: 24px; margin: 8px 0; }
h2 { font-size: 18px; margin: 8px 0 12px; }
.verdict { font-size: 17px; font-weight: 600; border-left: 4px solid #2563eb; padding-left: 12px; }
.weights { font-size: 17px; }
.cautions { background: #fff7ed; border-radius: 6px; padding: 10px 12px 10px 30px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 5px 8px; border-bottom: 1px solid #e5e7eb; vertical-align: top; }
th { background: #f1f5f9; font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
figure { margin: 12px 0; }
figcaption { color: #6b7280; font-size: 13px; }
svg { width: 100%; height: auto; font-family: system-ui, sans-serif; }
pre { overflow-x: auto; font-size: 12px; background: #f1f5f9; padding: 12px; border-radius: 6px; }
@media print { body { background: white; } header, section { border: none; break-inside: avoid; } }
"""
