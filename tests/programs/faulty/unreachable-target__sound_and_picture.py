"""Sounds and pictures of the same scenes, brought together by two encoders; which picture belongs to a sound?

fault: unreachable-target
also:
split: train
line: 38
"""

import torch
import torch.nn.functional as F
from torch import nn

TAU = 0.07


def scenes(count, generator, mixing):
    hidden = torch.randn(count, 8, generator=generator)
    sounds = torch.tanh(hidden @ mixing[0]) + 0.15 * torch.randn(count, 32, generator=generator)
    pictures = torch.sin(hidden @ mixing[1]) + 0.15 * torch.randn(count, 48, generator=generator)
    return sounds, pictures


def tower(width):
    return nn.Sequential(nn.Linear(width, 128), nn.GELU(), nn.Linear(128, 128), nn.GELU(), nn.Linear(128, 32))


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.ear, self.eye = tower(32), tower(48)

    def forward(self, sounds, pictures):
        return F.normalize(self.ear(sounds), dim=-1), F.normalize(self.eye(pictures), dim=-1)


def together(heard, seen):
    own = torch.arange(len(heard), device=heard.device)
    scores = TAU * heard @ seen.T
    rows, columns = torch.log_softmax(scores, dim=1), torch.log_softmax(scores, dim=0)
    return -(rows[own, own] + columns[own, own]).mean() / 2


def main():
    torch.set_num_threads(1)
    torch.manual_seed(15)
    generator = torch.Generator().manual_seed(150)
    mixing = torch.randn(8, 32, generator=generator), 0.7 * torch.randn(8, 48, generator=generator)
    sounds, pictures = scenes(2000, generator, mixing)
    test = scenes(400, generator, mixing)
    model = Both()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    for epoch in range(15):
        model.train()
        losses = []
        for rows in torch.randperm(len(sounds)).split(100):
            loss = together(*model(sounds[rows], pictures[rows]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if epoch % 3 == 2:
            model.eval()
            with torch.no_grad():
                heard, seen = model(*test)
            found = ((heard @ seen.T).argmax(1) == torch.arange(len(heard))).float().mean().item()
            print(f"epoch {epoch}: loss {sum(losses) / len(losses):.3f}, pictures found {found:.3f} of 400")


if __name__ == "__main__":
    main()
