"""Sequence sorting with a transformer encoder, linear warm-up and gradient accumulation.

split: test
"""
import torch
from torch import nn

torch.manual_seed(33)
torch.set_num_threads(1)
L, V = 8, 10


class Sorter(nn.Module):
    def __init__(self, d=48):
        super().__init__()
        self.tok = nn.Embedding(V, d)
        self.pos = nn.Parameter(torch.randn(L, d) * 0.1)
        layer = nn.TransformerEncoderLayer(d, 4, 96, dropout=0.0, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(d, V)

    def forward(self, x):
        return self.out(self.enc(self.tok(x) + self.pos))


net = Sorter()
opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.01)
TOTAL, ACC = 150, 2
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) / 30, (TOTAL - s) / (TOTAL - 30)))
for step in range(TOTAL):
    net.train()
    opt.zero_grad()
    acc_loss = 0.0
    for _ in range(ACC):
        x = torch.randint(0, V, (48, L))
        loss = nn.functional.cross_entropy(net(x).flatten(0, 1), x.sort(1).values.flatten()) / ACC
        loss.backward()
        acc_loss += loss.item()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 30 == 29:
        net.eval()
        with torch.no_grad():
            x = torch.randint(0, V, (300, L))
            a = (net(x).argmax(-1) == x.sort(1).values).float().mean()
        print(f"step {step + 1} lr {sched.get_last_lr()[0]:.5f} loss {acc_loss:.4f} token accuracy {a:.4f}")
