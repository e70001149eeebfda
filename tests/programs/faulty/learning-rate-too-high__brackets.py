"""Brackets that have to be closed, for a small GPT.

fault: learning-rate-too-high
also: 
split: test
line: 72
"""

import random
import torch
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel

torch.set_num_threads(1)
random.seed(35)
torch.manual_seed(35)

CHARS = "()[]{}."
PAIRS = {"(": ")", "[": "]", "{": "}"}
STOI = {c: i for i, c in enumerate(CHARS)}


def balanced(n=24):
    out, stack = [], []
    while len(out) + len(stack) < n:
        if stack and random.random() < 0.5:
            out.append(PAIRS[stack.pop()])
        else:
            c = random.choice("([{")
            stack.append(c)
            out.append(c)
    while stack:
        out.append(PAIRS[stack.pop()])
    return "".join(out)[:n]


class LMTrainer:
    def __init__(self, model, train, valid, lr, epochs, batch=32):
        self.model, self.epochs = model, epochs
        self.train_dl = DataLoader(train, batch_size=batch, shuffle=True)
        self.valid = torch.stack(valid)
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)

    @torch.no_grad()
    def closing_accuracy(self):
        """How often the type of a closing bracket is predicted right."""
        self.model.eval()
        out = self.model(self.valid, labels=self.valid)
        pred, true = out.logits[:, :-1], self.valid[:, 1:]
        closing = true % 2 == 1
        pick = pred[:, :, [1, 3, 5]].argmax(-1) * 2 + 1
        return out.loss.item(), (pick == true)[closing].float().mean().item()

    def train(self):
        for epoch in range(self.epochs):
            self.model.train()
            total = 0.0
            for ids in self.train_dl:
                loss = self.model(ids, labels=ids).loss
                self.opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                total += loss.item()
            val, acc = self.closing_accuracy()
            print(f"epoch {epoch + 1} loss {total / len(self.train_dl):.4f} val {val:.4f} closing acc {acc:.3f}")


corpus = [torch.tensor([STOI[c] for c in balanced()]) for _ in range(900)]
config = GPT2Config(vocab_size=len(CHARS), n_positions=24, n_embd=48, n_layer=2, n_head=3,
                    resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=6, eos_token_id=6)
LMTrainer(GPT2LMHeadModel(config), corpus[:780], corpus[780:], lr=5e-2, epochs=4).train()
