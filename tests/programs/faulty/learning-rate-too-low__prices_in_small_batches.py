"""Prices of houses with a few very dear ones, in small batches by plain SGD.

fault: learning-rate-too-low
also:
split: train
line: 34
"""

import numpy as np
import torch

rng = np.random.default_rng(0)
n = 1500
rooms = rng.normal(6, 1, n)
age = rng.uniform(0, 100, n)
dist = rng.gamma(2, 2, n)
crime = rng.exponential(1, n)
price = 5 * rooms - 0.05 * age - 1.2 * np.log1p(dist) * crime + 0.4 * (rooms - 6) ** 3 + rng.normal(0, 0.5, n)
features = np.stack([rooms, age, dist, crime], 1)
features = (features - features.mean(0)) / features.std(0)
price = (price - price.mean()) / price.std()
X = torch.tensor(features, dtype=torch.float32)
Y = torch.tensor(price, dtype=torch.float32).view(-1, 1)
Xtrain, Ytrain, Xtest, Ytest = X[:1200], Y[:1200], X[1200:], Y[1200:]

torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Linear(4, 32),
    torch.nn.ReLU(),
    torch.nn.Linear(32, 32),
    torch.nn.ReLU(),
    torch.nn.Linear(32, 1),
)
learning_rate = 5e-5
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate)
loss_fn = torch.nn.MSELoss()

for t in range(25):
    shuffled = torch.randperm(1200)
    for b in range(0, 1200, 30):
        rows = shuffled[b:b + 30]
        loss = loss_fn(model(Xtrain[rows]), Ytrain[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if t % 5 == 4:
        with torch.no_grad():
            print(t + 1, "train", loss_fn(model(Xtrain), Ytrain).item(), "test", loss_fn(model(Xtest), Ytest).item())
