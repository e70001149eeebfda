"""An LSTM that tells which of two symbols came first, trained for a few hundred steps with Adam.

fault: learning-rate-too-low
also:
split: train
line: 37
"""

import torch
from torch import nn
from torch.nn import functional as F


class FirstOfTwo(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 16)
        self.lstm = nn.LSTM(16, 32, batch_first=True)
        self.output = nn.Linear(32, 1)

    def forward(self, tokens):
        states, _ = self.lstm(self.embedding(tokens))
        return self.output(states.mean(1)).squeeze(1)


def batch(size):
    tokens = torch.randint(2, 10, (size, 12))
    places = torch.stack([torch.randperm(12)[:2] for _ in range(size)])
    tokens[torch.arange(size), places[:, 0]] = 0
    tokens[torch.arange(size), places[:, 1]] = 1
    return tokens, (places[:, 0] < places[:, 1]).float()


torch.set_num_threads(1)
torch.manual_seed(412)
model = FirstOfTwo()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-7)
test_tokens, test_answers = batch(300)
for step in range(1, 251):
    tokens, answers = batch(32)
    logits = model(tokens)
    loss = F.binary_cross_entropy_with_logits(logits, answers)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        with torch.no_grad():
            right = ((model(test_tokens) > 0) == (test_answers > 0.5)).float().mean().item()
        print(f"step {step}: loss {loss.item():.4f}, right {right:.3f}")
