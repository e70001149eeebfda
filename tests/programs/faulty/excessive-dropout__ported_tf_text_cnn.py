"""Keyword-spotting text CNN ported from an old TensorFlow script.

fault: excessive-dropout
also:
split: train
line: 37
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
np.random.seed(4)
torch.manual_seed(4)

FLAGS = dict(embedding_dim=24, filter_sizes=(2, 3), num_filters=12, dropout_keep_prob=0.95, batch_size=50, num_epochs=8)
VOCAB, MAX_LEN, N_CLASSES = 60, 20, 5
phrases = np.random.randint(0, VOCAB, (N_CLASSES, 2, 2))


def load_data(n):
    x = np.random.randint(0, VOCAB, (n, MAX_LEN))
    y = np.random.randint(0, N_CLASSES, n)
    for i in range(n):
        p = np.random.randint(0, MAX_LEN - 2)
        x[i, p:p + 2] = phrases[y[i], np.random.randint(2)]
    return torch.tensor(x), torch.tensor(y)


class TextCNN(nn.Module):
    def __init__(self, flags):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, flags["embedding_dim"])
        self.convs = nn.ModuleList(
            nn.Conv1d(flags["embedding_dim"], flags["num_filters"], k) for k in flags["filter_sizes"])
        self.dropout = nn.Dropout(flags["dropout_keep_prob"])
        self.fc = nn.Linear(flags["num_filters"] * len(flags["filter_sizes"]), N_CLASSES)

    def forward(self, x):
        e = self.embedding(x).transpose(1, 2)
        h = torch.cat([F.relu(c(e)).amax(2) for c in self.convs], 1)
        return self.fc(self.dropout(h))


x_train, y_train = load_data(1500)
x_dev, y_dev = load_data(300)
cnn = TextCNN(FLAGS)
optimizer = torch.optim.Adam(cnn.parameters(), 5e-3)
for epoch in range(FLAGS["num_epochs"]):
    cnn.train()
    for idx in torch.randperm(len(x_train)).split(FLAGS["batch_size"]):
        optimizer.zero_grad()
        loss = F.cross_entropy(cnn(x_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
    cnn.eval()
    with torch.no_grad():
        acc = (cnn(x_dev).argmax(1) == y_dev).float().mean().item()
    print("epoch {}, loss {:.4f}, dev acc {:.4f}".format(epoch, loss.item(), acc))
