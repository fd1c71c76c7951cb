"""MkDocs loads hooks from a file and not by the name of a module."""

from tools.site.hooks import on_files, on_page_markdown

__all__ = ["on_files", "on_page_markdown"]
