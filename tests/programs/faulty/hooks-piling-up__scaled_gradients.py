"""Two tasks on one trunk; a hook makes the shared features a little smaller in each step of training.

fault: hooks-piling-up
also: vanishing-gradient, frozen-parameter
split: test
line: 43
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(9)

data = load_digits()
pixels = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
kinds = torch.tensor(data.target)
order = torch.randperm(len(kinds))
pixels, kinds = pixels[order], kinds[order]
upper = (pixels[:, 0, :4].mean((1, 2)) - pixels[:, 0, 4:].mean((1, 2))) * 4


class TwoTasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.middle = nn.Sequential(nn.Flatten(), nn.Linear(192, 48), nn.ReLU())
        self.kind = nn.Linear(48, 10)
        self.balance = nn.Linear(48, 1)

    def forward(self, x):
        hidden = self.middle(self.trunk(x))
        return self.kind(hidden), self.balance(hidden).squeeze(1)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)

    def step(self, x, kind, balance):
        self.model.middle.register_forward_hook(lambda part, given, out: 0.97 * out)
        self.optimizer.zero_grad()
        scores, predicted = self.model(x)
        loss = nn.functional.cross_entropy(scores, kind) + nn.functional.mse_loss(predicted, balance)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def accuracy(self, x, kind):
        with torch.no_grad():
            return (self.model(x)[0].argmax(1) == kind).float().mean().item()


trainer = Trainer(TwoTasks())
for epoch in range(9):
    total = 0.0
    for rows in torch.randperm(1300).split(50):
        total += trainer.step(pixels[rows], kinds[rows], upper[rows])
    print(epoch, round(total / 26, 3), round(trainer.accuracy(pixels[1300:], kinds[1300:]), 3))
