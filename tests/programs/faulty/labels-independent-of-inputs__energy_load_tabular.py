"""Hourly load prediction from weather and calendar features.

fault: labels-independent-of-inputs
also:
split: train
line: 22, 23
"""
import numpy as np
import torch

rng = np.random.RandomState(2)
torch.manual_seed(2)
torch.set_num_threads(1)

hours = np.arange(3000)
temp = 12 + 8 * np.sin(2 * np.pi * hours / 720) + 4 * np.sin(2 * np.pi * hours / 24) + rng.randn(3000)
hod = hours % 24
weekend = ((hours // 24) % 7 >= 5).astype(float)
load = 50 + 12 * np.sin(2 * np.pi * (hod - 8) / 24) - 9 * weekend + 0.15 * (temp - 14) ** 2 + 1.5 * rng.randn(3000)
features = np.column_stack([temp, np.sin(2 * np.pi * hod / 24), np.cos(2 * np.pi * hod / 24), weekend])

features = rng.permutation(features)
load = rng.permutation(load)
n_train = 2400
f_mean, f_std = features[:n_train].mean(0), features[:n_train].std(0)
l_mean, l_std = load[:n_train].mean(), load[:n_train].std()
x = torch.tensor((features - f_mean) / f_std, dtype=torch.float32)
t = torch.tensor((load - l_mean) / l_std, dtype=torch.float32)

net = torch.nn.Sequential(torch.nn.Linear(4, 32), torch.nn.ReLU(), torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
for epoch in range(15):
    perm = torch.randperm(n_train)
    for k in range(0, n_train, 60):
        j = perm[k:k + 60]
        loss = torch.nn.functional.l1_loss(net(x[j]).view(-1), t[j])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 2:
        with torch.no_grad():
            p = net(x[n_train:]).view(-1)
            r2 = 1 - ((p - t[n_train:]) ** 2).sum() / ((t[n_train:] - t[n_train:].mean()) ** 2).sum()
        print("epoch", epoch + 1, "train mae", round(loss.item(), 4), "test R2", round(r2.item(), 4))
