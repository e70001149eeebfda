"""A multi-task model that takes a dict and returns a dict of heads, some of them nested.

split: train
"""

import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(14, 32), nn.ReLU())
        self.heads = nn.ModuleDict({"kind": nn.Linear(32, 3), "size": nn.Linear(32, 1)})

    def forward(self, batch):
        features = self.trunk(torch.cat([batch["position"], batch["colour"]], dim=1))
        return {"features": features, "heads": {name: head(features) for name, head in self.heads.items()}}


def make_batch(size=24):
    position, colour = torch.randn(size, 10), torch.rand(size, 4)
    return {
        "position": position,
        "colour": colour,
        "kind": colour[:, :3].argmax(1),
        "size": position.norm(dim=1, keepdim=True),
    }


torch.set_num_threads(1)
torch.manual_seed(11)
model = MultiTask()
optimizer = torch.optim.Adam(
    [{"params": model.trunk.parameters()}, {"params": model.heads.parameters(), "lr": 1e-2}], lr=3e-3
)
for step in range(30):
    batch = make_batch()
    out = model(batch)["heads"]
    losses = {
        "kind": nn.functional.cross_entropy(out["kind"], batch["kind"]),
        "size": nn.functional.mse_loss(out["size"], batch["size"]),
    }
    loss = sum(losses.values())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, "loss", loss.item(), {name: round(value.item(), 4) for name, value in losses.items()})
