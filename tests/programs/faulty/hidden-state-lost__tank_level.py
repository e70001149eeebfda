"""Follow the level of a leaky tank from its valve and pump signals with an LSTM cell.

fault: hidden-state-lost
also:
split: test
line: 37
"""
import torch
import torch.nn as nn

torch.manual_seed(4)


def simulate(n, steps=40):
    valve = (torch.rand(n, steps) < 0.25).float()
    pump = (torch.rand(n, steps) < 0.25).float() * torch.rand(n, steps)
    level = torch.zeros(n)
    levels = []
    for t in range(steps):
        level = 0.95 * level + 0.6 * pump[:, t] - 0.15 * valve[:, t] * level
        levels.append(level)
    y = torch.stack(levels, 1) + 0.02 * torch.randn(n, steps)
    return torch.stack([valve, pump], -1), y


class LevelTracker(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.LSTMCell(2, hidden)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, x):
        batch, steps, _ = x.shape
        outputs = []
        for t in range(steps):
            h = x.new_zeros(batch, self.hidden)
            c = x.new_zeros(batch, self.hidden)
            h, c = self.cell(x[:, t], (h, c))
            outputs.append(self.readout(h).squeeze(-1))
        return torch.stack(outputs, 1)


x_train, y_train = simulate(1500)
x_test, y_test = simulate(400)
mu, sd = y_train.mean(), y_train.std()

model = LevelTracker()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
for epoch in range(10):
    total = 0.0
    for idx in torch.randperm(len(x_train)).split(64):
        pred = model(x_train[idx])
        loss = nn.functional.mse_loss(pred, (y_train[idx] - mu) / sd)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(idx)
    scheduler.step()
    print(f"epoch {epoch + 1} train mse {total / len(x_train):.4f}")

with torch.no_grad():
    pred = model(x_test) * sd + mu
r2 = 1 - ((pred - y_test) ** 2).sum() / ((y_test - y_test.mean()) ** 2).sum()
print(f"test R2 {r2.item():.4f}")
