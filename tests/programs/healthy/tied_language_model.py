"""A small recurrent language model over words whose output layer shares the embedding's weights.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)


def make_sentences(count, generator):
    """Subject, verb, object triples, where the verb and the object depend on the subject."""
    subject = torch.randint(0, 10, (count,), generator=generator)
    verb = 10 + (subject * 3 + torch.randint(0, 2, (count,), generator=generator)) % 10
    target = 20 + (subject + verb) % 10
    end = torch.full((count,), 30)
    return torch.stack([subject, verb, target, end], 1)


class LanguageModel(nn.Module):
    def __init__(self, words=31, width=48):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        nn.init.normal_(self.embedding.weight, std=0.1)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.decoder = nn.Linear(width, words)
        self.decoder.weight = self.embedding.weight

    def forward(self, tokens):
        hidden, _ = self.rnn(self.embedding(tokens))
        return self.decoder(hidden)


def main():
    torch.manual_seed(5)
    generator = torch.Generator().manual_seed(1)
    train = make_sentences(1024, generator).reshape(-1, 16)
    held_out = make_sentences(256, generator).reshape(-1, 16)
    model = LanguageModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for _epoch in range(30):
        model.train()
        for rows in torch.randperm(len(train)).split(32):
            tokens = train[rows]
            logits = model(tokens[:, :-1])
            loss = criterion(logits.reshape(-1, 31), tokens[:, 1:].reshape(-1))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
    model.eval()
    with torch.no_grad():
        logits = model(held_out[:, :-1])
        loss = criterion(logits.reshape(-1, 31), held_out[:, 1:].reshape(-1))
    print(f"held-out perplexity {loss.exp().item():.2f} of 31 words")


if __name__ == "__main__":
    main()
