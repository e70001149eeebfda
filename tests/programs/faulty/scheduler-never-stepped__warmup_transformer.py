"""A small transformer that continues number sequences, with a linear warm-up of the rate.

fault: scheduler-never-stepped
also: learning-rate-too-low
split: train
line: 38
"""

import torch
import torch.nn.functional as F
from torch import nn

BASE, LENGTH = 11, 10


class NumberModel(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Embedding(BASE, width)
        self.position = nn.Parameter(0.02 * torch.randn(LENGTH, width))
        self.block = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.out = nn.Linear(width, BASE)

    def forward(self, ids):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1])
        return self.out(self.block(self.embed(ids) + self.position, src_mask=mask))


def sequences(count):
    start, stride = torch.randint(0, BASE, (2, count, 1))
    return (start + stride * torch.arange(LENGTH + 1)) % BASE


torch.set_num_threads(1)
torch.manual_seed(33)
model = NumberModel()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 500))
for step in range(300):
    batch = sequences(64)
    logits = model(batch[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, BASE), batch[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 49:
        accuracy = (logits[:, 2:].argmax(-1) == batch[:, 3:]).float().mean().item()
        print(f"step {step + 1:3d} loss {loss.item():.4f} accuracy {accuracy:.3f}")
