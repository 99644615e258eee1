"""Just enough SVG: elements, a linear scale with round ticks, and a frame with axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

INK, FAINT, GRID = "#1f2937", "#6b7280", "#e5e7eb"
BLUE, ORANGE, TEAL, PURPLE = "#2563eb", "#ea580c", "#0d9488", "#7c3aed"


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """One element. Underscores in attribute names become hyphens; `content` is markup, see `text`."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def text(x: float, y: float, words: str, **attributes: object) -> str:
    """Words at a place; `anchor` is start, middle or end."""
    style = {"font_size": 12, "fill": INK, **attributes}
    if "anchor" in style:
        style["text_anchor"] = style.pop("anchor")
    return tag("text", escape(words), x=short(x), y=short(y), **style)


def short(number: float) -> str:
    """A coordinate with two decimals at most."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def points(places: Iterable[tuple[float, float]]) -> str:
    """A list of places for polylines and polygons."""
    return " ".join(f"{short(x)},{short(y)}" for x, y in places)


def svg(width: int, height: int, content: Sequence[str], title: str) -> str:
    """A drawing that scales with the page and has a title for screen readers."""
    return tag(
        "svg",
        tag("title", escape(title)) + "".join(content),
        viewBox=f"0 0 {width} {height}",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def round_ticks(low: float, high: float, count: int = 5) -> list[float]:
    """About `count` round numbers from `low` to `high`.

    >>> round_ticks(0.64, 0.73)
    [0.64, 0.66, 0.68, 0.7, 0.72]
    """
    if high <= low:
        return [low]
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * size for size in (1, 2, 5, 10) if power * size >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step)) + 1)
    return [round(place * step, digits) for place in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Frame:
    """A plot area with a linear scale on both axes.

    Args:
        x, y: (low, high) of the data.
        width, height: of the whole drawing, in pixels at its natural size.
        bottom, top: its margins; left and right are fixed.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    width: int = 720
    height: int = 320
    left: int = 64
    right: int = 16
    top: int = 16
    bottom: int = 48

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Pixels of a place in the data."""
        return self.across(x), self.down(y)

    def across(self, x: float) -> float:
        """Pixels from the left."""
        low, high = self.x
        return self.left + (x - low) / ((high - low) or 1.0) * (self.width - self.left - self.right)

    def down(self, y: float) -> float:
        """Pixels from the top."""
        low, high = self.y
        return (
            self.height
            - self.bottom
            - (y - low) / ((high - low) or 1.0) * (self.height - self.top - self.bottom)
        )

    def axes(
        self,
        across: str,
        up: str,
        x_ticks: Sequence[float] | None = None,
        label: Callable[[float], str] = "{:g}".format,
    ) -> list[str]:
        """Grid lines, tick labels and titles of both axes."""
        parts = []
        for value in round_ticks(*self.y):
            y = self.down(value)
            parts.append(
                tag("line", x1=self.left, x2=self.width - self.right, y1=short(y), y2=short(y), stroke=GRID)
            )
            parts.append(text(self.left - 8, y + 4, f"{value:g}", anchor="end", fill=FAINT))
        for value in x_ticks if x_ticks is not None else round_ticks(*self.x, count=10):
            x = self.across(value)
            parts.append(text(x, self.height - self.bottom + 18, label(value), anchor="middle", fill=FAINT))
        middle = (self.left + self.width - self.right) / 2
        parts.append(text(middle, self.height - 8, across, anchor="middle"))
        parts.append(
            text(0, 0, up, anchor="middle", transform=f"translate(14 {self.height / 2 - 16}) rotate(-90)")
        )
        return parts

    def line(self, places: Iterable[tuple[float, float]], colour: str, **attributes: object) -> str:
        """A line through places in the data."""
        style = {"stroke_width": 2, **attributes}
        return tag(
            "polyline", points=points(self.at(x, y) for x, y in places), fill="none", stroke=colour, **style
        )

    def upright(self, x: float, colour: str, **attributes: object) -> str:
        """A vertical line over the whole height."""
        place = short(self.across(x))
        return tag(
            "line", x1=place, x2=place, y1=self.top, y2=self.height - self.bottom, stroke=colour, **attributes
        )

    def level(self, y: float, colour: str, **attributes: object) -> str:
        """A horizontal line over the whole width."""
        place = short(self.down(y))
        return tag(
            "line", x1=self.left, x2=self.width - self.right, y1=place, y2=place, stroke=colour, **attributes
        )


def legend(x: float, y: float, entries: Sequence[tuple[str, str, str]]) -> str:
    """A column of (colour, dash pattern, words)."""
    parts = []
    for row, (colour, dash, words) in enumerate(entries):
        line = y + 18 * row
        parts.append(
            tag(
                "line",
                x1=x,
                x2=x + 22,
                y1=line,
                y2=line,
                stroke=colour,
                stroke_width=2.5,
                stroke_dasharray=dash or "none",
            )
        )
        parts.append(text(x + 28, line + 4, words))
    return "".join(parts)
