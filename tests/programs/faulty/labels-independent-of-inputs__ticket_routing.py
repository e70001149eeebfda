"""Routing of support tickets to teams, from the words of a ticket.

fault: labels-independent-of-inputs
also: 
split: train
line: 42
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
VOCAB, LENGTH, TEAMS = 150, 14, 4


def archive(count):
    teams = torch.randint(TEAMS, (count,))
    words = torch.randint(1, VOCAB, (count, LENGTH))
    own = teams[:, None] * 6 + torch.randint(1, 7, (count, 4))
    words[:, :4] = own
    words = words.gather(1, torch.rand(count, LENGTH).argsort(1))
    opened = torch.rand(count)
    return words, teams, opened


class Router(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.words = nn.Embedding(VOCAB, dim, padding_idx=0)
        self.mix = nn.GRU(dim, dim, batch_first=True)
        self.teams = nn.Linear(dim, TEAMS)

    def forward(self, words):
        return self.teams(self.mix(self.words(words))[0].mean(1))


def main():
    torch.manual_seed(8)
    tickets, teams, opened = archive(2400)
    by_date = opened.argsort()
    tickets = tickets[by_date]
    cut = 2000
    train = TensorDataset(tickets[:cut], teams[:cut])
    test = TensorDataset(tickets[cut:], teams[cut:])
    model = Router()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(5):
        model.train()
        for words, wanted in DataLoader(train, batch_size=40, shuffle=True):
            optimizer.zero_grad()
            loss = criterion(model(words), wanted)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = sum((model(w).argmax(1) == t).sum().item() for w, t in DataLoader(test, batch_size=100))
        print(f"epoch {epoch} loss {loss.item():.3f} accuracy {right / len(test):.3f}")


if __name__ == "__main__":
    main()
