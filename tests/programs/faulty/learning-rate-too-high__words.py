"""Words, letter by letter, for a small GPT-2.

fault: learning-rate-too-high
also: 
split: test
line: 42
"""

import argparse
import random
import torch
from transformers import GPT2Config, GPT2LMHeadModel, get_linear_schedule_with_warmup

WORDS = ("january february march april may june july august september october november december "
         "monday tuesday wednesday thursday friday saturday sunday").split()
BLOCK = 32


def build_stream(n_words, seed):
    rnd = random.Random(seed)
    return " ".join(rnd.choice(WORDS) for _ in range(n_words))


def get_batch(data, size, g):
    starts = torch.randint(0, len(data) - BLOCK, (size,), generator=g)
    return torch.stack([data[s:s + BLOCK] for s in starts.tolist()])


@torch.no_grad()
def evaluate(model, data, g):
    model.eval()
    ids = get_batch(data, 100, g)
    out = model(input_ids=ids, labels=ids)
    acc = (out.logits[:, :-1].argmax(-1) == ids[:, 1:]).float().mean().item()
    return out.loss.item(), acc


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=160)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--learning-rate", type=float, default=1e-1)
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--seed", type=int, default=6)
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    train_text, val_text = build_stream(3000, seed=1), build_stream(500, seed=2)
    vocab = {c: i for i, c in enumerate(sorted(set(train_text)))}
    train_ids = torch.tensor([vocab[c] for c in train_text])
    val_ids = torch.tensor([vocab[c] for c in val_text])

    config = GPT2Config(vocab_size=len(vocab), n_positions=BLOCK, n_embd=48, n_layer=2, n_head=4,
                        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
                        bos_token_id=None, eos_token_id=None)
    model = GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate, weight_decay=0.01)
    scheduler = get_linear_schedule_with_warmup(optimizer, args.warmup, args.steps)
    g = torch.Generator().manual_seed(args.seed)

    for step in range(1, args.steps + 1):
        model.train()
        ids = get_batch(train_ids, args.batch_size, g)
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        if step % 40 == 0:
            val_loss, acc = evaluate(model, val_ids, torch.Generator().manual_seed(9))
            print(f"step {step} loss {loss.item():.4f} val loss {val_loss:.4f} next-char acc {acc:.3f}")


if __name__ == "__main__":
    main()
