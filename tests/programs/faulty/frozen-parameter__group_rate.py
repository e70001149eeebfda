"""A text model whose embedding has a learning rate of its own.

fault: frozen-parameter
also: learning-rate-too-low
split: train
line: 14
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

VOCABULARY = 200
RATES = {"embedding": 0.0, "rest": 3e-3}


class Sentiment(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, width)
        self.lstm = nn.LSTM(width, 16, batch_first=True)
        self.out = nn.Linear(16, 2)

    def forward(self, words):
        return self.out(self.lstm(self.embedding(words))[0].mean(1))


def reviews(count, mood):
    words = torch.randint(0, VOCABULARY, (count, 12))
    return words, (mood[words].sum(1) > 0).long()


torch.set_num_threads(1)
torch.manual_seed(3)
mood = torch.randn(VOCABULARY)
model = Sentiment()
rest = [p for name, p in model.named_parameters() if not name.startswith("embedding")]
optimizer = torch.optim.Adam(
    [
        {"params": model.embedding.parameters(), "lr": RATES["embedding"]},
        {"params": rest, "lr": RATES["rest"]},
    ]
)
loader = DataLoader(TensorDataset(*reviews(2000, mood)), batch_size=50, shuffle=True)
new_words, new_labels = reviews(500, mood)
for epoch in range(8):
    for words, labels in loader:
        loss = nn.functional.cross_entropy(model(words), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(new_words).argmax(1) == new_labels).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
