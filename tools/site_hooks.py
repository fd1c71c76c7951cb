"""Import the hooks of `tools.site`, since MkDocs loads hooks only from a file."""

from tools.site.hooks import on_files, on_page_markdown

__all__ = ["on_files", "on_page_markdown"]
