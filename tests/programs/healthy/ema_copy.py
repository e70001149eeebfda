"""A student with an averaged copy (the teacher) made by deepcopy in the middle of training and used as target.

split: train
"""

import copy

import torch
from torch import nn


@torch.no_grad()
def follow(teacher, student, decay=0.9):
    for slow, fast in zip(teacher.parameters(), student.parameters(), strict=True):
        slow.mul_(decay).add_(fast, alpha=1 - decay)
    for slow, fast in zip(teacher.buffers(), student.buffers(), strict=True):
        slow.copy_(fast)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(38)
    student = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.AdamW(student.parameters(), lr=5e-3)
    teacher = None
    for step in range(30):
        x = torch.randn(24, 8)
        y = x[:, :4].argmax(1)
        logits = student(x + 0.1 * torch.randn_like(x))
        loss = nn.functional.cross_entropy(logits, y)
        if teacher is not None:
            with torch.no_grad():
                wanted = teacher(x).softmax(1)
            loss = loss + 0.5 * nn.functional.kl_div(logits.log_softmax(1), wanted, reduction="batchmean")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step == 9:
            teacher = copy.deepcopy(student).requires_grad_(False)
        elif teacher is not None:
            follow(teacher, student)
        print(f"step {step} loss {loss.item()!r}")
    print("entries of the copy:", sorted(teacher.state_dict()))


if __name__ == "__main__":
    main()
