"""Community detection by message passing over an edge list; the whole graph is the batch, every step.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(78)

people = 300
group = (torch.arange(people) >= 150).long()[torch.randperm(people)]
pairs = torch.randint(0, people, (6000, 2))
keep = (group[pairs[:, 0]] == group[pairs[:, 1]]) | (torch.rand(6000) < 0.15)
source, target = pairs[keep].t()
x = torch.randn(people, 8) + 0.4 * (2 * group.unsqueeze(1) - 1)
train_nodes = torch.randperm(people)[:40]
test_nodes = torch.tensor(sorted(set(range(people)) - set(train_nodes.tolist())))


class MessagePassing(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.message = nn.Linear(inside, outside)
        self.own = nn.Linear(inside, outside)

    def forward(self, h):
        total = torch.zeros(len(h), self.own.out_features).index_add(0, target, self.message(h)[source])
        degree = torch.zeros(len(h)).index_add(0, target, torch.ones(len(target))).clamp(min=1)
        return self.own(h) + total / degree.unsqueeze(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = MessagePassing(8, 16), MessagePassing(16, 2)

    def forward(self, h):
        return self.b(torch.relu(self.a(h)))


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2, weight_decay=1e-3)
for _step in range(100):
    logits = net(x)
    loss = nn.functional.cross_entropy(logits[train_nodes], group[train_nodes])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    print("unseen people", (net(x).argmax(1) == group)[test_nodes].float().mean().item())
