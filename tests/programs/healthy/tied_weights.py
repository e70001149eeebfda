"""A language model whose output layer is the transposed embedding: one parameter under two names.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(7)


class TinyLanguageModel(nn.Module):
    def __init__(self, vocabulary=40, width=24):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.mix = nn.GRU(width, width, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.decode = nn.Linear(width, vocabulary, bias=False)
        self.decode.weight = self.embed.weight

    def forward(self, tokens):
        hidden, _ = self.mix(self.embed(tokens))
        return self.decode(self.norm(hidden))


model = TinyLanguageModel()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
text = (torch.arange(4000) * 7 + torch.arange(4000) // 11) % 40
for _ in range(25):
    starts = torch.randint(0, 3900, (8,))
    chunk = torch.stack([text[s : s + 17] for s in starts])
    logits = model(chunk[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, 40), chunk[:, 1:].reshape(-1))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print("loss:", loss.item())
