"""MkDocs hooks for building the site: `hooks` in `mkdocs.yml`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from mkdocs.structure.files import File, Files

from .. import ROOT
from . import sources


def on_files(files: Files, config: Any) -> Files:
    """Add the repository files that pages link to."""
    for path in sources.linked_files():
        uri = sources.address(path).as_posix()
        if path.suffix in sources.PICTURES:
            content: str | bytes = (ROOT / path).read_bytes()
        else:
            content = sources.text_of(path)
        files.append(File.generated(config, uri, content=content))
    _path_of_address.update({sources.address(path).as_posix(): path for path in sources.linked_files()})
    return files


_path_of_address: dict[str, PurePosixPath] = {}


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Adapt a page to Python-Markdown, with links to pages of the site."""
    uri = page.file.src_uri
    if not page.file.inclusion.is_in_nav():  # repository files, logs, and long lists
        page.meta["search"] = {"exclude": True}
    path = _path_of_address.get(uri, PurePosixPath(sources.DOCS, uri))
    return as_python_markdown(sources.with_links_of_the_site(markdown, path))


def as_python_markdown(text: str) -> str:
    """Adapt lists: Python-Markdown needs four columns for nested lists, and a blank line before a list."""
    return "".join(piece if fenced else _lists(piece) for fenced, piece in sources.pieces(text))


ITEM = re.compile(r" *([-*]|\d+\.) ")


def _lists(text: str) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        if ITEM.match(line) and before.strip() and not ITEM.match(before) and not before.startswith(" "):
            lines.append("")
        lines.append(" " * (len(line) - len(line.lstrip(" "))) + line)
    return "\n".join(lines)


def slug(heading: str, separator: str) -> str:
    """The anchor of a heading in repository browsers, so that one link serves both."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)
