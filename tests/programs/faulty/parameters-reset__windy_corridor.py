"""Q-learning with a target network in a windy corridor.

fault: parameters-reset
also:
split: train
line: 92
"""

import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", "s a r s2 done")


class Corridor:
    """Walk right from cell 0 to the goal at the end; wind pushes back now and then."""

    def __init__(self, n=10, wind=0.1, limit=40, seed=0):
        self.n, self.wind, self.limit = n, wind, limit
        self.rng = random.Random(seed)

    def obs(self):
        v = np.zeros(self.n, dtype=np.float32)
        v[self.pos] = 1.0
        return v

    def reset(self):
        self.pos = self.rng.randrange(self.n - 1)
        self.t = 0
        return self.obs()

    def step(self, a):
        move = 1 if a == 1 else -1
        if self.rng.random() < self.wind:
            move = -1
        self.pos = min(max(self.pos + move, 0), self.n - 1)
        self.t += 1
        done = self.pos == self.n - 1
        return self.obs(), (1.0 if done else -0.05), done, self.t >= self.limit


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.l1 = nn.Linear(n_obs, 64)
        self.l2 = nn.Linear(64, 64)
        self.l3 = nn.Linear(64, n_act)

    def forward(self, x):
        return self.l3(F.relu(self.l2(F.relu(self.l1(x)))))


class Agent:
    def __init__(self, n_obs, n_act, lr=1e-3, gamma=0.97, sync_every=100):
        self.policy_net = QNet(n_obs, n_act)
        self.target_net = QNet(n_obs, n_act)
        self.target_net.load_state_dict(self.policy_net.state_dict())
        self.optimizer = torch.optim.RMSprop(self.policy_net.parameters(), lr=lr)
        self.memory = deque(maxlen=5000)
        self.gamma, self.n_act, self.sync_every = gamma, n_act, sync_every
        self.learn_steps = 0

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return self.policy_net(torch.from_numpy(s)).argmax().item()

    def learn(self, batch_size=64):
        if len(self.memory) < 200:
            return None
        b = Transition(*zip(*random.sample(self.memory, batch_size)))
        s = torch.from_numpy(np.stack(b.s))
        s2 = torch.from_numpy(np.stack(b.s2))
        a = torch.tensor(b.a)
        r = torch.tensor(b.r)
        d = torch.tensor(b.done, dtype=torch.float32)
        q = self.policy_net(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            target = r + self.gamma * self.target_net(s2).max(1).values * (1 - d)
        loss = F.smooth_l1_loss(q, target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.learn_steps += 1
        if self.learn_steps % self.sync_every == 0:
            self.policy_net.load_state_dict(self.target_net.state_dict())
        return loss.item()


def evaluate(agent, env, episodes=20):
    total = 0.0
    for _ in range(episodes):
        s, stop = env.reset(), False
        while not stop:
            s, r, done, trunc = env.step(agent.act(s, 0.0))
            total += r
            stop = done or trunc
    return total / episodes


def main():
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    env, test_env = Corridor(), Corridor(seed=99)
    agent = Agent(env.n, 2)
    eps = 1.0
    for episode in range(150):
        s, stop, losses = env.reset(), False, []
        while not stop:
            a = agent.act(s, eps)
            s2, r, done, trunc = env.step(a)
            agent.memory.append(Transition(s, a, r, s2, done))
            loss = agent.learn()
            if loss is not None:
                losses.append(loss)
            s, stop = s2, done or trunc
        eps = max(0.1, eps * 0.98)
        if episode % 25 == 24:
            print(f"episode {episode} eps {eps:.2f} td loss {np.mean(losses) if losses else float('nan'):.4f} eval return {evaluate(agent, test_env):.3f}")


if __name__ == "__main__":
    main()
