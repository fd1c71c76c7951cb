"""The site of the documentation: `python -m tools.site` builds it into `build/site/<version>`.

MkDocs builds it from `docs/` and `mkdocs.yml`. `hooks` adapts pages written for a repository browser, and `sources`
turns the repository files that they link to into pages.
"""
