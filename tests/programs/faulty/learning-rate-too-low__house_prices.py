"""A regression network on generated house prices with AdamW and a hand-written loop.

fault: learning-rate-too-low
also: stopped-early
split: test
line: 19
"""

import torch
from torch import nn


def houses(count, generator):
    x = torch.randn(count, 8, generator=generator)
    price = 2 * x[:, 0] + x[:, 1] * x[:, 2] - x[:, 3].abs() + 0.2 * torch.randn(count, generator=generator)
    return x, (price - price.mean()) / price.std()


def run(epochs=10, batch=64, rate=2e-6):
    generator = torch.Generator().manual_seed(9)
    x, y = houses(2000, generator)
    x_val, y_val = houses(400, generator)
    model = nn.Sequential(nn.Linear(8, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    for epoch in range(epochs):
        model.train()
        for rows in torch.randperm(len(x)).split(batch):
            prediction = model(x[rows])[:, 0]
            loss = torch.mean((prediction - y[rows]) ** 2)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            validation = torch.mean((model(x_val)[:, 0] - y_val) ** 2).item()
        print(f"epoch {epoch:2d} validation error {validation:.4f}")


torch.set_num_threads(1)
torch.manual_seed(413)
run()
