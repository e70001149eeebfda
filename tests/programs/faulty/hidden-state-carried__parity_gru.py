"""A GRU that computes the running parity of bit strings and keeps its state for speed.

fault: hidden-state-carried
also:
split: train
line: 41
"""

import torch
import torch.nn.functional as F
from torch import nn


class Parity(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.gru = nn.GRU(1, width, batch_first=True)
        self.out = nn.Linear(width, 2)

    def forward(self, bits, state):
        states, state = self.gru(bits, state)
        return self.out(states), state


def strings(count, length=10):
    bits = torch.randint(0, 2, (count, length))
    return (bits.float() * 2 - 1).unsqueeze(-1), bits.cumsum(1) % 2


torch.set_num_threads(1)
torch.manual_seed(80)
model = Parity()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
all_bits, all_parity = strings(960)
state = torch.zeros(1, 64, 24)

for epoch in range(30):
    for rows in torch.randperm(len(all_bits)).split(64):
        bits, parity = all_bits[rows], all_parity[rows]
        optimizer.zero_grad()
        logits, state = model(bits, state.detach())
        loss = F.cross_entropy(logits.flatten(0, 1), parity.flatten())
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        accuracy = (logits.argmax(-1) == parity).float().mean().item()
        print(f"epoch {epoch + 1} loss {loss.item():.4f} accuracy {accuracy:.3f}")
