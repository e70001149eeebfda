"""An LSTM on the return and the traded volume of a share, saying whether it is in a rising phase.

fault: features-of-different-scale
also: input-not-scaled
split: test
line: 17
"""

import torch
from torch import nn


def market(count, days=20):
    rising = torch.randint(0, 2, (count,))
    returns = 0.6 * (rising.float().unsqueeze(1) - 0.5) + 0.8 * torch.randn(count, days)
    volume = torch.exp(9 + 0.8 * torch.randn(count, days))
    return torch.stack([returns, volume], dim=2), rising


class PhaseDetector(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(2, 20, batch_first=True)
        self.head = nn.Linear(20, 2)

    def forward(self, x):
        states, _ = self.lstm(x)
        return self.head(states[:, -1])


def accuracy(model, x, y):
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(211)
    x, y = market(1500)
    x_test, y_test = market(400)
    model = PhaseDetector()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    for step in range(300):
        rows = torch.randint(0, len(x), (48,))
        loss = criterion(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 60 == 59:
            print(f"step {step + 1} loss {loss.item():.4f} accuracy {accuracy(model, x_test, y_test):.3f}")


main()
