"""Users and items, ranked in pairs.

split: test
"""

# Implicit feedback recommender, BPR loss, evaluated by hit-rate@10 on one left-out item per user.
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1)
rng = np.random.default_rng(1)

N_USERS, N_ITEMS, K = 300, 200, 6
taste = rng.normal(size=(N_USERS, K))
genre = rng.normal(size=(N_ITEMS, K))
score = taste @ genre.T + 0.5 * rng.gumbel(size=(N_USERS, N_ITEMS))
liked = np.argsort(-score, 1)[:, :22]
for row in liked:
    rng.shuffle(row)
held_out, train_items = liked[:, 0], liked[:, 1:]
pairs = torch.tensor([(u, i) for u in range(N_USERS) for i in train_items[u]])
seen = torch.zeros(N_USERS, N_ITEMS, dtype=torch.bool)
seen[pairs[:, 0], pairs[:, 1]] = True


class BPRMF(nn.Module):
    def __init__(self, n_users, n_items, dim=16):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def all_scores(self):
        return self.user.weight @ self.item.weight.T + self.bias.weight.squeeze(-1)


def hit_rate(model, k=10):
    with torch.no_grad():
        s = model.all_scores().masked_fill(seen, float("-inf"))
        top = s.topk(k, 1).indices
    return (top == torch.tensor(held_out)[:, None]).any(1).float().mean().item()


model = BPRMF(N_USERS, N_ITEMS)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
print("before training: HR@10 = %.3f" % hit_rate(model))
for epoch in range(20):
    total = 0.0
    for batch in pairs[torch.randperm(len(pairs))].split(256):
        u, pos = batch[:, 0], batch[:, 1]
        neg = torch.randint(N_ITEMS, (len(u),))
        bad = seen[u, neg]
        while bad.any():
            neg[bad] = torch.randint(N_ITEMS, (int(bad.sum()),))
            bad = seen[u, neg]
        diff = model(u, pos) - model(u, neg)
        reg = 1e-3 * (model.user(u).pow(2).sum() + model.item(pos).pow(2).sum() + model.item(neg).pow(2).sum()) / len(u)
        loss = -F.logsigmoid(diff).mean() + reg
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(u)
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1:2d} bpr {total / len(pairs):.4f} HR@10 {hit_rate(model):.3f}")
