"""Matrix factorisation of ratings with sparse embeddings; two optimizers side by side.

split: train
"""
import torch
from torch import nn

g = torch.Generator().manual_seed(0)
torch.manual_seed(0)
U, I, K = 300, 200, 4
pu, qi, bias = torch.randn(U, K, generator=g) * 0.6, torch.randn(I, K, generator=g) * 0.6, torch.randn(I, generator=g) * 0.5
u, i = torch.randint(0, U, (12000,), generator=g), torch.randint(0, I, (12000,), generator=g)
r = (pu[u] * qi[i]).sum(1) + bias[i] + 0.1 * torch.randn(12000, generator=g)


class MF(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(U, 8, sparse=True), nn.Embedding(I, 8, sparse=True)
        self.item_bias = nn.Parameter(torch.zeros(I))
        for e in (self.users, self.items):
            nn.init.normal_(e.weight, std=0.3)

    def forward(self, u, i):
        return (self.users(u) * self.items(i)).sum(1) + self.item_bias[i]


m = MF()
sparse = torch.optim.SparseAdam([m.users.weight, m.items.weight], lr=0.01)
dense = torch.optim.Adam([m.item_bias], lr=0.02)
for epoch in range(8):
    for k in torch.randperm(10000).split(128):
        loss = (m(u[k], i[k]) - r[k]).pow(2).mean()
        sparse.zero_grad(); dense.zero_grad()
        loss.backward()
        sparse.step(); dense.step()
    with torch.no_grad():
        rmse = (m(u[10000:], i[10000:]) - r[10000:]).pow(2).mean().sqrt().item()
    print(f"epoch {epoch} train {loss.item():.4f} rmse {rmse:.4f}")
print("SCORE", -rmse)
