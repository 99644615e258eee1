"""The style sheet of a report: system fonts, one column, narrow screens, prints well."""

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f8fafc; color: #1f2937; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 920px; margin: 0 auto; padding: 20px 16px 64px; }
header, details { background: white; border: 1px solid #e5e7eb; border-radius: 8px; margin: 12px 0; }
header { padding: 16px 24px; }
details { padding: 0 24px; }
details[open] { padding-bottom: 16px; }
summary { cursor: pointer; padding: 12px 0; font-weight: 600; font-size: 16px; }
summary small { font-weight: 400; color: #6b7280; margin-left: 8px; }
h1 { font-size: 22px; margin: 4px 0 12px; }
h2 { font-size: 17px; margin: 20px 0 6px; }
.verdict { font-size: 19px; font-weight: 600; border-left: 4px solid #2563eb; padding-left: 12px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 12px; }
.cards { margin: 16px 0; }
.card { background: #f1f5f9; border-radius: 8px; padding: 10px 14px; }
.card b { display: block; font-size: 20px; font-variant-numeric: tabular-nums; }
.card span { color: #4b5563; font-size: 13px; }
.card em { font-style: normal; font-size: 13px; font-weight: 600; text-transform: uppercase; color: #6b7280; }
.losers { padding-left: 20px; margin: 6px 0; }
.losers li { margin: 8px 0; overflow-wrap: anywhere; }
.losers .change { font-variant-numeric: tabular-nums; font-weight: 600; color: #c2410c; margin-right: 6px; }
.losers .change.up { color: #1d4ed8; }
.losers div { color: #4b5563; font-size: 13px; }
.tag { background: #e0e7ff; border-radius: 4px; padding: 0 5px; font-size: 12px; margin-left: 6px; }
.cautions { background: #fff7ed; border-radius: 6px; padding: 10px 12px 10px 30px; }
.wide, figure { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 5px 8px; border-bottom: 1px solid #e5e7eb; vertical-align: top; }
td { min-width: 64px; }
th { background: #f1f5f9; font-weight: 600; }
td:nth-child(2) { min-width: 90px; }
.number { text-align: right; white-space: nowrap; }
figure { margin: 12px 0; }
figcaption { color: #6b7280; font-size: 13px; }
svg { width: 100%; min-width: 620px; height: auto; font-family: system-ui, sans-serif; }
pre { overflow-x: auto; font-size: 12px; background: #f1f5f9; padding: 12px; border-radius: 6px; }
.copy { white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 480px) { header, details { padding-left: 14px; padding-right: 14px; } }
@media print { body { background: white; } header, details { border: none; } }
"""
