"""Five percent positives, weighted loss, judged by balanced accuracy.

split: train
"""
import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

X, y = make_classification(4000, 12, n_informative=6, weights=[0.95], class_sep=1.3, flip_y=0.0, random_state=5)
a, b, ya, yb = train_test_split(X, y, stratify=y, random_state=5)
s = StandardScaler().fit(a)
a, b = torch.tensor(s.transform(a), dtype=torch.float32), torch.tensor(s.transform(b), dtype=torch.float32)
ya_t = torch.tensor(ya, dtype=torch.float32)
torch.manual_seed(5)
model = torch.nn.Sequential(torch.nn.Linear(12, 48), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(48, 1))
weight = torch.tensor((ya == 0).sum() / (ya == 1).sum(), dtype=torch.float32)
crit = torch.nn.BCEWithLogitsLoss(pos_weight=weight)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(15):
    model.train()
    for i in torch.randperm(len(a)).split(100):
        opt.zero_grad()
        loss = crit(model(a[i]).squeeze(1), ya_t[i])
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        pred = (model(b).squeeze(1) > 0).numpy()
    bal = balanced_accuracy_score(yb, pred)
    if epoch % 5 == 4:
        print(epoch, float(loss), round(float(bal), 3))
print("SCORE", float(bal))
