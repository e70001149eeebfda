"""Rare alarms with a weight for them.

split: test
"""

import argparse
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def get_data(seed):
    X, y = make_classification(n_samples=9000, n_features=16, n_informative=8, n_redundant=2, weights=[0.96],
                               class_sep=1.6, flip_y=0.01, n_clusters_per_class=1, random_state=seed)
    a, b, c, d = train_test_split(X, y, test_size=0.3, stratify=y, random_state=seed)
    mean, std = a.mean(0), a.std(0)
    tens = lambda v: torch.tensor(v, dtype=torch.float32)
    return tens((a - mean) / std), tens(c), tens((b - mean) / std), tens(d)


class AlarmNet(nn.Module):
    def __init__(self, d_in, prior):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(d_in, 48), nn.LayerNorm(48), nn.ReLU(), nn.Dropout(0.1),
                                    nn.Linear(48, 24), nn.ReLU())
        self.logit = nn.Linear(24, 1)
        nn.init.constant_(self.logit.bias, prior)

    def forward(self, x):
        return self.logit(self.hidden(x)).squeeze(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    x_tr, y_tr, x_te, y_te = get_data(args.seed)
    pos = y_tr.mean()
    ratio = ((1 - pos) / pos).sqrt()
    print(f"positives {pos:.3f}, positive weight {ratio:.2f}")
    model = AlarmNet(x_tr.size(1), prior=torch.log(ratio * pos / (1 - pos)).item())
    criterion = nn.BCEWithLogitsLoss(pos_weight=ratio)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=128, shuffle=True, drop_last=True)
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            score = torch.sigmoid(model(x_te)).numpy()
        print(f"epoch {epoch} loss {total / len(loader):.4f} AUC {roc_auc_score(y_te, score):.4f} "
              f"AP {average_precision_score(y_te, score):.4f}")


if __name__ == "__main__":
    main()
