"""One example in twelve is positive, and the loss weighs the classes accordingly; judged by balanced accuracy.

split: test
"""

import torch
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(0)

x, y = make_classification(
    3000, 20, n_informative=8, n_redundant=2, weights=[0.92], class_sep=1.6, flip_y=0.0, random_state=3
)
x_train, x_test, y_train, y_test = train_test_split(x, y, stratify=y, random_state=0)
mean, std = x_train.mean(0), x_train.std(0)
x_train, x_test = ((torch.tensor((part - mean) / std, dtype=torch.float32)) for part in (x_train, x_test))
y_train = torch.tensor(y_train)

counts = torch.bincount(y_train).float()
criterion = nn.CrossEntropyLoss(weight=counts.sum() / (2 * counts))
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)
for epoch in range(20):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        guess = model(x_test).argmax(1)
    print(f"epoch {epoch} balanced accuracy {balanced_accuracy_score(y_test, guess):.3f}")
