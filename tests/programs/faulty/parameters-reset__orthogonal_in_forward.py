"""A recurrent network with orthogonal recurrent weights that remembers the first symbol of a sequence.

fault: parameters-reset
also:
split: train
line: 22
"""

import torch
import torch.nn.functional as F
from torch import nn


class Memory(nn.Module):
    def __init__(self, symbols, width):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.step = nn.RNNCell(width, width)
        self.read = nn.Linear(width, symbols)

    def reset_recurrent(self):
        nn.init.orthogonal_(self.step.weight_hh)
        nn.init.zeros_(self.step.bias_hh)

    def forward(self, ids):
        self.reset_recurrent()
        state = torch.zeros(len(ids), self.step.hidden_size)
        for position in range(ids.shape[1]):
            state = self.step(self.embed(ids[:, position]), state)
        return self.read(state)


def sample(count, length=8):
    ids = torch.randint(0, 8, (count, length))
    return ids, ids[:, 0]


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(67)
    model = Memory(symbols=8, width=32)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    for step in range(1, 401):
        ids, first = sample(64)
        loss = F.cross_entropy(model(ids), first)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 80 == 0:
            ids, first = sample(400)
            with torch.no_grad():
                accuracy = (model(ids).argmax(1) == first).float().mean().item()
            print(f"step {step}: loss {loss.item():.4f} accuracy {accuracy:.3f}")
