"""Encoder and decoder that learn to sort short lists of digits.

fault: metric-not-following
also:
split: train
line: 68
"""

import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

SOS, EOS = 10, 11
VOCAB = 12


class SortingTask(Dataset):
    def __init__(self, size, length=5, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.src = torch.randint(0, 10, (size, length), generator=g)
        ordered = self.src.sort(dim=1).values
        sos = torch.full((size, 1), SOS)
        eos = torch.full((size, 1), EOS)
        self.tgt = torch.cat([sos, ordered, eos], dim=1)

    def __len__(self):
        return len(self.src)

    def __getitem__(self, index):
        return self.src[index], self.tgt[index]


class Encoder(nn.Module):
    def __init__(self, emb, hid):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, emb)
        self.gru = nn.GRU(emb, hid, batch_first=True)

    def forward(self, src):
        _, h = self.gru(self.embed(src))
        return h


class Decoder(nn.Module):
    def __init__(self, emb, hid):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, emb)
        self.gru = nn.GRU(emb, hid, batch_first=True)
        self.out = nn.Linear(hid, VOCAB)

    def forward(self, tokens, h):
        y, h = self.gru(self.embed(tokens), h)
        return self.out(y), h


class Seq2SeqTrainer:
    def __init__(self, emb=24, hid=96, lr=4e-3):
        self.encoder, self.decoder = Encoder(emb, hid), Decoder(emb, hid)
        self.params = list(self.encoder.parameters()) + list(self.decoder.parameters())
        self.optim = torch.optim.Adam(self.params, lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self, loader):
        self.encoder.train(), self.decoder.train()
        total = 0.0
        for src, tgt in loader:
            dec_in = tgt[:, :-1]
            gold = tgt[:, :-1]
            logits, _ = self.decoder(dec_in, self.encoder(src))
            loss = self.criterion(logits.flatten(0, 1), gold.flatten())
            self.optim.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.params, 1.0)
            self.optim.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def greedy(self, src, steps):
        self.encoder.eval(), self.decoder.eval()
        h = self.encoder(src)
        tok = torch.full((src.size(0), 1), SOS)
        produced = []
        for _ in range(steps):
            logits, h = self.decoder(tok, h)
            tok = logits.argmax(-1)
            produced.append(tok)
        return torch.cat(produced, dim=1)


if __name__ == "__main__":
    torch.manual_seed(8)
    train = DataLoader(SortingTask(4000, seed=1), batch_size=64, shuffle=True)
    held = SortingTask(400, seed=2)
    trainer = Seq2SeqTrainer()
    for epoch in range(12):
        loss = trainer.train_epoch(train)
        guess = trainer.greedy(held.src, held.tgt.size(1) - 1)
        acc = (guess == held.tgt[:, 1:]).float().mean().item()
        print(f"epoch {epoch + 1:2d}  loss {loss:.4f}  greedy token accuracy {acc:.3f}")
    print("example", held.src[0].tolist(), "->", guess[0].tolist())
