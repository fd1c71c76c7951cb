"""The links of a page of Markdown, and which of them lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path

CODE = re.compile(r"```.*?```", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def heading_anchor(heading: str) -> str:
    """As GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors_of(page: Path) -> set[str]:
    """The headings of a page, and the names of the reference."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    headings = {heading_anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    return headings | set(re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE))


def lost_links(page: Path) -> list[str]:
    """The links that lead to no file, or to a heading that its page does not have."""
    lost = []
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        if "://" in link:
            continue
        if not target.is_file() or (anchor and target.suffix == ".md" and anchor not in anchors_of(target)):
            lost.append(link)
    return lost
