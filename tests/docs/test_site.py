"""The site: every page has a place in its navigation, and links lead to pages of it."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml
from mkdocs.config import load_config
from mkdocs.structure.files import File, Files, set_exclusions
from mkdocs.structure.pages import Page
from pathspec import GitIgnoreSpec
from repository import ROOT

from tools.site import sources
from tools.site.__main__ import declared_version, list_versions, missing
from tools.site.hooks import on_page_markdown

DOCS = ROOT / "docs"


class Loader(yaml.SafeLoader):
    """Reads names of Python objects as text."""


Loader.add_multi_constructor("tag:yaml.org,2002:python/name:", lambda loader, suffix, node: suffix)


def pages_of(entries: list[Any]) -> list[str]:
    found: list[str] = []
    for entry in entries:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            found += pages_of(value) if isinstance(value, list) else [value]
    return found


def test_every_page_is_in_the_navigation_once_or_left_out_of_it() -> None:
    config = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)
    named = pages_of(config["nav"])
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    left_out = set(GitIgnoreSpec.from_lines(config["not_in_nav"].splitlines()).match_files(pages))
    assert sorted(named) == sorted(set(pages) - left_out), "pages and `nav` of mkdocs.yml differ"
    assert config["strict"] is True


@pytest.mark.parametrize(
    ("uri", "found"),
    [
        ("start.md", True),
        ("chocofactory/rules.md", True),
        ("repository/training/ppo.py.md", False),
        ("schoko/clauses.md", False),
        ("schoko/logs/tuning.md", False),
    ],
)
def test_the_search_finds_what_is_in_the_navigation(uri: str, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    config = load_config(str(ROOT / "mkdocs.yml"))
    file = File(uri, None, config.site_dir, use_directory_urls=True)
    set_exclusions([file], config)
    page = Page(None, file, config)
    on_page_markdown("", page, config, Files([file]))
    assert ("search" not in page.meta) == found


@pytest.mark.parametrize(
    ("file", "address"),
    [
        ("docs/chocofactory/rules.md", "chocofactory/rules.md"),
        ("docs/images/position.svg", "images/position.svg"),
        ("docs/libraries/torchrl_solo.py", "repository/docs/libraries/torchrl_solo.py.md"),
        ("CHANGELOG.md", "repository/CHANGELOG.md"),
        ("agents", "repository/agents/index.md"),
    ],
)
def test_a_file_of_the_repository_has_an_address(file: str, address: str) -> None:
    assert sources.address(PurePosixPath(file)).as_posix() == address


def test_links_are_those_of_the_site_but_not_in_code() -> None:
    text = "[a](../training/ppo.py) [b](agents.md#expert) [c](https://x.org) [d](#here)\n```\n[e](../README.md)\n```\n"
    assert sources.with_links_of_the_site(text, PurePosixPath("docs/training.md")) == (
        "[a](repository/training/ppo.py.md) [b](agents.md#expert) [c](https://x.org) [d](#here)\n"
        "```\n[e](../README.md)\n```\n"
    )


def test_a_file_with_fences_is_shown_in_a_longer_fence() -> None:
    shown = sources.text_of(PurePosixPath("tools/site/sources.py"))
    fence = re.search(r"^(`+)python$", shown, re.MULTILINE)
    assert fence is not None
    assert shown.rstrip().endswith(fence[1])
    assert len(fence[1]) > max(map(len, re.findall(r"`+", shown[fence.end() :].rstrip()[: -len(fence[1])])))


def test_a_file_that_is_no_text_is_not_shown() -> None:
    assert "(not a text)" in sources.text_of(PurePosixPath("chocofactory_env/drawing/data/Inter-Bold.ttf"))


def test_a_notebook_is_a_page_with_its_pictures() -> None:
    shown = sources.text_of(PurePosixPath("notebooks/2_solo_win_rates.ipynb"))
    assert "```python" in shown
    assert 'src="data:image/png;base64,' in shown


def test_lists_are_written_for_python_markdown() -> None:
    hooks = pytest.importorskip("tools.site.hooks", reason="needs MkDocs: pip install --group docs")
    text = "Words:\n- one\n  - two\n\n```\n  as it is\n```\n"
    assert hooks.as_python_markdown(text) == "Words:\n\n- one\n    - two\n\n```\n  as it is\n```\n"
    assert hooks.slug("What is *given* – `learned` & more?", "-") == "what-is-given--learned--more"


def test_versions_are_listed_newest_first(tmp_path: Path) -> None:
    for version in ("0.9.0", "0.10.0", "dev"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").touch()
    assert list_versions(tmp_path) == ["0.10.0", "0.9.0", "dev"]
    listed = json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))
    assert [each["version"] for each in listed] == ["0.10.0", "0.9.0", "dev"]
    assert "0; url=0.10.0/" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_version_is_the_declared_one() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", declared_version())


def test_files_that_pages_ask_for_and_that_are_not_there_are_named(tmp_path: Path) -> None:
    page = tmp_path / "play" / "index.html"
    page.parent.mkdir()
    page.write_text(
        '<img src="images/a.png"><img src="../b.png"><a href="../?q=1#x">b</a><a href="https://c.org/d">d</a>'
    )
    (tmp_path / "index.html").write_text('<a href="play/">p</a><script src="b.png?1"></script>')
    (tmp_path / "b.png").write_bytes(b"")
    assert missing(tmp_path) == ["play/index.html: images/a.png"]
