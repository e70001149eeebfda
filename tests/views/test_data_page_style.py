"""Tests of the style of the page of a data pipeline."""

from stetho.views.data_page_style import STYLE


def test_concerns_nothing_outside_of_the_page_but_its_body():
    outside = STYLE.replace("@media (prefers-color-scheme: dark) {", "")
    selectors = [part.rpartition("}")[2].strip() for part in outside.split("{")[:-1]]
    assert all(each.startswith((".stetho-data", "body")) for each in selectors if each)
    assert "http" not in STYLE
