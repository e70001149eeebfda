"""Which of six authors wrote a text of letters: a network over letter counts, one draw of texts per step.

fault: single-label-batches
also:
split: train
line: 26
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(219)

AUTHORS, LETTERS = 6, 20
habits = torch.softmax(0.7 * torch.randn(AUTHORS, LETTERS), 1)


def texts_of(authors):
    letters = torch.multinomial(habits[authors], 40, replacement=True)
    counts = nn.functional.one_hot(letters, LETTERS).sum(1).float()
    return (counts - 2) / 2


def draw(size):
    authors = torch.randint(0, AUTHORS, (1,)).expand(size)
    return texts_of(authors), authors.clone()


model = nn.Sequential(nn.Linear(LETTERS, 48), nn.ReLU(), nn.Linear(48, AUTHORS))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
test_authors = torch.randint(0, AUTHORS, (400,))
test_texts = texts_of(test_authors)
for step in range(1, 401):
    texts, authors = draw(32)
    loss = nn.functional.cross_entropy(model(texts), authors)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 80 == 0:
        with torch.no_grad():
            accuracy = (model(test_texts).argmax(1) == test_authors).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} accuracy {accuracy:.3f}")
