"""Skip-gram with negative sampling, sparse embeddings and SparseAdam on a clustered vocabulary.

split: test
"""
import torch
import torch.nn.functional as F

torch.manual_seed(18)
torch.set_num_threads(1)
V, K, D = 300, 10, 16
cluster = torch.randint(0, K, (V,))
members = [torch.where(cluster == k)[0] for k in range(K)]
walk = []
while len(walk) < 12000:
    m = members[int(torch.randint(0, K, ()))]
    walk += m[torch.randint(0, len(m), (8,))].tolist()
walk = torch.tensor(walk)
pairs = torch.cat([torch.stack([walk[:-d], walk[d:]], 1) for d in (1, 2)])

center = torch.nn.Embedding(V, D, sparse=True)
context = torch.nn.Embedding(V, D, sparse=True)
torch.nn.init.uniform_(center.weight, -0.05, 0.05)
torch.nn.init.zeros_(context.weight)
opt = torch.optim.SparseAdam(list(center.parameters()) + list(context.parameters()), lr=0.02)
for epoch in range(4):
    tot = 0.0
    for b in torch.randperm(len(pairs)).split(256):
        c, o = pairs[b].T
        neg = torch.randint(0, V, (len(b), 5))
        vc = center(c)
        pos = (vc * context(o)).sum(1)
        ng = torch.bmm(context(neg), vc.unsqueeze(2)).squeeze(2)
        loss = -(F.logsigmoid(pos).mean() + F.logsigmoid(-ng).sum(1).mean())
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    w = F.normalize(center.weight.detach(), dim=1)
    sim = w @ w.T
    sim.fill_diagonal_(-2)
    hit = (cluster[sim.topk(5).indices] == cluster[:, None]).float().mean()
    print(f"epoch {epoch} loss {tot / len(pairs):.4f} neighbour purity {hit:.4f}")
