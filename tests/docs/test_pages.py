"""The generated pages are fresh, of every game that is registered."""

from tools.pages import pages


def test_every_generated_page_is_fresh() -> None:
    stale = [file.stem for file, text in pages() if file.read_text(encoding="utf-8") != text]
    assert not stale, "run `make docs`"
