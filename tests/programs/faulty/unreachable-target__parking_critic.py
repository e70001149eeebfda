"""Values of parking decisions, learnt from logged outcomes: wait, take the free spot, or drive to the garage.

fault: unreachable-target
also: output-activation
split: test
line: 44
"""

import argparse
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)


def outcomes(situation, decision):
    """Points for a decision: near free spots are worth much, waiting pays when turnover is high."""
    distance, turnover, hurry = situation.unbind(1)
    wait = 14 * turnover - 9 * hurry
    take = 11 * (1 - distance) - 3 * distance
    garage = 5 + 4 * hurry - 2 * (1 - distance)
    noise = 0.5 * torch.randn(len(situation))
    return torch.stack([wait, take, garage], 1)[torch.arange(len(situation)), decision] + noise


def best(situation):
    table = torch.stack([
        14 * situation[:, 1] - 9 * situation[:, 2],
        11 * (1 - situation[:, 0]) - 3 * situation[:, 0],
        5 + 4 * situation[:, 2] - 2 * (1 - situation[:, 0]),
    ], 1)
    return table, table.argmax(1)


class Critic(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.head = nn.Linear(width, 3)

    def forward(self, situation):
        return self.head(self.body(situation * 2 - 1)).sigmoid()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=900)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--width", type=int, default=48)
    args = parser.parse_args()
    torch.manual_seed(77)

    situations = torch.rand(4000, 3)
    decisions = torch.randint(0, 3, (4000,))
    points = outcomes(situations, decisions)
    held_out = torch.rand(500, 3)
    table, wanted = best(held_out)

    critic = Critic(args.width)
    optimizer = torch.optim.AdamW(critic.parameters(), lr=3e-3, weight_decay=1e-4)
    for step in range(1, args.steps + 1):
        chosen = torch.randint(0, len(situations), (args.batch,))
        values = critic(situations[chosen])[torch.arange(args.batch), decisions[chosen]]
        loss = (values - points[chosen]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 150 == 0:
            with torch.no_grad():
                picked = critic(held_out).argmax(1)
            regret = (table.max(1).values - table[torch.arange(500), picked]).mean()
            hit = (picked == wanted).float().mean()
            print(f"step {step} rmse {math.sqrt(loss.item()):.3f} right decision {hit:.3f} regret {regret:.2f}")


if __name__ == "__main__":
    main()
