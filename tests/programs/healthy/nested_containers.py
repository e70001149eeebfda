"""Sequential in ModuleList in ModuleDict, a bare ParameterList beside them, and a branch that is seldom taken.

split: train
"""

import torch
from torch import nn


class Nested(nn.Module):
    def __init__(self, width=16, depth=3):
        super().__init__()
        self.stages = nn.ModuleList(
            nn.ModuleDict({"main": nn.Sequential(nn.Linear(width, width), nn.SiLU()), "side": nn.Linear(width, width)})
            for _ in range(depth)
        )
        self.scales = nn.ParameterList(nn.Parameter(torch.ones(width)) for _ in range(depth))
        self.rare = nn.Linear(width, width)
        self.out = nn.Sequential(nn.Sequential(nn.LayerNorm(width)), nn.Sequential(nn.Sequential(nn.Linear(width, 2))))

    def forward(self, x, *, use_rare=False):
        for stage, scale in zip(self.stages, self.scales, strict=True):
            x = x + scale * stage["main"](x) * torch.sigmoid(stage["side"](x))
        if use_rare:
            x = self.rare(x)
        return self.out(x)


torch.set_num_threads(1)
torch.manual_seed(13)
net = Nested()
decay = [p for n, p in net.named_parameters() if n.endswith("weight")]
others = [p for n, p in net.named_parameters() if not n.endswith("weight")]
optimizer = torch.optim.AdamW(
    [{"params": decay, "weight_decay": 0.05}, {"params": others, "weight_decay": 0.0}], lr=3e-3
)
for step in range(30):
    x = torch.randn(20, 16)
    y = torch.stack([x.sum(1), x.prod(1)], 1)
    optimizer.zero_grad()
    loss = nn.functional.huber_loss(net(x, use_rare=step % 7 == 6), y)
    loss.backward()
    optimizer.step()
    print("step", step, "loss", loss.item())
