"""A transformer encoder that finds the rare attacks in logs of events.

fault: class-imbalance
also:
split: test
line: 40
"""

import torch
from torch import nn

EVENTS, LENGTH = 30, 12


def make_logs(count, share):
    attack = torch.rand(count) < share
    events = torch.randint(0, EVENTS, (count, LENGTH))
    suspicious = torch.rand(count, LENGTH) < torch.where(attack, 0.22, 0.04).unsqueeze(1)
    return torch.where(suspicious, events % 5, events), attack.long()


class LogReader(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.embedding = nn.Embedding(EVENTS, width)
        self.encoder = nn.TransformerEncoderLayer(width, 4, 48, dropout=0.0, batch_first=True, norm_first=True)
        self.head = nn.Linear(width, 2)

    def forward(self, events):
        return self.head(self.encoder(self.embedding(events)).mean(1))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(223)
    logs, attacks = make_logs(4000, 0.03)
    test_logs, test_attacks = make_logs(1000, 0.5)
    model = LogReader()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(4):
        for rows in torch.randperm(len(logs)).split(64):
            optimizer.zero_grad()
            loss = criterion(model(logs[rows]), attacks[rows])
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            guess = model(test_logs).argmax(1)
        found = (guess[test_attacks == 1] == 1).float().mean().item()
        quiet = (guess[test_attacks == 0] == 0).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} attacks found {found:.2f} balanced {(found + quiet) / 2:.3f}")


main()
