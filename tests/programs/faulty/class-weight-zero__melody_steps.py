"""Every note of a melody gets its role in the harmony: rest, root, third or fifth of the chord.

fault: class-weight-zero
also:
split: test
line: 60
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.set_num_threads(1)
ROLES = 4


def melody(generator):
    length = int(torch.randint(8, 24, (1,), generator=generator))
    role = torch.randint(0, ROLES, (length,), generator=generator)
    role[torch.rand(length, generator=generator) < 0.4] = 0
    chord = torch.randint(0, 6, (length,), generator=generator)
    notes = torch.where(role == 0, 1 + chord, 7 + chord * 3 + role - 1)
    return notes, role


class Melodies(torch.utils.data.Dataset):
    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.items = [melody(generator) for _ in range(count)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def together(items):
    notes, roles = zip(*items)
    return pad_sequence(notes, batch_first=True), pad_sequence(roles, batch_first=True)


class Analyst(nn.Module):
    def __init__(self):
        super().__init__()
        self.notes = nn.Embedding(25, 24, padding_idx=0)
        self.gru = nn.GRU(24, 32, batch_first=True, bidirectional=True)
        self.role = nn.Linear(64, ROLES)

    def forward(self, notes):
        out, _ = self.gru(self.notes(notes))
        return self.role(out)


def fit(model, loader, optimizer):
    total = 0.0
    for notes, roles in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(notes).reshape(-1, ROLES), roles.reshape(-1), ignore_index=0)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    torch.manual_seed(64)
    train = torch.utils.data.DataLoader(Melodies(640, 1), batch_size=32, shuffle=True, collate_fn=together)
    notes, roles = together(Melodies(160, 2).items)
    model = Analyst()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(6):
        loss = fit(model, train, optimizer)
        with torch.no_grad():
            right = (model(notes).argmax(-1) == roles)[notes > 0].float().mean()
        print(f"epoch {epoch} loss {loss:.4f} roles right {right:.3f}")


if __name__ == "__main__":
    main()
