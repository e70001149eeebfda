"""Event logs of different lengths.

fault: collapsed-attention
also: 
split: train
line: 33, 52
"""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.set_num_threads(1)

PAD, N_EVENTS = 0, 30
torch.manual_seed(11)


def make_log():
    """Label 1: the alarm event (7) is in the log."""
    n = int(torch.randint(4, 20, (1,)))
    log = torch.randint(8, N_EVENTS, (n,))
    label = int(torch.rand(()) < 0.5)
    if label:
        log[int(torch.randint(0, n, (1,)))] = 7
    return log, label


def collate(batch):
    logs, labels = zip(*batch)
    ids = pad_sequence(logs, batch_first=True, padding_value=PAD)
    mask = ids != PAD
    return ids, mask, torch.tensor(labels)


class LogEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.tok = nn.Embedding(N_EVENTS, dim, padding_idx=PAD)
        self.pos = nn.Parameter(torch.randn(21, dim) * 0.1)
        self.cls = nn.Parameter(torch.randn(dim) * 0.1)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, 2)

    def forward(self, ids, key_padding_mask):
        b, t = ids.shape
        x = torch.cat([self.cls.expand(b, 1, -1), self.tok(ids)], dim=1) + self.pos[: t + 1]
        never = torch.zeros(b, 1, dtype=torch.bool)
        mask = torch.cat([never, key_padding_mask], dim=1)
        h = self.encoder(x, src_key_padding_mask=mask)
        return self.head(h[:, 0])


train = [make_log() for _ in range(1200)]
test = [make_log() for _ in range(300)]
loader = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate)
model = LogEncoder()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(8):
    model.train()
    total = 0.0
    for ids, mask, labels in loader:
        loss = nn.functional.cross_entropy(model(ids, mask), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    model.eval()
    with torch.no_grad():
        ids, mask, labels = collate(test)
        acc = (model(ids, mask).argmax(1) == labels).float().mean().item()
    print(f"epoch {epoch + 1} loss {total / len(loader):.3f} test acc {acc:.3f}")
