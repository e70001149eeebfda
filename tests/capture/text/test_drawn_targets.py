"""Targets that are drawn where they are compared."""

import pytest

from stetho.capture.text.drawn_targets import target_drawn_at


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("loss = ((net(x) - torch.randn_like(x)) ** 2).mean()\nloss.backward()\n", 1),
        ("loss = F.mse_loss(net(x, t), torch.randn(8, 2))\nloss.backward()\n", 1),
        ("new = torch.randn_like(x)\nloss = (new - net(x)).pow(2).mean()\nloss.backward()\n", 1),
        ("def cost(f, x):\n    return mse_loss(f(x), torch.randn_like(x))\nloss = cost(f, x)\nloss.backward()\n", 2),
        ("noise = torch.randn_like(x)\nloss = mse_loss(net(x + noise), noise)\nloss.backward()\n", None),
        ("loss = mse_loss(net(x), y)\nloss.backward()\n", None),
        ("loss = net(torch.randn(8, 2)).mean()\nloss.backward()\n", None),
        ("step(net)\n", None),
    ],
)
def test_the_line_of_a_draw_that_nothing_else_has(tmp_path, program, line):
    file = tmp_path / "loop.py"
    file.write_text(program)
    last = program.count("\n")
    assert target_drawn_at(f"{file}:{last}") == (f"{file}:{line}" if line else None)
