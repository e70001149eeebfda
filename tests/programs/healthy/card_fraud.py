"""Card fraud, 2 % positives: weighted loss, judged by average precision and recall.

split: train
"""
import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, recall_score


def transactions(n, seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.02).astype(np.float32)
    x = rng.normal(0, 1, (n, 12))
    fraud = y == 1
    x[fraud, 0] += 2.2
    x[fraud, 1] -= 2.0
    x[fraud, 2] *= 2.5
    x[fraud, 3] += 1.5 * np.sign(x[fraud, 4])
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


def main():
    torch.manual_seed(8)
    xt, yt = transactions(20000, 1)
    xv, yv = transactions(8000, 2)
    pos_weight = (yt == 0).sum() / (yt == 1).sum()
    model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))
    crit = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    epochs = 6
    steps = epochs * ((len(xt) + 255) // 256)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-3, total_steps=steps)
    for epoch in range(epochs):
        model.train()
        for idx in torch.randperm(len(xt)).split(256):
            loss = crit(model(xt[idx]).squeeze(1), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
        model.eval()
        with torch.no_grad():
            logit = model(xv).squeeze(1)
        ap = average_precision_score(yv.numpy(), logit.numpy())
        rec = recall_score(yv.numpy(), (logit > 0).numpy())
        print(f"epoch {epoch} AP {ap:.4f} recall {rec:.4f} (chance AP {yv.mean():.3f})")
    print(f"score {ap:.4f}")


if __name__ == "__main__":
    main()
