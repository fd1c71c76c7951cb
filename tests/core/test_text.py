"""Lines of pictures."""

from chocofactory_env.core.text.words import WIDTH, hanging


def test_words_hang_behind_their_title() -> None:
    lines = list(hanging("Title  ", "word " * 50))
    assert len(lines) > 1
    assert lines[0].startswith("Title  word")
    assert all(line.startswith(" " * 7 + "word") for line in lines[1:])
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(lines).split() == ["Title", *["word"] * 50]


def test_a_title_without_words_is_a_line() -> None:
    assert list(hanging("Title  ", "")) == ["Title  "]
