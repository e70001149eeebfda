"""A small transformer that translates tokens by a secret table and their place, with the loss written out by hand.

fault: double-softmax
also:
split: train
line: 44
"""

import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, tokens, width=32, length=8):
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.position = nn.Parameter(0.1 * torch.randn(length, width))
        self.layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True)
        self.unembed = nn.Linear(width, tokens)

    def probabilities(self, ids):
        return torch.softmax(self.unembed(self.layer(self.embed(ids) + self.position)), dim=-1)

    def scores(self, ids):
        return self.unembed(self.layer(self.embed(ids) + self.position))

    def forward(self, ids):
        return self.probabilities(ids)


class Task:
    def __init__(self, tokens, length=8):
        self.table = torch.randperm(tokens)
        self.tokens, self.length = tokens, length

    def batch(self, count):
        ids = torch.randint(0, self.tokens, (count, self.length))
        return ids, (self.table[ids] + torch.arange(self.length)) % self.tokens


def negative_log_likelihood(scores, target):
    shifted = scores - scores.amax(-1, keepdim=True)
    log_probability = shifted - shifted.exp().sum(-1, keepdim=True).log()
    return -log_probability.gather(-1, target.unsqueeze(-1)).mean()


torch.set_num_threads(1)
torch.manual_seed(102)
task = Task(tokens=30)
model = Translator(30)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(1, 301):
    ids, target = task.batch(48)
    output = model(ids)
    loss = negative_log_likelihood(output, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.4f} accuracy {(output.argmax(-1) == target).float().mean().item():.3f}")
