"""Blocks whose activations are thrown away and computed again in the backward pass, with dropout inside.

split: train
"""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Deep(nn.Module):
    def __init__(self, width: int = 16, depth: int = 4) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Dropout(0.1)) for _ in range(depth)
        )
        self.out = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i, block in enumerate(self.blocks):
            x = x + (checkpoint(block, x, use_reentrant=False) if i % 2 else block(x))
        return self.out(x)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(29)
    model = Deep()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(25):
        x = torch.randn(16, 16)
        loss = nn.functional.mse_loss(model(x), x.amax(1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("step", step, "loss", loss.item())
