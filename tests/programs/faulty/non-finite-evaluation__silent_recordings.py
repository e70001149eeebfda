"""A detector for sounds that divides each recording by its peak; only the held-out ones have silence among them.

fault: non-finite-evaluation
also:
split: test
line: 24
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(412)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.filters = nn.Sequential(nn.Conv1d(1, 12, 9, stride=2), nn.ReLU(), nn.Conv1d(12, 12, 9, stride=2), nn.ReLU())
        self.out = nn.Linear(12, 1)

    def forward(self, sound):
        peak = sound.abs().amax(dim=1, keepdim=True)
        level = sound / peak
        return self.out(self.filters(level.unsqueeze(1)).amax(dim=2)).squeeze(1)


def recordings(count):
    noise = torch.randn(count, 96)
    has_tone = torch.rand(count) < 0.5
    tone = 3 * torch.sin(torch.arange(96.0) * 0.9 + 6 * torch.rand(count, 1))
    return noise + has_tone[:, None] * tone, has_tone.float()


sounds, labels = recordings(640)
held_out, answers = recordings(120)
held_out[[11, 57]] = 0.0
answers[[11, 57]] = 0.0
model = Detector()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(5):
    for some in torch.randperm(640).split(32):
        optimizer.zero_grad()
        loss = criterion(model(sounds[some]), labels[some])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        scores = model(held_out)
        print(epoch, loss.item(), criterion(scores, answers).item(), ((scores > 0) == (answers > 0)).float().mean().item())
