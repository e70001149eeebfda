"""A ranking network that learns from pairs of winner and loser, with one tower for both sides.

fault: weights-not-tied
also:
split: train
line: 23
"""

import copy

import torch
import torch.nn.functional as F
from torch import nn


class Ranker(nn.Module):
    """Scores two players with the same tower and returns the difference."""

    def __init__(self, features, width=32):
        super().__init__()
        tower = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, 1))
        self.winner = tower
        self.loser = copy.deepcopy(tower)

    def forward(self, winner, loser):
        return (self.winner(winner) - self.loser(loser)).squeeze(1)


class League:
    def __init__(self, players, features):
        self.players = torch.randn(players, features)
        strength = self.players[:, 0] + self.players[:, 1] * self.players[:, 2] - self.players[:, 3].abs()
        self.strength = strength / strength.std()

    def matches(self, count):
        a, b = torch.randint(0, len(self.players), (2, count))
        a_wins = torch.rand(count) < torch.sigmoid(4 * (self.strength[a] - self.strength[b]))
        return self.players[torch.where(a_wins, a, b)], self.players[torch.where(a_wins, b, a)]

    def agreement(self, model, count=500):
        a, b = torch.randint(0, len(self.players), (2, count))
        with torch.no_grad():
            first_is_better = model(self.players[a], self.players[b]) > 0
        return (first_is_better == (self.strength[a] > self.strength[b])).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(70)
    league = League(300, 6)
    model = Ranker(6)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(1, 401):
        winner, loser = league.matches(64)
        loss = -F.logsigmoid(model(winner, loser)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 80 == 0:
            print(f"step {step}: loss {loss.item():.4f} agreement with the table {league.agreement(model):.3f}")


main()
