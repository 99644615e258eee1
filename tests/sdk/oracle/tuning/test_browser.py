"""The report in a real browser: figures stay inside their frames, and nothing is asked of the network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from atlas_rag.tuning.report import write_report
from tests.support.tunings import context, tuned

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

PROBE = """
<script>
document.querySelectorAll("details").forEach(part => { part.open = true; });
const shapes = [...document.querySelectorAll("svg")].map(svg => {
  const box = svg.getBoundingClientRect();
  const inside = [...svg.querySelectorAll("text")].every(text => {
    const words = text.getBoundingClientRect();
    return words.left >= box.left - 1 && words.right <= box.right + 1
      && words.top >= box.top - 1 && words.bottom <= box.bottom + 1;
  });
  return {title: svg.querySelector("title").textContent, width: box.width, height: box.height, inside};
});
const requests = performance.getEntriesByType("resource").length;
const found = {shapes, wide: document.documentElement.scrollWidth, requests};
document.body.innerHTML = "<pre id=found></pre>";
document.getElementById("found").textContent = JSON.stringify(found);
</script>
"""


@pytest.fixture(scope="module")
def chromium() -> str:
    found = next((path for path in map(shutil.which, NAMES) if path), None)
    if found is None:
        reason = "no Chromium here: apt-get install --no-install-recommends chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def browse(chromium: str, profile: Path, *arguments: str) -> str:
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
    command += [f"--user-data-dir={profile}", "--window-size=1000,2600", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 500])
@pytest.mark.parametrize("pipelines", [2, 3])
def test_figures_are_drawn_inside_their_frames(
    chromium: str, tmp_path: Path, pipelines: int, width: int
) -> None:
    tuning = tuned(pipelines)
    page = write_report(tmp_path / "out", tuning, context(tuning))[0]
    probed = tmp_path / "probed.html"
    probed.write_text(
        page.read_text(encoding="utf-8").replace("</body>", PROBE + "</body>"), encoding="utf-8"
    )
    size = f"--window-size={width},2600"
    seen = browse(chromium, tmp_path / "profile", size, "--dump-dom", probed.as_uri())
    found = json.loads(
        seen.split('<pre id="found">')[1].split("</pre>")[0].replace("&gt;", ">").replace("&amp;", "&")
    )
    assert len(found["shapes"]) >= 3
    assert found["wide"] <= width
    assert found["requests"] == 0
    for shape in found["shapes"]:
        assert shape["width"] > 600, shape
        assert shape["height"] > 150, shape
        assert shape["inside"], shape


@pytest.mark.slow
def test_the_page_shows_ink_in_the_colours_of_the_figures(chromium: str, tmp_path: Path) -> None:
    tuning = tuned(2, strengths=(1.2, 2.6), queries=120)
    page = write_report(tmp_path / "out", tuning, context(tuning))[0]
    shot = tmp_path / "shot.png"
    text = page.read_text(encoding="utf-8").replace("<details>", "<details open>")
    page.write_text(text, encoding="utf-8")
    browse(chromium, tmp_path / "profile", "--window-size=1000,4600", f"--screenshot={shot}", page.as_uri())
    colours = {colour: count for count, colour in Image.open(shot).convert("RGB").getcolors(1 << 24)}
    for expected in ((0x25, 0x63, 0xEB), (0xEA, 0x58, 0x0C), (0x1F, 0x29, 0x37)):
        assert colours.get(expected, 0) > 50, expected
