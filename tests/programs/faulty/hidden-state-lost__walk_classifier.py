"""A cell that reads walks step by step.

fault: hidden-state-lost
also: 
split: train
line: 35
"""

import torch
from torch import nn, optim

torch.set_num_threads(1)
torch.manual_seed(13)

SEQ_LEN = 15
HIDDEN = 32


def make_sequences(n):
    """Noisy random walks; class tells whether the running total ends above zero."""
    steps = torch.randn(n, SEQ_LEN, 2)
    label = (steps[:, :, 0].sum(1) + 0.5 * steps[:, :, 1].sum(1) > 0).long()
    return steps, label


class WalkClassifier(nn.Module):
    def __init__(self, n_in=2, hidden=HIDDEN, n_out=2):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(n_in, hidden)
        self.readout = nn.Linear(hidden, n_out)

    def forward(self, seq):
        for t in range(seq.size(1)):
            h = seq.new_zeros(seq.size(0), self.hidden)
            h = self.cell(seq[:, t], h)
        return self.readout(h)


train_x, train_y = make_sequences(2000)
test_x, test_y = make_sequences(600)
net = WalkClassifier()
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(net.parameters(), lr=5e-3)

for epoch in range(1, 9):
    net.train()
    order = torch.randperm(len(train_x))
    epoch_loss = 0.0
    for chunk in order.split(50):
        optimizer.zero_grad()
        loss = criterion(net(train_x[chunk]), train_y[chunk])
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        epoch_loss += loss.item() * len(chunk)
    net.eval()
    with torch.no_grad():
        hits = (net(test_x).argmax(1) == test_y).float().mean().item()
    print("epoch %d  loss %.4f  test acc %.3f" % (epoch, epoch_loss / len(train_x), hits))
