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
