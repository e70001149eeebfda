"""Electric load by weather and hour, seven features from a table.

fault: misplaced-dropout
also:
split: train
line: 30
"""

import pandas as pd
import torch
from torch import nn

torch.manual_seed(65)
n = 2400
frame = pd.DataFrame(torch.randn(n, 5).numpy(), columns=["temp", "wind", "sun", "people", "price"])
hour = torch.randint(0, 24, (n,)).numpy()
angle = torch.tensor(hour) / 24 * 2 * torch.pi
frame["hour_sin"], frame["hour_cos"] = angle.sin().numpy() * 1.41, angle.cos().numpy() * 1.41
frame["load"] = (frame.temp ** 2 * 0.5 - frame.temp + 0.6 * frame.people * frame.hour_sin + 0.5 * frame.wind.abs() - 0.4 * frame.sun + 0.3 * frame.price)
frame["load"] = (frame.load - frame.load.mean()) / frame.load.std()
train, test = frame.iloc[:2000], frame.iloc[2000:]


def tensors(part):
    return torch.tensor(part.drop(columns="load").values, dtype=torch.float32), torch.tensor(part["load"].values, dtype=torch.float32)


xtr, ytr = tensors(train)
xte, yte = tensors(test)
model = nn.Sequential(nn.Dropout(0.5), nn.Linear(7, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1), nn.Flatten(0))
opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-5)
history = []
for epoch in range(20):
    model.train()
    for idx in torch.randperm(len(xtr)).split(50):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(xtr[idx]), ytr[idx])
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        history.append({"epoch": epoch, "train": nn.functional.mse_loss(model(xtr), ytr).item(), "test": nn.functional.mse_loss(model(xte), yte).item()})
print(pd.DataFrame(history).iloc[3::4].to_string(index=False))
