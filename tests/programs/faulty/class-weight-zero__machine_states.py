"""States of machines, some of them rare.

fault: class-weight-zero
also: 
split: test
line: 34
"""

# Condition of a pump from ten sensor readings: normal, leaking, clogged, worn bearing.
import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score, confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

torch.set_num_threads(1)
SEED = 21
np.random.seed(SEED)
torch.manual_seed(SEED)

X, y = make_classification(n_samples=4000, n_features=10, n_informative=8, n_redundant=0, n_classes=4,
                           n_clusters_per_class=1, class_sep=1.8, flip_y=0.0,
                           weights=[0.55, 0.2, 0.15, 0.1], random_state=SEED)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=SEED)
sc = StandardScaler()
X_train = torch.from_numpy(sc.fit_transform(X_train)).float()
X_test = torch.from_numpy(sc.transform(X_test)).float()
y_train_t = torch.from_numpy(y_train)

# rarer states should weigh more
counts = np.bincount(y_train, minlength=4)
class_weight = 1.0 - counts / counts.max()
print("counts", counts, "weights", np.round(class_weight, 2))
criterion = nn.CrossEntropyLoss(weight=torch.tensor(class_weight, dtype=torch.float32))

net = nn.Sequential(
    nn.Linear(10, 64), nn.GELU(), nn.Dropout(0.1),
    nn.Linear(64, 64), nn.GELU(), nn.Dropout(0.1),
    nn.Linear(64, 4),
)
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.3)

batch = 50
for epoch in range(25):
    net.train()
    order = np.random.permutation(len(X_train))
    epoch_loss = 0.0
    for start in range(0, len(order), batch):
        ids = torch.from_numpy(order[start:start + batch])
        optimizer.zero_grad()
        out = net(X_train[ids])
        loss = criterion(out, y_train_t[ids])
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
    scheduler.step()
    if (epoch + 1) % 5 == 0:
        net.eval()
        with torch.no_grad():
            pred = net(X_test).argmax(dim=1).numpy()
        print("epoch %d  loss %.4f  acc %.3f  balanced %.3f" % (
            epoch + 1, epoch_loss * batch / len(order), (pred == y_test).mean(), balanced_accuracy_score(y_test, pred)))

print(confusion_matrix(y_test, pred))
