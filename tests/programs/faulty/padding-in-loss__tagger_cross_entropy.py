"""A GRU tagger on sentences of different lengths that are padded to the longest.

fault: padding-in-loss
also:
split: train
line: 42
"""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD, WORDS, TAGS = 0, 60, 6

torch.set_num_threads(1)
torch.manual_seed(136)
tag_of_word = torch.cat([torch.zeros(1, dtype=torch.long), torch.randint(1, TAGS, (WORDS - 1,))])


def sentences(count):
    texts, tags = [], []
    for _ in range(count):
        length = 25 if torch.rand(()) < 0.05 else int(torch.randint(2, 5, ()))
        words = torch.randint(1, WORDS, (length,))
        texts.append(words)
        tags.append(1 + (tag_of_word[words] + tag_of_word[words.roll(1)]) % (TAGS - 1))
    return pad_sequence(texts, batch_first=True), pad_sequence(tags, batch_first=True)


class Tagger(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.gru = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * width, TAGS)

    def forward(self, words):
        return self.out(self.gru(self.embedding(words))[0])


model = Tagger()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
words, tags = sentences(1000)
test_words, test_tags = sentences(300)
for epoch in range(5):
    for rows in torch.randperm(len(words)).split(20):
        loss = criterion(model(words[rows]).transpose(1, 2), tags[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = model(test_words).argmax(-1) == test_tags
    real = test_words != PAD
    print(f"epoch {epoch} loss {loss.item():.4f} words right {right[real].float().mean().item():.3f}")
