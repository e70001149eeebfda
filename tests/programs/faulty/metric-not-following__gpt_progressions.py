"""Tiny GPT-2 (from config) on modular arithmetic progressions.

fault: metric-not-following
also:
split: test
line: 41
"""
import torch
from transformers import GPT2Config, GPT2LMHeadModel

MOD, LEN = 17, 12


def make_sequences(n, gen):
    start = torch.randint(0, MOD, (n, 1), generator=gen)
    stride = torch.randint(1, 6, (n, 1), generator=gen)
    return (start + stride * torch.arange(LEN)) % MOD


def next_token_accuracy(model, seqs):
    model.eval()
    with torch.no_grad():
        pred = model(input_ids=seqs[:, :-1]).logits.argmax(-1)
    # the first two tokens are needed to know the stride
    return (pred[:, 1:] == seqs[:, 2:]).float().mean().item()


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    config = GPT2Config(vocab_size=MOD, n_positions=LEN, n_embd=48, n_layer=2, n_head=4,
                        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=350)
    held_out = make_sequences(500, torch.Generator().manual_seed(123))

    model.train()
    for step in range(1, 351):
        tokens = make_sequences(64, gen)
        batch = {"input_ids": tokens[:, :-1], "labels": tokens[:, 1:]}
        loss = model(**batch).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.4f}")
    print(f"next-token accuracy {next_token_accuracy(model, held_out):.4f}")


if __name__ == "__main__":
    main()
