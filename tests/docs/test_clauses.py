"""Every clause of the rules has code that follows it and a test that holds it, and the page that says so is fresh."""

import pytest

from tools import clauses as tool


@pytest.fixture(scope="module", params=tool.shipped_games())
def clauses(request: pytest.FixtureRequest) -> tool.Clauses:
    return tool.collect(request.param)


def test_every_clause_has_a_test(clauses: tool.Clauses) -> None:
    assert [clause for clause in clauses.ids() if not clauses.tests[clause]] == []


def test_every_clause_has_code_or_data(clauses: tool.Clauses) -> None:
    assert [clause for clause in clauses.ids() if not clauses.code[clause]] == []


def test_every_cited_clause_is_on_the_rules_page(clauses: tool.Clauses) -> None:
    assert clauses.unknown() == {}


def test_every_clause_is_defined_once(clauses: tool.Clauses) -> None:
    ids = clauses.ids()
    assert sorted(set(ids)) == sorted(ids)


def test_ids_are_read_from_list_items_and_table_rows() -> None:
    rules = "## A b\n\n- **SET-1** one\n- not **SET-2**\n\n## C\n\n| **EMP-1** | x |\n"
    assert tool.chapters(rules) == {"A b": ["SET-1"], "C": ["EMP-1"]}


@pytest.mark.parametrize(
    "text", ["EMP-1..16", "EMP-1 .. EMP-16", "EMP-1–16", "EMP-1–EMP-16", "EMP-1-16", "EMP-1 to EMP-16", "see EMP-1…16"]
)
def test_a_range_cites_nothing(text: str) -> None:
    assert tool.citations(text) == set()


def test_single_ids_are_cited() -> None:
    assert tool.citations("RUN-1, EMP-12; (FUL-5)") == {"RUN-1", "EMP-12", "FUL-5"}


def test_code_cites_in_docstrings_and_comments() -> None:
    source = '''"""SET-1 of a module does not count."""

START: int = 0  # SET-2

# SET-3: above
ROWS = [
    1,  # SET-4
]


# SET-5
def outer():
    """SET-6"""
    x = 1  # SET-7
    print("SET-8")

    def inner():
        return x  # SET-9
'''
    assert sorted(tool.cited_by_code(source)) == [
        ("SET-2", "START"),
        ("SET-3", "ROWS"),
        ("SET-4", "ROWS"),
        ("SET-5", "outer"),
        ("SET-6", "outer"),
        ("SET-7", "outer"),
        ("SET-9", "outer.inner"),
    ]


def test_tests_cite_by_name_docstring_comment_and_parameter() -> None:
    source = '''
@pytest.mark.parametrize("kind", [1], ids=["SET-1"])
def test_run_2_and_run_13_hold(kind):
    """SET-3"""
    assert kind  # SET-4

def helper():
    """SET-5"""
'''
    cited = {clause for clause, _ in tool.cited_by_tests(source, ["SET", "RUN"])}
    assert cited == {"SET-1", "RUN-2", "RUN-13", "SET-3", "SET-4"}
