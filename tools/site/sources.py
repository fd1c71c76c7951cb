"""Addresses and texts of repository files outside `docs/` as pages of the site."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from .. import ROOT

DOCS = "docs"
HOME = "repository"  # the site's folder for files outside docs/
PICTURES = (".svg", ".png")
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".yml": "yaml", ".sh": "sh", ".cff": "yaml"}
LARGEST = 200_000  # limit on a file's bytes

FENCED = re.compile(r"^ *```.*?^ *```[^\n]*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def address(path: PurePosixPath) -> PurePosixPath:
    """The address of a repository file or folder among the site's sources."""
    if path.parts[:1] == (DOCS,) and (path.suffix == ".md" or path.suffix in PICTURES):
        return path.relative_to(DOCS)
    if path.suffix in PICTURES or path.suffix == ".md":
        return HOME / path
    if (ROOT / path).is_dir():
        return HOME / path / "index.md"
    return HOME / path.with_name(f"{path.name}.md")


def target_of(page: PurePosixPath, link: str) -> PurePosixPath | None:
    """The repository file that a page's link points to; None for an address or an anchor."""
    file = link.partition("#")[0]
    if not file or "://" in link or link.startswith("mailto:"):
        return None
    return PurePosixPath(os.path.normpath(page.parent / file))


def pieces(text: str) -> Iterator[tuple[bool, str]]:
    """Split a text, and yield each piece with whether it is a fenced block."""
    end = 0
    for block in FENCED.finditer(text):
        yield False, text[end : block.start()]
        yield True, block.group()
        end = block.end()
    yield False, text[end:]


def with_links_of_the_site(text: str, page: PurePosixPath) -> str:
    """The text of a repository page, with links changed to their targets' addresses on the site."""
    here = address(page).parent

    def moved(found: re.Match[str]) -> str:
        link = found[1]
        target = target_of(page, link)
        if target is None or not (ROOT / target).exists():
            return found[0]  # MkDocs reports broken links
        _, hash_sign, anchor = link.partition("#")
        return f"]({os.path.relpath(address(target), here)}{hash_sign}{anchor})"

    return "".join(piece if fenced else LINK.sub(moved, piece) for fenced, piece in pieces(text))


def links_of(page: PurePosixPath, text: str) -> Iterator[PurePosixPath]:
    """The repository files that a page links to."""
    for fenced, piece in pieces(text):
        for link in [] if fenced else LINK.findall(piece):
            target = target_of(page, link)
            if target is not None and (ROOT / target).exists():
                yield target


@cache
def text_of(path: PurePosixPath) -> str:
    """A repository file or folder as Markdown, with links as in the repository."""
    file = ROOT / path
    if file.is_dir():
        return _folder(path)
    if path.suffix == ".ipynb":
        return _notebook(path)
    text = _written(file)
    if path.suffix == ".md":
        return text
    fence = "`" * (1 + max([2, *(len(run) for run in re.findall(r"`{3,}", text))]))
    return f"# `{path}`\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n{fence}\n"


def linked_files() -> list[PurePosixPath]:
    """The files and folders outside `docs/` that pages lead to, directly or not, and programs inside it."""
    found: dict[PurePosixPath, None] = {}
    waiting = [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in sorted((ROOT / DOCS).rglob("*.md"))]
    while waiting:
        page = waiting.pop()
        for target in links_of(page, text_of(page)):
            if address(target).parts[0] == HOME and target not in found:
                found[target] = None
                if target.suffix not in PICTURES:
                    waiting.append(target)
    return sorted(found)


def _written(file: Path) -> str:
    if file.stat().st_size > LARGEST:
        return "(too large to be shown)"
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return "(not a text)"


def _folder(path: PurePosixPath) -> str:
    hidden = re.compile(r"[._]|.*\.(safetensors|pyc)$")
    entries = sorted(entry for entry in (ROOT / path).iterdir() if not hidden.match(entry.name))
    lines = [f"- [`{entry.name}{'/' if entry.is_dir() else ''}`]({path.name}/{entry.name})" for entry in entries]
    return "\n".join([f"# `{path}/`", "", *lines, ""])


def _notebook(path: PurePosixPath) -> str:
    cells = json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(part for cell in cells for part in _cell(cell)) + "\n"


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "image/png" in data:
            png = base64.b64encode(base64.b64decode("".join(data["image/png"]))).decode()
            yield f'<img alt="What the cell draws" src="data:image/png;base64,{png}">'
        else:
            said = "".join(output.get("text", data.get("text/plain", ""))).rstrip()
            yield f"```text\n{said}\n```"
