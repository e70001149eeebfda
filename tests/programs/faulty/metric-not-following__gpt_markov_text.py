"""A tiny GPT-2 from config on strings of a second-order rule language.

fault: metric-not-following
also:
split: train
line: 46
"""
import argparse
import torch
from transformers import GPT2Config, GPT2LMHeadModel


def make_text(n, T, V, table):
    x = torch.randint(0, V, (n, T))
    for t in range(2, T):
        nxt = table[x[:, t - 1], x[:, t - 2]]
        noise = torch.rand(n) < 0.05
        x[:, t] = torch.where(noise, torch.randint(0, V, (n,)), nxt)
    return x


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--vocab", type=int, default=12)
    p.add_argument("--seq", type=int, default=24)
    p.add_argument("--steps", type=int, default=180)
    p.add_argument("--lr", type=float, default=3e-3)
    return p.parse_args()


def main():
    args = get_args()
    torch.manual_seed(1234)
    torch.set_num_threads(1)
    table = torch.randint(0, args.vocab, (args.vocab, args.vocab))
    train = make_text(2000, args.seq, args.vocab, table)
    valid = make_text(200, args.seq, args.vocab, table)
    cfg = GPT2Config(vocab_size=args.vocab, n_positions=args.seq, n_embd=48, n_layer=2, n_head=4,
                     resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.steps)
    for step in range(args.steps):
        model.train()
        rows = train[torch.randint(0, len(train), (32,))]
        inputs, labels = rows[:, :-1], rows[:, 1:]
        loss = model(input_ids=inputs, labels=labels).loss
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 30 == 29:
            model.eval()
            with torch.no_grad():
                pred = model(input_ids=valid[:, :-1]).logits.argmax(-1)
            acc = (pred[:, 2:] == valid[:, 3:]).float().mean()
            print(f"step {step + 1} loss {loss.item():.4f} next-token accuracy {acc:.4f}")


if __name__ == "__main__":
    main()
