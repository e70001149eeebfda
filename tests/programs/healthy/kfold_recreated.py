"""Five-fold cross-validation of a logistic regression on iris, the model made anew for every fold.

split: train
"""

import numpy as np
import torch
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(90)

x, y = load_iris(return_X_y=True)
scores = []
for fold, (train, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(x, y)):
    mean, std = x[train].mean(0), x[train].std(0)
    inputs = torch.tensor((x[train] - mean) / std, dtype=torch.float32)
    labels = torch.tensor(y[train])
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for _epoch in range(60):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        guess = model(torch.tensor((x[test] - mean) / std, dtype=torch.float32)).argmax(1).numpy()
    scores.append((guess == y[test]).mean())
    print(f"fold {fold} loss {loss.item():.3f} accuracy {scores[-1]:.3f}")
print("mean accuracy", np.mean(scores))
