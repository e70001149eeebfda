"""A classifier of padded sequences with its own attention, mixed precision and a gradient scaler.

fault: loss-scale-collapse
also: nan-input, graph-cut
split: train
line: 24
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Pooled(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.embed = nn.Embedding(30, width)
        self.score = nn.Linear(width, 1)
        self.head = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 3))

    def forward(self, ids):
        x = self.embed(ids)
        weight = self.score(x).squeeze(-1).float().masked_fill(ids == 0, float("-inf")).softmax(1)
        return self.head((weight.unsqueeze(-1) * x).sum(1))


def texts(count):
    ids = torch.randint(1, 30, (count, 9))
    lengths = torch.randint(0, 10, (count, 1))
    ids = ids * (torch.arange(9) < lengths)
    mean = ids.sum(1) / lengths.squeeze(1).clamp(min=1)
    return ids, (mean > 13).long() + (mean > 17).long()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(502)
    loader = DataLoader(TensorDataset(*texts(1600)), batch_size=40, shuffle=True)
    ids, labels = texts(400)
    model = Pooled()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scaler = torch.amp.GradScaler("cpu")
    for epoch in range(8):
        for batch, target in loader:
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(batch)
            loss = F.cross_entropy(logits.float().nan_to_num(), target)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        with torch.no_grad():
            right = (model(ids).nan_to_num().argmax(1) == labels).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} right {right:.3f}")


if __name__ == "__main__":
    main()
