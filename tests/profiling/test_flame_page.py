"""The page with a flame graph."""

from stetho.profiling.flame_page import flame_page


def test_stands_alone_and_holds_its_data() -> None:
    page = flame_page({"name": "a step", "seconds": 1.0, "children": []}, "a < b")
    assert "<title>a &lt; b</title>" in page
    assert '{"name": "a step", "seconds": 1.0, "children": []}' in page
    assert "http" not in page


def test_a_name_cannot_end_the_script() -> None:
    page = flame_page({"name": "</script>", "seconds": 1.0, "children": []}, "t")
    assert page.count("</script>") == 1
