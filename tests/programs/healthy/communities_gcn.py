"""Communities of a graph of which a few nodes are labelled.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
n, k = 300, 3
community = torch.arange(n) % k
p = torch.where(community[:, None] == community[None], 0.10, 0.015)
adj = torch.bernoulli(p).triu(1)
adj = adj + adj.t() + torch.eye(n)
norm = adj / adj.sum(1, keepdim=True)
feat = torch.randn(n, 16)
feat[:, :k] += 0.8 * F.one_hot(community, k)
labelled = torch.zeros(n, dtype=torch.bool)
labelled[torch.randperm(n)[:90]] = True


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.w2 = nn.Linear(16, 24), nn.Linear(24, k)

    def forward(self, a, x):
        x = F.dropout(F.relu(self.w1(a @ x)), 0.3, self.training)
        return self.w2(a @ x)


net = GCN()
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
for it in range(150):
    net.train()
    loss = F.cross_entropy(net(norm, feat)[labelled], community[labelled])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 25 == 24:
        net.eval()
        with torch.no_grad():
            guess = net(norm, feat).argmax(1)
        print(it + 1, "loss %.3f" % loss.item(), "rest of the graph %.3f" % (guess == community)[~labelled].float().mean().item())
