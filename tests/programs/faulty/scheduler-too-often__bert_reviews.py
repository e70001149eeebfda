"""Reviews for a small BERT.

fault: scheduler-too-often
also: 
split: test
line: 71
"""

import torch
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset
from transformers import BertConfig, BertForSequenceClassification

torch.set_num_threads(1)
torch.manual_seed(2024)

GOOD = ["great", "superb", "lovely", "crisp", "smart"]
BAD = ["awful", "boring", "clumsy", "noisy", "stale"]
FILL = ["the", "movie", "was", "and", "plot", "actor", "scene", "music", "very", "a"]
VOCAB = {w: i for i, w in enumerate(["[PAD]", "[CLS]", "not"] + GOOD + BAD + FILL)}


def sentence(gen):
    words, score = [], 0
    for _ in range(int(torch.randint(3, 6, (1,), generator=gen))):
        words += [FILL[int(torch.randint(0, len(FILL), (1,), generator=gen))]]
    pool = int(torch.randint(0, 2, (1,), generator=gen))
    adj = (BAD, GOOD)[pool][int(torch.randint(0, 5, (1,), generator=gen))]
    negated = int(torch.randint(0, 2, (1,), generator=gen))
    at = int(torch.randint(0, len(words), (1,), generator=gen))
    words[at:at] = (["not"] if negated else []) + [adj]
    return words, pool ^ negated


class Reviews(Dataset):
    def __init__(self, n, seed, max_len=9):
        gen = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            words, y = sentence(gen)
            ids = [VOCAB["[CLS]"]] + [VOCAB[w] for w in words][: max_len - 1]
            mask = [1] * len(ids) + [0] * (max_len - len(ids))
            ids = ids + [0] * (max_len - len(ids))
            self.rows.append((torch.tensor(ids), torch.tensor(mask), torch.tensor(y)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


config = BertConfig(vocab_size=len(VOCAB), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                    intermediate_size=64, max_position_embeddings=16, num_labels=2,
                    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
model = BertForSequenceClassification(config)
train_loader = DataLoader(Reviews(1200, 1), batch_size=32, shuffle=True)
val_loader = DataLoader(Reviews(300, 2), batch_size=100)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
scheduler = StepLR(optimizer, step_size=3, gamma=0.2)

for epoch in range(7):
    model.train()
    epoch_loss = 0.0
    for ids, mask, y in train_loader:
        out = model(input_ids=ids, attention_mask=mask, labels=y)
        optimizer.zero_grad()
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        epoch_loss += out.loss.item()

    model.eval()
    correct = 0
    with torch.no_grad():
        for ids, mask, y in val_loader:
            correct += (model(input_ids=ids, attention_mask=mask).logits.argmax(-1) == y).sum().item()
    print(f"epoch {epoch + 1}/7 - loss {epoch_loss / len(train_loader):.4f} - val acc {correct / 300:.3f}")
