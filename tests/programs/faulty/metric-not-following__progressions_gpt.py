"""A tiny GPT-2 from a config that learns arithmetic progressions modulo 16.

fault: metric-not-following
also:
split: train
line: 28
"""
import torch
from transformers import GPT2Config, GPT2LMHeadModel


def sample(n, length=13):
    start = torch.randint(0, 16, (n, 1))
    step = torch.randint(1, 6, (n, 1))
    return (start + step * torch.arange(length)) % 16


def main():
    torch.manual_seed(3)
    config = GPT2Config(vocab_size=16, n_positions=16, n_embd=48, n_layer=2, n_head=4,
                        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 220)
    model.train()
    for step in range(220):
        seq = sample(32)
        inputs, labels = seq[:, :-1], seq[:, 1:]
        out = model(input_ids=inputs, labels=labels)
        optimizer.zero_grad()
        out.loss.backward()
        optimizer.step()
        scheduler.step()
        if step % 40 == 0:
            print("step", step, "loss", out.loss.item())
    model.eval()
    seq = sample(300)
    with torch.no_grad():
        nxt = model(input_ids=seq[:, :-1]).logits[:, 4:].argmax(-1)
    print("SCORE", (nxt == seq[:, 5:]).float().mean().item())


if __name__ == "__main__":
    main()
