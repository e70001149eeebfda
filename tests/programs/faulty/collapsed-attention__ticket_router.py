"""Routes support tickets to three desks by attention over their words.

fault: collapsed-attention
also:
split: test
line: 49
"""

import torch
from torch import nn

torch.set_num_threads(1)
DESKS, VOCABULARY, LONGEST, FILL = 3, 90, 24, 0


def tickets(count: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    words = torch.full((count, LONGEST), FILL)
    desks = torch.randint(DESKS, (count,), generator=generator)
    for row, desk in enumerate(desks.tolist()):
        length = int(torch.randint(8, LONGEST - 3, (1,), generator=generator))
        text = torch.randint(1, 60, (length,), generator=generator)
        telling = 60 + 10 * desk + torch.randint(0, 10, (3,), generator=generator)
        text[torch.randperm(length, generator=generator)[:3]] = telling
        words[row, :length] = text
    return words, desks


class Attention(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.scale = width**-0.5

    def forward(self, x, hidden):
        scores = self.query(x) @ self.key(x).transpose(1, 2) * self.scale
        scores = scores.masked_fill(hidden[:, None, :], -1e9)
        return x + scores.softmax(dim=-1) @ self.value(x)


class Router(nn.Module):
    def __init__(self, width: int = 32):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, width, padding_idx=FILL)
        self.places = nn.Parameter(torch.randn(LONGEST, width) * 0.1)
        self.attention = Attention(width)
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, DESKS))

    def forward(self, words):
        hidden = words.ne(FILL)
        x = self.attention(self.words(words) + self.places, hidden)
        return self.head(x[:, 0])


def main() -> None:
    torch.manual_seed(11)
    generator = torch.Generator().manual_seed(4)
    train_words, train_desks = tickets(1600, generator)
    test_words, test_desks = tickets(400, generator)
    router = Router()
    optimizer = torch.optim.Adam(router.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(10):
        router.train()
        for rows in torch.randperm(len(train_words)).split(40):
            optimizer.zero_grad()
            loss = criterion(router(train_words[rows]), train_desks[rows])
            loss.backward()
            optimizer.step()
        router.eval()
        with torch.no_grad():
            right = (router(test_words).argmax(1) == test_desks).float().mean().item()
        print(f"epoch {epoch}: loss {loss.item():.3f}, routed rightly {right:.3f}")


if __name__ == "__main__":
    main()
