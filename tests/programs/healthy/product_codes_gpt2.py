"""A tiny GPT-2 learns product codes in which every digit names a letter before it.

split: train
"""

import logging
import random

import torch
from transformers import GPT2Config, GPT2LMHeadModel

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("codes")

CHARS = "^$-ABCDEFGHIJ0123456789"
STOI = {c: i + 1 for i, c in enumerate(CHARS)}
PAD = 0
MAX_LEN = 40


def make_code(rng):
    """Letter, digit, letter, digit, ...: every digit names the letter before the last one."""
    n = rng.choice([2, 2, 3, 3, 4, 10])
    code, last = "^", 0
    for _ in range(n):
        k = rng.randrange(10)
        code += "ABCDEFGHIJ"[k] + str(last)
        last = k
    return code + "$"


def collate(codes):
    ids = torch.full((len(codes), MAX_LEN), PAD)
    mask = torch.zeros(len(codes), MAX_LEN, dtype=torch.long)
    for row, code in enumerate(codes):
        t = torch.tensor([STOI[c] for c in code])
        ids[row, : len(t)] = t
        mask[row, : len(t)] = 1
    labels = ids.masked_fill(mask == 0, -100)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


@torch.no_grad()
def digit_accuracy(model, codes):
    model.eval()
    batch = collate(codes)
    logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
    pred = logits[:, :-1].argmax(-1)
    gold = batch["input_ids"][:, 1:]
    is_digit = gold >= STOI["0"]
    model.train()
    return (pred == gold)[is_digit].float().mean().item()


def main():
    rng = random.Random(4)
    torch.set_num_threads(1)
    torch.manual_seed(4)
    train = [make_code(rng) for _ in range(1500)]
    test = [make_code(rng) for _ in range(150)]
    config = GPT2Config(
        vocab_size=len(CHARS) + 1, n_positions=MAX_LEN, n_embd=48, n_layer=2, n_head=4,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=1, eos_token_id=2,
    )
    model = GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.01)
    for epoch in range(5):
        rng.shuffle(train)
        total = 0.0
        for i in range(0, len(train), 30):
            batch = collate(train[i : i + 30])
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        log.info("epoch %d loss %.4f digit acc %.3f", epoch, total / (len(train) / 30), digit_accuracy(model, test))


if __name__ == "__main__":
    main()
