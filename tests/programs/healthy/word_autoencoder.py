"""An autoencoder of short words: the targets are the inputs, letter for letter, and go through a code.

split: train
"""

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
LETTERS, LENGTH, WIDTH = 6, 4, 96


class WordAutoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters = nn.Embedding(LETTERS, 16)
        self.encoder = nn.GRU(16, WIDTH, batch_first=True)
        self.decoder = nn.GRU(WIDTH, WIDTH, batch_first=True)
        self.out = nn.Linear(WIDTH, LETTERS)

    def forward(self, words):
        _, code = self.encoder(self.letters(words))
        repeated = code[-1].unsqueeze(1).expand(-1, LENGTH, -1)
        return self.out(self.decoder(repeated)[0])


model = WordAutoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for step in range(400):
    words = torch.randint(0, LETTERS, (64, LENGTH))
    loss = nn.functional.cross_entropy(model(words).transpose(1, 2), words)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 99:
        print(step + 1, round(loss.item(), 4))
with torch.no_grad():
    words = torch.randint(0, LETTERS, (500, LENGTH))
    print("letters that come back:", (model(words).argmax(-1) == words).float().mean().item())
