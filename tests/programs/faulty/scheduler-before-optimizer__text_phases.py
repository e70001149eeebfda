"""A GRU language model on generated text, with a table of rates for its phases, in a Trainer class.

fault: scheduler-before-optimizer
also:
split: test
line: 47
"""

import torch
from torch import nn


class CharModel(nn.Module):
    def __init__(self, letters, width=32):
        super().__init__()
        self.embed = nn.Embedding(letters, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, letters)

    def forward(self, text):
        return self.out(self.gru(self.embed(text))[0])


class Trainer:
    def __init__(self, model, text, lr):
        self.model, self.text = model, text
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        table = [1.0, 0.1, 0.01, 0.001, 0.001]
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda phase: table[phase])
        self.criterion = nn.CrossEntropyLoss()

    def batch(self, size=16, length=24):
        starts = torch.randint(0, len(self.text) - length - 1, (size,)).tolist()
        chunk = torch.stack([self.text[s : s + length + 1] for s in starts])
        return chunk[:, :-1], chunk[:, 1:]

    def step(self):
        inputs, targets = self.batch()
        loss = self.criterion(self.model(inputs).flatten(0, 1), targets.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, phases, steps):
        for phase in range(phases):
            self.scheduler.step()
            losses = [self.step() for _ in range(steps)]
            print(f"phase {phase}: loss {sum(losses[-10:]) / 10:.4f} lr {self.scheduler.get_last_lr()[0]:.6f}")


torch.set_num_threads(1)
torch.manual_seed(29)
phrase = "the quick brown fox jumps over the lazy dog and runs away from the angry bear "
alphabet = sorted(set(phrase))
text = torch.tensor([alphabet.index(letter) for letter in phrase * 40])
Trainer(CharModel(len(alphabet)), text, lr=1e-2).fit(phases=4, steps=50)
