"""A GRU language model on a generated grammar; the loss function works on probabilities.

fault: missing-log
also:
split: train
line: 40
"""

import torch
import torch.nn.functional as F
from torch import nn

WORDS = 24


class LanguageModel(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.output = nn.Linear(width, WORDS)

    def forward(self, ids):
        states, _ = self.gru(self.embedding(ids))
        return F.softmax(self.output(states), dim=-1)


def make_grammar():
    return torch.softmax(2.5 * torch.randn(WORDS, WORDS), -1)


def sentences(grammar, count, length=12):
    ids = [torch.randint(0, WORDS, (count,))]
    for _ in range(length):
        ids.append(torch.multinomial(grammar[ids[-1]], 1).squeeze(1))
    return torch.stack(ids, 1)


def loss_function(probabilities, targets):
    return F.nll_loss(probabilities.flatten(0, 1), targets.flatten())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(107)
    grammar = make_grammar()
    train, test = sentences(grammar, 1200), sentences(grammar, 300)
    model = LanguageModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(6):
        for rows in torch.randperm(len(train)).split(40):
            batch = train[rows]
            loss = loss_function(model(batch[:, :-1]), batch[:, 1:])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            likely = model(test[:, :-1]).gather(-1, test[:, 1:].unsqueeze(-1)).clamp(min=1e-9)
        print(f"epoch {epoch} loss {loss.item():.4f} test perplexity {(-likely.log().mean()).exp().item():.2f}")


main()
