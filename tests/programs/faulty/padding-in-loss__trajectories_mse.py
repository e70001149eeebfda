"""An LSTM that forecasts trajectories of different lengths, filled up with zeros to make a batch.

fault: padding-in-loss
also:
split: train
line: 61
"""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Trajectories:
    """Balls that are thrown: position over time, and how many points were seen."""

    def __init__(self, count, longest=30):
        self.lengths = torch.randint(4, 9, (count,))
        self.lengths[::20] = longest
        t = torch.arange(longest + 1).float() * 0.3
        speed, start = torch.rand(count, 1) + 0.5, torch.randn(count, 1)
        path = start + torch.sin(speed * t) * 1.5 + 0.5
        inside = torch.arange(longest) < self.lengths.unsqueeze(1)
        self.inputs = path[:, :-1] * inside
        self.targets = path[:, 1:] * inside

    def batch(self, size):
        rows = torch.randint(0, len(self.lengths), (size,))
        return self.inputs[rows], self.targets[rows], self.lengths[rows]


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x.unsqueeze(-1), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=x.shape[1])
        return self.out(states).squeeze(-1)


def error_on_points(model, data):
    with torch.no_grad():
        prediction = model(data.inputs, data.lengths)
    inside = torch.arange(data.inputs.shape[1]) < data.lengths.unsqueeze(1)
    return (prediction - data.targets)[inside].pow(2).mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(138)
    train, test = Trajectories(1000), Trajectories(200)
    model = Forecaster()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.MSELoss()
    for step in range(1, 201):
        x, y, lengths = train.batch(32)
        prediction = model(x, lengths)
        loss = criterion(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 40 == 0:
            print(f"step {step} loss {loss.item():.5f} test error on real points {error_on_points(model, test):.5f}")


main()
