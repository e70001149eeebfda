"""How new a state is: how badly one network foretells what another one, random and never trained, says of it.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4)


def network(width=64):
    return nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 8))


def states(count, near=True):
    walk = torch.randn(count, 6)
    return walk * 0.5 + 1 if near else walk * 0.5 - 3


fixed, predictor = network(), network()
optimizer = torch.optim.Adam(predictor.parameters(), lr=2e-3)
for step in range(600):
    seen = states(64)
    with torch.no_grad():
        wanted = fixed(seen)
    loss = nn.functional.mse_loss(predictor(seen), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 99:
        with torch.no_grad():
            known, new = ((predictor(s) - fixed(s)).square().mean().item() for s in (states(200), states(200, False)))
        print(f"step {step + 1} error {known:.4f}, for new states {new:.4f}")
