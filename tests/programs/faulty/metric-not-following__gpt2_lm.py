"""A small language model built from a configuration.

fault: metric-not-following
also:
split: test
line: 35
"""

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import GPT2Config, GPT2LMHeadModel

VOCAB = 23
SEQ_LEN = 20


class ProgressionDataset(Dataset):
    """Each row is a, a+d, a+2d, ... modulo VOCAB."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        start = torch.randint(0, VOCAB, (n, 1), generator=g)
        delta = torch.randint(1, 6, (n, 1), generator=g)
        self.rows = (start + delta * torch.arange(SEQ_LEN)) % VOCAB

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    ids = torch.stack(rows)
    return {"input_ids": ids[:, :-1], "labels": ids[:, 1:]}


def build_model():
    config = GPT2Config(
        vocab_size=VOCAB,
        n_positions=SEQ_LEN,
        n_embd=48,
        n_layer=2,
        n_head=4,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=0,
    )
    return GPT2LMHeadModel(config)


@torch.no_grad()
def continuation_accuracy(model, rows, prompt=6):
    """Greedy continuation of a prompt, compared with the true rest of the row."""
    model.eval()
    ids = rows[:, :prompt]
    while ids.size(1) < SEQ_LEN:
        nxt = model(input_ids=ids).logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], dim=1)
    return (ids[:, prompt:] == rows[:, prompt:]).float().mean().item()


def main():
    torch.manual_seed(11)
    train = ProgressionDataset(1500, seed=1)
    test = ProgressionDataset(200, seed=2)
    loader = DataLoader(train, batch_size=50, shuffle=True, collate_fn=collate)

    model = build_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    epochs = 7
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=epochs * len(loader))

    for epoch in range(epochs):
        model.train()
        running = 0.0
        for batch in loader:
            out = model(**batch)
            optimizer.zero_grad()
            out.loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            running += out.loss.item()
        print(f"epoch {epoch} loss {running / len(loader):.4f}")
    acc = continuation_accuracy(model, test.rows)
    print(f"final continuation accuracy: {acc:.4f}")


if __name__ == "__main__":
    main()
