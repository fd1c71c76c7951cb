"""The site of the documentation: `python -m tools.site` builds it into `build/site/<version>`.

MkDocs makes it from `docs/` by `mkdocs.yml`. `hooks` adapts pages that are written for a repository browser, and
`sources` makes pages of the files of the repository to which they link.
"""
