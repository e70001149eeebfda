"""Clicks are predicted from joined tables.

fault: labels-independent-of-inputs
also: 
split: test
line: 35
"""

# Click prediction: user table joined with an event log.
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(0)
rng = np.random.default_rng(42)

N_USERS, N_FEATS, N_EVENTS = 3000, 12, 3000

# user table, one row per user id
user_ids = rng.permutation(N_USERS) + 10_000
features = rng.normal(size=(N_USERS, N_FEATS))
w1 = rng.normal(size=(N_FEATS, 6))
score = np.tanh(features @ w1 / 2).sum(1) + 0.3 * rng.normal(size=N_USERS)
clicked = (score > np.median(score)).astype(np.float32)

# event log in its own order
log_order = rng.permutation(N_USERS)
log_ids, log_click = user_ids[log_order], clicked[log_order]


def join(ids, feats, ev_ids, ev_label):
    order_left = np.argsort(ids)
    X = feats[order_left]
    y = ev_label[np.isin(ev_ids, ids)]
    return X, y


X, y = join(user_ids, features, log_ids, log_click)
X = torch.tensor(X, dtype=torch.float32)
y = torch.tensor(y).unsqueeze(1)
mix = torch.randperm(len(X))
train, valid = mix[:2400], mix[2400:]

model = nn.Sequential(
    nn.Linear(N_FEATS, 64),
    nn.GELU(),
    nn.Linear(64, 32),
    nn.GELU(),
    nn.Linear(32, 1),
)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
bce = nn.BCEWithLogitsLoss()


def evaluate():
    model.eval()
    with torch.no_grad():
        logits = model(X[valid])
        return bce(logits, y[valid]).item(), ((logits > 0).float() == y[valid]).float().mean().item()


for epoch in range(15):
    model.train()
    order = train[torch.randperm(len(train))]
    tot = 0.0
    for chunk in order.split(64):
        loss = bce(model(X[chunk]), y[chunk])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        tot += loss.item() * len(chunk)
    vl, va = evaluate()
    print(f"[{epoch:02d}] train {tot / len(train):.4f} valid {vl:.4f} acc {va:.3f}")
