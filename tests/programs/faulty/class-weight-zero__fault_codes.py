"""Machine fault codes from sensor tables, with a weighted loss.

fault: class-weight-zero
also:
split: test
line: 26
"""

import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 21
torch.manual_seed(SEED)
x, y = make_classification(
    n_samples=3000, n_features=16, n_informative=9, n_classes=4, n_clusters_per_class=1,
    weights=[0.55, 0.25, 0.13, 0.07], class_sep=1.4, random_state=SEED,
)
x = (x - x.mean(0)) / x.std(0)
xtr, xte, ytr, yte = train_test_split(x.astype(np.float32), y, test_size=0.3, stratify=y, random_state=SEED)
counts = np.bincount(ytr)
weights = len(ytr) // (len(counts) * counts)
print("class counts", counts, "weights", weights)

loader = DataLoader(TensorDataset(torch.from_numpy(xtr), torch.from_numpy(ytr)), batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(16, 64), nn.LeakyReLU(), nn.Dropout(0.1), nn.Linear(64, 32), nn.LeakyReLU(), nn.Linear(32, 4))
criterion = nn.CrossEntropyLoss(weight=torch.tensor(weights, dtype=torch.float32))
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)

for epoch in range(15):
    model.train()
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.inference_mode():
        pred = model(torch.from_numpy(xte)).argmax(1).numpy()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1:2d} loss {loss.item():.3f} balanced accuracy {balanced_accuracy_score(yte, pred):.3f}")
