"""A small causal transformer on generated sentences, padded to one length.

fault: padding-in-loss
also:
split: train
line: 53
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PAD, LENGTH, WORDS = 0, 20, 40


class CausalModel(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.words = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.positions = nn.Embedding(LENGTH, width)
        self.layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.head = nn.Linear(width, WORDS)

    def forward(self, ids):
        length = ids.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        x = self.words(ids) + self.positions(torch.arange(length))
        return self.head(self.layer(x, src_mask=mask, is_causal=True))


def make_text(count, following):
    ids = torch.zeros(count, LENGTH + 1, dtype=torch.long)
    ids[:, 0] = torch.randint(1, WORDS, (count,))
    lengths = torch.randint(3, 6, (count,))
    for t in range(1, 6):
        choice = torch.randint(0, 2, (count,))
        ids[:, t] = torch.where(t < lengths, following[ids[:, t - 1], choice], PAD)
    return ids


def main():
    torch.set_num_threads(1)
    torch.manual_seed(137)
    following = torch.randint(1, WORDS, (WORDS, 2))
    loader = DataLoader(TensorDataset(make_text(1500, following)), batch_size=30, shuffle=True)
    test = make_text(300, following)
    model = CausalModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(4):
        for (batch,) in loader:
            logits = model(batch[:, :-1])
            loss = F.cross_entropy(logits.reshape(-1, WORDS), batch[:, 1:].reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            logits = model(test[:, :-1])
        perplexity = F.cross_entropy(logits.reshape(-1, WORDS), test[:, 1:].reshape(-1), ignore_index=PAD).exp()
        print(f"epoch {epoch} loss {loss.item():.4f} test perplexity of words {perplexity.item():.2f}")


if __name__ == "__main__":
    main()
