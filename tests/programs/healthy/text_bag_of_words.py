"""Topic of short texts with nn.EmbeddingBag; text made from topic word lists.

split: test
"""

import random
import torch
from torch import nn
from torch.utils.data import DataLoader

random.seed(39)
torch.manual_seed(39)
TOPICS = {
    "sport": "goal match team coach player league score run race win cup season referee stadium".split(),
    "food": "bread cheese soup oven recipe salt butter onion taste dinner chef spoon garlic sugar".split(),
    "tech": "code server laptop bug network update screen battery data cloud keyboard chip robot app".split(),
    "travel": "train hotel beach passport ticket flight map luggage island museum guide border bus camp".split(),
}
COMMON = "the a of and to in it was we they with for on this that very good new day time people".split()
NAMES = list(TOPICS)


def text():
    k = random.randrange(4)
    words = []
    for _ in range(random.randint(8, 16)):
        r = random.random()
        words.append(random.choice(COMMON) if r < 0.6 else random.choice(TOPICS[NAMES[k]]) if r < 0.93
                     else random.choice(TOPICS[random.choice(NAMES)]))
    return " ".join(words), k


corpus = [text() for _ in range(3000)]
train, valid, test = corpus[:2200], corpus[2200:2600], corpus[2600:]
vocab = {"<unk>": 0}
for s, _ in train:
    for w in s.split():
        vocab.setdefault(w, len(vocab))


def collate(rows):
    ids, offs, ys = [], [0], []
    for s, y in rows:
        t = [vocab.get(w, 0) for w in s.split()]
        ids += t
        offs.append(offs[-1] + len(t))
        ys.append(y)
    return torch.tensor(ids), torch.tensor(offs[:-1]), torch.tensor(ys)


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(len(vocab), 16, mode="mean")
        self.fc = nn.Linear(16, 4)

    def forward(self, ids, offs):
        return self.fc(self.bag(ids, offs))


model = Bag()
loader = DataLoader(train, batch_size=50, shuffle=True, collate_fn=collate)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
ce = nn.CrossEntropyLoss()


def check(rows):
    model.eval()
    ids, offs, y = collate(rows)
    with torch.no_grad():
        o = model(ids, offs)
    return ce(o, y).item(), (o.argmax(1) == y).float().mean().item()


for epoch in range(12):
    model.train()
    tot = 0.0
    for ids, offs, y in loader:
        loss = ce(model(ids, offs), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item()
    sched.step()
    vl, va = check(valid)
    print(f"epoch {epoch + 1} train {tot / len(loader):.4f} valid {vl:.4f} acc {va:.4f}")
print("test loss %.4f acc %.4f" % check(test))
