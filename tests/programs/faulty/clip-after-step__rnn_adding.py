"""A recurrent ReLU network with identity weights on the adding problem, where large gradients are clipped.

fault: clip-after-step
also: exploding-gradient
split: train
line: 46
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(36)


class AddingRNN(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.rnn = nn.RNN(2, width, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(width, 1)
        nn.init.eye_(self.rnn.weight_hh_l0)
        nn.init.normal_(self.rnn.weight_ih_l0, std=0.05)
        nn.init.zeros_(self.rnn.bias_hh_l0)
        nn.init.zeros_(self.rnn.bias_ih_l0)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1])


def adding_problem(count, length=12):
    values = torch.rand(count, length)
    marks = torch.zeros(count, length)
    marks.scatter_(1, torch.rand(count, length).argsort(1)[:, :2], 1.0)
    return torch.stack([values, marks], -1), (values * marks).sum(1, keepdim=True) - 1.0


model = AddingRNN()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
criterion = nn.MSELoss()
for step in range(500):
    x, y = adding_problem(32)
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
    if step % 50 == 49:
        print(f"step {step + 1} mse {loss.item():.4f}")
