"""Where words are looked up."""

import pytest

from stetho.capture.text.looked_up import looked_up_at


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("def encode(text):\n    return [vocab.get(w, vocab['<unk>']) for w in text.split()]\n", 2),
        ("ids = []\nfor w in text:\n    ids.append(vocab.get(w, UNK))\n", 3),
        ("ids = list(stoi.get(c, 1) for c in text)\n", 1),
        ("for w in text:\n    counts[w] = counts.get(w, 0) + 1\n", None),
        ("ids = [stoi.get(c, 0) for c in text]\n", 1),
        ("ids = [stoi.get(c, 1) for c in text]\nsizes = [sizes.get(c, 0) for c in ids]\n", 1),
        ("a = [v.get(w, 0) for w in x]\nb = [v.get(w, 0) for w in y]\n", None),
        ("rate = settings.get('lr', RATE)\n", None),
        ("a = [v.get(w, UNK) for w in x]\nb = [v.get(w.lower(), UNK) for w in y]\n", None),
    ],
)
def test_the_one_line_with_a_number_for_unknown_words(tmp_path, program, line):
    file = tmp_path / "words.py"
    file.write_text(program)
    assert looked_up_at(str(file)) == (f"{file}:{line}" if line else None)
