"""Build the site of this version into `build/site`, beside other versions: `python -m tools.site [--dev]`.

Every version is a folder. `versions.json` lists them for the menu, and `index.html` leads to the newest. An earlier
release's folder, restored before building, stays in the menu. Warnings are errors.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from chocofactory_env.core.command import Command

from .. import ROOT

SITE = ROOT / "build" / "site"
INDEX = """<!doctype html>
<meta charset="utf-8">
<title>chocofactory_env</title>
<meta http-equiv="refresh" content="0; url={version}/">
<a href="{version}/">chocofactory_env {version}</a>
"""


def declared_version() -> str:
    """The version of the package, from its only definition."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def order(version: str) -> tuple[int, ...]:
    """The sort key of versions: releases by number, after `dev`."""
    return tuple(int(number) for number in re.findall(r"\d+", version))


def list_versions(site: Path) -> list[str]:
    """Write the menu of the versions in `site`, newest first, and the page that leads to the newest."""
    versions = sorted((page.parent.name for page in site.glob("*/index.html")), key=order, reverse=True)
    entries = [{"version": version, "title": version, "aliases": []} for version in versions]
    (site / "versions.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    (site / "index.html").write_text(INDEX.format(version=versions[0]), encoding="utf-8")
    return versions


def build(site: Path, version: str) -> None:
    """Build the pages into `site/version`.

    Raises:
        mkdocs.exceptions.Abort: a warning, such as of a broken link or an unreachable page.
    """
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's advertisement for another generator
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config

    target = site / version
    shutil.rmtree(target, ignore_errors=True)
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(target), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build_site(config)
    finally:
        config.plugins.on_shutdown()


class Targets(HTMLParser):
    """The targets that a page shows or links to, as written."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("src", "href") and value]


def missing(folder: Path) -> list[str]:
    """Missing files that pages refer to, with the page; needed since MkDocs does not check raw HTML."""
    found = []
    for page in sorted(folder.rglob("*.html")):
        targets = Targets()
        targets.feed(page.read_text(encoding="utf-8"))
        for target in dict.fromkeys(targets.found):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
                continue
            file = page.parent / unquote(parts.path)
            if not (file / "index.html" if file.is_dir() else file).exists():
                found.append(f"{page.relative_to(folder).as_posix()}: {target}")
    return found


def build_version(*, dev: bool = False) -> None:
    """Build the site of the documentation for this version.

    Args:
        dev: name the version dev, for unreleased work.

    Raises:
        ValueError: a page asks for a file that is not there.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    version = "dev" if dev else declared_version()
    build(SITE, version)
    if broken := missing(SITE / version):
        raise ValueError("pages ask for files that are not there:\n" + "\n".join(broken))
    print(f"{SITE / version}: versions {', '.join(list_versions(SITE))}")


main = Command("python -m tools.site", build_version, ("--dev",)).run

if __name__ == "__main__":
    main()
