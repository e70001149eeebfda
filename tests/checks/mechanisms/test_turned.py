from stetho.checks.mechanisms.turned import advice_on_turning
from stetho.checks.run.facts import Loader
from stetho.testing import make_window


def advice(line="code/train.py:9", shape=(32, 1, 8, 8), length=300):
    window = make_window(
        loaders=[Loader(0, length=length)], batch={"shape": [list(shape)] * 60}, probes={"turned": {"line": line}}
    )
    return advice_on_turning(window)


def test_names_the_line_where_pictures_are_turned():
    assert "train.py:9" in advice()


def test_says_nothing_of_tables_or_where_nothing_is_turned_or_changed():
    assert advice(shape=(32, 8)) == ""
    assert advice(line=None) == ""
    assert advice(length=None) == ""
    assert advice_on_turning(make_window()) == ""
