"""Next-item prediction in shopping sessions with an item-to-item network.

fault: loader-restarted
also: repeated-batch
split: test
line: 67
"""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(80)
torch.set_num_threads(1)
ITEMS = 150


class Sessions(Dataset):
    def __init__(self, n, nxt):
        self.rows = []
        for _ in range(n):
            s = [int(torch.randint(0, ITEMS, ()))]
            for _ in range(5):
                s.append(int(nxt[s[-1], torch.randint(0, 3, ())]))
            self.rows.append(s)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        s = self.rows[i]
        return torch.tensor(s[:-1]), torch.tensor(s[1:])


class NextItem(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.emb = nn.Embedding(ITEMS, d)
        self.mlp = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Linear(64, ITEMS))

    def forward(self, items):
        return self.mlp(self.emb(items))


def hit_rate(model, loader, k=5):
    hit = total = 0
    with torch.no_grad():
        for a, b in loader:
            top = model(a).topk(k, -1).indices
            hit += (top == b.unsqueeze(-1)).any(-1).sum().item()
            total += b.numel()
    return hit / total


nxt = torch.randint(0, ITEMS, (ITEMS, 3))
train = DataLoader(Sessions(1500, nxt), batch_size=30, shuffle=True)
test = DataLoader(Sessions(200, nxt), batch_size=100)
model = NextItem()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(12):
    for step, (a, b) in enumerate(train):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(a).flatten(0, 1), b.flatten())
        loss.backward()
        opt.step()
        if step % 100 == 0:
            print(f"epoch {epoch} step {step} loss {loss.item():.4f}")
            break
    if epoch % 3 == 2:
        print(f"epoch {epoch} hit rate at 5: {hit_rate(model, test):.4f}")
