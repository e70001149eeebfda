"""The level of tanks from their inflow and outflow, followed by a gated cell over long records.

fault: hidden-state-lost
also:
split: test
line: 50
"""

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class LevelMeter(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.cell = nn.GRUCell(2, width)
        self.read = nn.Linear(width, 1)
        self.memory = None

    def empty(self):
        self.memory = None

    def forward(self, flows):
        memory = flows.new_zeros(len(flows), self.cell.hidden_size) if self.memory is None else self.memory
        levels = []
        for flow in flows.unbind(1):
            memory = self.cell(flow, memory)
            levels.append(self.read(memory))
        self.memory = memory.detach()
        return torch.cat(levels, 1)


def records(tanks, hours):
    valves = (torch.rand(tanks, hours, 2) < 0.08).float()
    flows = valves * (0.5 + torch.rand(tanks, hours, 2))
    level = torch.zeros(tanks)
    levels = []
    for hour in range(hours):
        level = (0.98 * level + flows[:, hour, 0] - flows[:, hour, 1]).clamp(-3, 3)
        levels.append(level)
    return flows, torch.stack(levels, 1)


def go_through(model, flows, levels, piece, optimizer=None):
    errors = []
    for begin in range(0, flows.shape[1], piece):
        model.empty()
        guess = model(flows[:, begin : begin + piece])
        loss = F.mse_loss(guess, levels[:, begin : begin + piece])
        errors.append(loss.item())
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
    return sum(errors) / len(errors)


def main():
    torch.manual_seed(91)
    flows, levels = records(24, 480)
    test_flows, test_levels = records(12, 480)
    model = LevelMeter()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(16):
        model.empty()
        loss = go_through(model, flows, levels, 24, optimizer)
        if epoch % 4 == 3:
            model.empty()
            with torch.no_grad():
                error = go_through(model, test_flows, test_levels, 24)
            print(f"epoch {epoch + 1} loss {loss:.4f} r2 {1 - error / test_levels.var().item():.3f}")


if __name__ == "__main__":
    main()
