"""Disease progression regression on the diabetes table.

fault: target-not-scaled
also:
split: train
line: 27
"""
import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

SEED = 2024
torch.set_num_threads(1)
np.random.seed(SEED)
torch.manual_seed(SEED)

feats, target = load_diabetes(return_X_y=True, scaled=False)
target = target.astype("float32")
scores = []
for fold, (itr, ite) in enumerate(KFold(3, shuffle=True, random_state=SEED).split(feats)):
    scaler = StandardScaler().fit(feats[itr])
    Xtr = torch.tensor(scaler.transform(feats[itr]), dtype=torch.float32)
    Xte = torch.tensor(scaler.transform(feats[ite]), dtype=torch.float32)
    center, spread = 0.0, 1.0
    ytr = torch.tensor((target[itr] - center) / spread)
    reg = torch.nn.Sequential(
        torch.nn.Linear(Xtr.shape[1], 24),
        torch.nn.ReLU(),
        torch.nn.Dropout(0.1),
        torch.nn.Linear(24, 1),
    )
    opt = torch.optim.Adam(reg.parameters(), lr=1e-3)
    for epoch in range(32):
        reg.train()
        for b in torch.randperm(len(Xtr)).split(16):
            opt.zero_grad()
            loss = torch.nn.functional.mse_loss(reg(Xtr[b])[:, 0], ytr[b])
            loss.backward()
            opt.step()
    reg.eval()
    with torch.no_grad():
        yhat = reg(Xte)[:, 0].numpy() * spread + center
    scores.append(r2_score(target[ite], yhat))
    print(f"fold {fold} R2 {scores[-1]:.4f}")
print(f"CV R2 {np.mean(scores):.4f}")
