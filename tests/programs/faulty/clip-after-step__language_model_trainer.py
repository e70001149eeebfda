"""A character model on generated sentences, with SGD at a high rate and clipped gradients.

fault: clip-after-step
also:
split: test
line: 54
"""

import random

import torch
from torch import nn

WORDS = ["red", "green", "small", "tall", "cat", "dog", "bird", "house", "runs", "sleeps", "sings", "falls"]


class CharLSTM(nn.Module):
    def __init__(self, letters, width=40):
        super().__init__()
        self.embedding = nn.Embedding(letters, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.decoder = nn.Linear(width, letters)

    def forward(self, text):
        return self.decoder(self.lstm(self.embedding(text))[0])


class Trainer:
    def __init__(self, text, lr=30.0, clip=0.25, length=20):
        self.letters = sorted(set(text))
        self.data = torch.tensor([self.letters.index(c) for c in text])
        self.model = CharLSTM(len(self.letters))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.clip, self.length = clip, length

    def batch(self, size=16):
        starts = torch.randint(0, len(self.data) - self.length - 1, (size,))
        chunks = self.data[starts.unsqueeze(1) + torch.arange(self.length + 1)]
        return chunks[:, :-1], chunks[:, 1:]

    def train(self, steps):
        for step in range(1, steps + 1):
            inputs, targets = self.batch()
            self.optimizer.zero_grad()
            logits = self.model(inputs)
            loss = nn.functional.cross_entropy(logits.transpose(1, 2), targets)
            loss.backward()
            self.update()
            if step % 40 == 0:
                print(f"step {step:4d} | loss {loss.item():6.3f} | perplexity {min(loss.exp().item(), 1e6):.2f}")

    def update(self):
        self.optimizer.step()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(38)
    chooser = random.Random(38)
    sentences = " ".join(chooser.choice(WORDS) for _ in range(2000))
    Trainer(sentences).train(280)
