"""A digit classifier treated as a bandit: the policy earns a reward for the right answer.

fault: wrong-loss-sign
also:
split: train
line: 33
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.distributions import Categorical


class Bandit:
    def __init__(self, lr):
        digits = load_digits()
        self.x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
        self.y = torch.tensor(digits.target)
        self.policy = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 10))
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=lr)

    def play(self, rows):
        choice = Categorical(logits=self.policy(self.x[rows]))
        action = choice.sample()
        reward = (action == self.y[rows]).float()
        advantage = reward - reward.mean()
        return choice.log_prob(action), advantage, reward

    def learn(self, steps, batch=128):
        for step in range(1, steps + 1):
            log_probability, advantage, reward = self.play(torch.randint(0, 1500, (batch,)))
            loss = (log_probability * advantage).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % 100 == 0:
                with torch.no_grad():
                    right = (self.policy(self.x[1500:]).argmax(1) == self.y[1500:]).float().mean().item()
                print(f"step {step}: mean reward {reward.mean().item():.3f}, test accuracy {right:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(131)
    Bandit(lr=5e-3).learn(500)
