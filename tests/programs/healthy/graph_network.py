"""A graph network by hand (normalised adjacency times features), trained on the labels of a tenth of the nodes.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(77)

NODES, CLASSES = 400, 4
labels = torch.randint(0, CLASSES, (NODES,))
same = labels.unsqueeze(0) == labels.unsqueeze(1)
adjacency = (torch.rand(NODES, NODES) < torch.where(same, 0.04, 0.005)).float()
adjacency = ((adjacency + adjacency.t()) > 0).float() + torch.eye(NODES)
scale = adjacency.sum(1).rsqrt()
adjacency = scale.unsqueeze(1) * adjacency * scale.unsqueeze(0)
features = F.one_hot(labels, CLASSES).float() @ torch.randn(CLASSES, 16) * 0.5 + torch.randn(NODES, 16)
known = torch.zeros(NODES, dtype=torch.bool)
known[torch.randperm(NODES)[:60]] = True


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(16, 32)
        self.second = nn.Linear(32, CLASSES)

    def forward(self, x, a):
        h = F.relu(a @ self.first(x))
        h = F.dropout(h, 0.5, self.training)
        return a @ self.second(h)


model = GCN()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
for epoch in range(150):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(features, adjacency)[known], labels[known])
    loss.backward()
    optimizer.step()
    if epoch % 30 == 29:
        model.eval()
        with torch.no_grad():
            accuracy = (model(features, adjacency).argmax(1) == labels)[~known].float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.3f} other nodes {accuracy:.3f}")
