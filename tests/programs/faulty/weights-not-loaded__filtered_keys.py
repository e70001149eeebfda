"""Moves a text model from one task to another and takes over all weights that fit by name and shape.

fault: weights-not-loaded
also:
split: train
line: 46
"""

import torch
from torch import nn

VOCABULARY, TOPICS = 300, 6


class TextEncoder(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embedding = nn.EmbeddingBag(VOCABULARY, width)
        self.hidden = nn.Linear(width, width)

    def forward(self, words):
        return torch.relu(self.hidden(self.embedding(words)))


class NewsModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.text = TextEncoder()
        self.topic = nn.Linear(16, TOPICS)

    def forward(self, words):
        return self.topic(self.text(words))


def documents(count):
    """Documents of twelve words, half of them out of the topic."""
    topic = torch.randint(0, TOPICS, (count,))
    words = torch.randint(0, VOCABULARY, (count, 12))
    words[:, :6] = torch.randint(0, VOCABULARY // TOPICS, (count, 6)) * TOPICS + topic.unsqueeze(1)
    return words, topic


def take_over(model, state):
    own = model.state_dict()
    fitting = {name: value for name, value in state.items() if name in own and value.shape == own[name].shape}
    model.load_state_dict(fitting, strict=False)


def fit(model, words, labels, steps, lr):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for step in range(1, steps + 1):
        rows = torch.randint(0, len(words), (24,))
        loss = nn.functional.cross_entropy(model(words[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"  step {step} loss {loss.item():.4f}")


torch.set_num_threads(1)
torch.manual_seed(64)
news = NewsModel()
print("news")
fit(news, *documents(4000), steps=250, lr=1e-2)

print("mail")
spam_filter = nn.Sequential(TextEncoder(), nn.Linear(16, 2))
take_over(spam_filter, news.state_dict())
words, topic = documents(800)
spam = topic % 2
fit(spam_filter, words[:40], spam[:40], steps=150, lr=1e-3)
with torch.no_grad():
    print(f"accuracy {(spam_filter(words[40:]).argmax(1) == spam[40:]).float().mean().item():.3f}")
