"""The line that cuts the graph is found near the layer behind which it is cut."""

from pathlib import Path

import pytest

from stetho.capture.text.cuts import cut_at

HEAD = "def forward(self, x):\n"
CASES = {
    "detach in the same statement": (HEAD + "    x = self.body(x).detach()\n    return self.head(x)", 2, 2),
    "data one line on": (HEAD + "    x = self.body(x)\n    x = x.data\n    return self.head(x)", 2, 3),
    "numpy and back": (HEAD + "    x = self.body(x)\n    return self.head(torch.from_numpy(f(x)))", 2, 3),
    "no_grad around": (HEAD + "    with torch.no_grad():\n        x = self.body(x)\n    return self.head(x)", 3, 2),
    "no_grad on the function": ("@torch.no_grad()\ndef encode(x):\n    return body(x)", 3, 1),
    "argmax in the loss": ("out = model(x)\nchoice = out.argmax(1).float()\nloss = mse(choice, y)", 1, 2),
    "a function": ("def smooth(x):\n    return x.detach()\n\ndef forward(x):\n    return head(smooth(body(x)))", 5, 2),
    "another module": (
        "class Spectrum(Module):\n    def forward(self, x):\n        return f(x.numpy())\n\n"
        "class Net(Module):\n    def __init__(self):\n        self.spectrum = Spectrum()\n\n"
        "    def forward(self, x):\n        return self.head(self.spectrum(self.mix(x)))",
        10,
        3,
    ),
}


@pytest.mark.parametrize(("text", "called", "cut"), CASES.values(), ids=CASES)
def test_the_cut_is_found(text: str, called: int, cut: int, tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(text)
    assert cut_at((f"{file}:{called}",)) == f"{file}:{cut}"


def test_a_holder_is_asked_when_the_layer_itself_has_no_cut_behind_it(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text("def inner(x):\n    return conv(x)\n\ndef outer(x):\n    return head(extract(x).detach())\n")
    assert cut_at((f"{file}:2", f"{file}:5")) == f"{file}:5"


def test_where_nothing_cuts_no_line_is_told(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text("def forward(x):\n    y = x.detach()\n    return head(body(x))\n")
    assert cut_at((f"{file}:3",)) is None
    assert cut_at(("gone.py:3",)) is None
    assert cut_at(()) is None


def test_what_is_read_of_a_loss_that_went_backward_is_no_cut(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text("loss = mse(model(x), y)\nloss.backward()\nprint(loss.item())\n")
    assert cut_at((f"{file}:1",)) is None


GAN = """
optimizer_g = Adam(G.parameters())
optimizer_d = Adam(D.parameters())
for _ in range(9):
    fake = G(noise)
    loss_d = bce(D(fake.detach()), zeros)
    loss_d.backward()
    optimizer_d.step()
    loss_g = bce(D({given}), ones)
    loss_g.backward()
    optimizer_g.step()
"""


def test_of_two_losses_the_one_before_the_step_of_the_model_is_looked_at(tmp_path):
    file = tmp_path / "gan.py"
    file.write_text(GAN.format(given="fake.detach()"))
    assert cut_at((f"{file}:5",)) == f"{file}:9"


def test_with_one_loss_the_first_cut_behind_the_model_is_named(tmp_path):
    file = tmp_path / "one.py"
    file.write_text("opt = Adam(net.parameters())\ny = net(x)\nz = y.detach()\nloss(z).backward()\nopt.step()\n")
    assert cut_at((f"{file}:2",)) == f"{file}:3"
