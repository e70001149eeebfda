"""A GPT with tied weights that copies, in accumulated steps.

split: test
"""

import argparse
import torch
from transformers import GPT2Config, GPT2LMHeadModel, get_cosine_schedule_with_warmup

SEP, N_SYM, SPAN = 10, 10, 5


def batch_of(n):
    """Prompt of SPAN symbols, a separator, and the same symbols sorted; the prompt is not scored."""
    prompt = torch.randint(0, N_SYM, (n, SPAN))
    answer = prompt.sort(1).values
    ids = torch.cat([prompt, torch.full((n, 1), SEP), answer], 1)
    labels = ids.clone()
    labels[:, : SPAN + 1] = -100
    return ids, labels


@torch.no_grad()
def exact_match(model, n=200):
    model.eval()
    ids, labels = batch_of(n)
    cur = ids[:, : SPAN + 1]
    for _ in range(SPAN):
        nxt = model(cur).logits[:, -1].argmax(-1, keepdim=True)
        cur = torch.cat([cur, nxt], 1)
    model.train()
    return (cur[:, SPAN + 1:] == ids[:, SPAN + 1:]).all(1).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=150)
    p.add_argument("--accum", type=int, default=2)
    p.add_argument("--micro", type=int, default=40)
    p.add_argument("--lr", type=float, default=3e-3)
    a = p.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(99)
    cfg = GPT2Config(vocab_size=12, n_positions=16, n_embd=48, n_layer=2, n_head=4, bos_token_id=11,
                     eos_token_id=11, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    model = GPT2LMHeadModel(cfg)
    print("parameters:", sum(p.numel() for p in model.parameters()),
          "tied:", model.lm_head.weight is model.transformer.wte.weight)
    decay = [p for p in model.parameters() if p.dim() >= 2]
    plain = [p for p in model.parameters() if p.dim() < 2]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01},
                             {"params": plain, "weight_decay": 0.0}], lr=a.lr)
    sched = get_cosine_schedule_with_warmup(opt, 15, a.steps)
    model.train()
    for step in range(1, a.steps + 1):
        total = 0.0
        for _ in range(a.accum):
            ids, labels = batch_of(a.micro)
            loss = model(input_ids=ids, labels=labels).loss / a.accum
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        opt.zero_grad()
        if step % 20 == 0:
            print(f"step {step} loss {total:.4f} lr {sched.get_last_lr()[0]:.2e} exact {exact_match(model):.3f}")


if __name__ == "__main__":
    main()
