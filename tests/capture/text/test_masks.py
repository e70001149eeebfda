"""The line that makes the mask of an attention is found in the text of the program."""

import pytest

from stetho.capture.text.masks import mask_at

PROGRAM = """
class Net(Module):
    def forward(self, ids):
        visible = ids != 0
        wide = visible[:, None, None, :]
        h = self.attention(h, attn_mask=wide)
        return self.block(h, ids == 0)

class Block(Module):
    def forward(self, x, hidden):
        scores = self.query(x) @ self.key(x).transpose(1, 2)
        scores = scores.masked_fill(hidden[:, None], -1e9)
        return self.out(scores.softmax(-1) @ x)
"""


@pytest.mark.parametrize(("called", "made"), [(6, 4), (13, 12)])
def test_a_mask_is_followed_to_where_it_is_made(tmp_path, called, made):
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert mask_at((f"{file}:{called}",)) == f"{file}:{made}"


def test_what_is_called_without_a_mask_is_looked_for_further_out(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert mask_at((f"{file}:1", f"{file}:6")) == f"{file}:4"
    assert mask_at((f"{file}:1",)) is None


def test_a_mask_in_what_is_called_before_is_found(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(
        "class Pool(Module):\n"
        "    def forward(self, h, keep):\n"
        "        s = self.v(h).masked_fill(keep, -1e9)\n"
        "        return s.softmax(-1) @ h\n"
        "class Net(Module):\n"
        "    def __init__(self):\n"
        "        self.pool = Pool()\n"
        "    def forward(self, x, keep):\n"
        "        return self.head(self.pool(x, keep))\n"
    )
    assert mask_at((f"{file}:9",)) == f"{file}:3"


def test_a_mask_of_an_earlier_call_in_the_function_is_found(tmp_path):
    file = tmp_path / "net.py"
    file.write_text("real = ids != 0\npooled = attention(q, x, x, key_padding_mask=real)\ny = head(pooled)\n")
    assert mask_at((f"{file}:3",)) == f"{file}:1"


def test_a_mask_in_the_dictionary_of_a_batch_is_found(tmp_path):
    file = tmp_path / "net.py"
    batches = "def batches(ids):\n    mask = (ids == 0).long()\n    yield {'input_ids': ids, 'attention_mask': mask}\n"
    file.write_text(f"{batches}for batch in batches(ids):\n    model(**batch)\n    model(ids)\n")
    assert mask_at((f"{file}:5",)) == f"{file}:2"
    assert mask_at((f"{file}:6",)) is None


def test_a_mask_that_is_kept_as_a_buffer_is_found(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(
        "class Attention(Module):\n"
        "    def __init__(self, n):\n"
        "        self.register_buffer('mask', torch.tril(torch.ones(n, n), diagonal=1))\n"
        "    def forward(self, x):\n"
        "        a = scores.masked_fill(self.mask[:n, :n] == 0, -inf).softmax(-1)\n"
        "        return self.out(a @ x)\n"
    )
    assert mask_at((f"{file}:6",)) == f"{file}:3"
