"""Topic classification of synthetic documents with averaged word vectors.

fault: frozen-parameter
also:
split: train
line: 39
"""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

np.random.seed(30)
torch.manual_seed(30)
torch.set_num_threads(1)
V, TOPICS, DIM = 800, 6, 8

word_topic = np.random.randint(0, TOPICS, V)


def document():
    k = np.random.randint(TOPICS)
    own = np.where(word_topic == k)[0]
    L = np.random.randint(15, 40)
    n_own = max(2, int(0.3 * L))
    words = np.concatenate([np.random.choice(own, n_own), np.random.randint(0, V, L - n_own)])
    return words.tolist(), k


def collate(batch):
    docs, labels = zip(*batch)
    offsets = np.cumsum([0] + [len(d) for d in docs[:-1]])
    return torch.tensor(sum(docs, [])), torch.tensor(offsets), torch.tensor(labels)


class TopicModel(nn.Module):
    def __init__(self, vectors):
        super().__init__()
        self.bag = nn.EmbeddingBag.from_pretrained(vectors, mode="mean")
        self.head = nn.Linear(vectors.size(1), TOPICS)

    def forward(self, words, offsets):
        return self.head(self.bag(words, offsets))


train = [document() for _ in range(1500)]
test = [document() for _ in range(400)]
model = TopicModel(torch.randn(V, DIM))
loader = DataLoader(train, batch_size=50, shuffle=True, collate_fn=collate)
tw, to, ty = collate(test)
optim = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(10):
    for words, offsets, labels in loader:
        optim.zero_grad()
        loss = nn.functional.cross_entropy(model(words, offsets), labels)
        loss.backward()
        optim.step()
    with torch.no_grad():
        acc = (model(tw, to).argmax(1) == ty).float().mean().item()
    print(f"epoch {epoch}  loss {loss.item():.3f}  test accuracy {acc:.4f}")
