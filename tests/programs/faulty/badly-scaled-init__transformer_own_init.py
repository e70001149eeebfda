"""A small transformer encoder with an initialisation of its own, which finds the largest token.

fault: badly-scaled-init
also: initial-loss-off, activation-scale, collapsed-attention
split: test
line: 14
"""

import torch
from torch import nn


class Finder(nn.Module):
    def __init__(self, vocabulary=20, width=32, std=0.8):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, vocabulary)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, 0.0, std)

    def forward(self, ids):
        return self.head(self.encoder(self.embedding(ids)).mean(1))


torch.set_num_threads(1)
torch.manual_seed(25)
model = Finder()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
for step in range(1, 401):
    ids = torch.randint(0, 20, (48, 6))
    loss = nn.functional.cross_entropy(model(ids), ids.amax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 80 == 0:
        ids = torch.randint(0, 20, (500, 6))
        with torch.no_grad():
            accuracy = (model(ids).argmax(1) == ids.amax(1)).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} accuracy {accuracy:.3f}")
