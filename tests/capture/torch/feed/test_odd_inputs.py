"""Whatever a model is given beside its samples, watching goes on."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import stetho

NODES = 40
OTHERS = {
    "sparse": lambda: torch.eye(NODES).to_sparse(),
    "sparse rows": lambda: torch.eye(NODES).to_sparse_csr(),
    "complex": lambda: torch.ones(NODES, 2, dtype=torch.complex64),
    "bool": lambda: torch.ones(NODES, NODES, dtype=torch.bool),
    "half": lambda: torch.ones(NODES, 2, dtype=torch.float16),
    "brain float": lambda: torch.ones(NODES, dtype=torch.bfloat16),
    "eight bits": lambda: torch.ones(NODES, 2).to(torch.float8_e4m3fn),
    "nothing": lambda: torch.empty(NODES, 0),
    "no rows": lambda: torch.empty(0, 3),
    "a number": lambda: torch.tensor(3.0),
    "infinite": lambda: torch.full((NODES, 2), float("-inf")),
    "expanded": lambda: torch.ones(1, 2).expand(NODES, 2),
    "nested": lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
    "no tensor": lambda: {"edges": [(0, 1)], "name": "a"},
}
TARGETS = {
    "classes": (3, lambda out, rows: F.cross_entropy(out[rows], rows % 3)),
    "shares": (3, lambda out, rows: F.cross_entropy(out[rows], torch.full((len(rows), 3), 1 / 3))),
    "numbers": (1, lambda out, rows: F.mse_loss(out[rows, 0], rows.float())),
    "by hand": (2, lambda out, rows: (out[rows] - rows[:, None]).pow(2).mean()),
}


class Beside(nn.Module):
    """Takes something beside its samples, and leaves it alone."""

    def __init__(self, outputs):
        super().__init__()
        self.layer = nn.Linear(4, outputs)

    def forward(self, samples, _other):
        return self.layer(samples)


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("other", OTHERS)
def test_an_odd_input_beside_the_samples_ends_no_watch(tmp_path, other, target):
    outputs, loss_of = TARGETS[target]
    model = Beside(outputs)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    samples, beside, rows = torch.randn(NODES, 4), OTHERS[other](), torch.arange(0, NODES, 2)
    with stetho.watch(model, optimizer, out=tmp_path) as watch:
        for _ in range(3):
            optimizer.zero_grad()
            loss_of(model(samples, beside), rows).backward()
            optimizer.step()
    run = stetho.open_run(watch.path)
    assert run.info.get("capture_error") is None
    assert run.frame("steps")["step"].tolist() == [1, 2, 3]
