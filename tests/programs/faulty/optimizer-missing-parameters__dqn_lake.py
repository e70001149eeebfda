"""Deep Q-learning with replay and a target network on a 5x5 lake with holes.

fault: optimizer-missing-parameters
also:
split: train
line: 40
"""
import random
from collections import deque
import torch
import torch.nn as nn

torch.set_num_threads(1)
random.seed(2)
torch.manual_seed(2)
LAKE = ["S....", "..H..", ".H...", "...H.", "....G"]
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def encode(r, c):
    v = torch.zeros(25)
    v[r * 5 + c] = 1
    return v


def env_step(r, c, a):
    dr, dc = MOVES[a]
    r2, c2 = min(4, max(0, r + dr)), min(4, max(0, c + dc))
    cell = LAKE[r2][c2]
    if cell == "H":
        return r2, c2, -1.0, True
    if cell == "G":
        return r2, c2, 1.0, True
    return r2, c2, -0.01, False


policy_net = nn.Sequential(nn.Linear(25, 32), nn.ReLU(), nn.Linear(32, 4))
target_net = nn.Sequential(nn.Linear(25, 32), nn.ReLU(), nn.Linear(32, 4))
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.Adam(target_net.parameters(), lr=3e-3)
memory = deque(maxlen=4000)
gamma, eps = 0.95, 1.0


def optimise():
    s, a, r, s2, d = zip(*random.sample(memory, 32))
    s, s2 = torch.stack(s), torch.stack(s2)
    a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d, dtype=torch.float32)
    q = policy_net(s).gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        goal = r + gamma * (1 - d) * target_net(s2).max(1).values
    loss = nn.functional.smooth_l1_loss(q, goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


frames = 0
wins = deque(maxlen=50)
loss = 0.0
for ep in range(260):
    r, c = 0, 0
    for _ in range(30):
        if random.random() < eps:
            a = random.randrange(4)
        else:
            with torch.no_grad():
                a = int(policy_net(encode(r, c)).argmax())
        r2, c2, rew, done = env_step(r, c, a)
        memory.append((encode(r, c), a, rew, encode(r2, c2), float(done)))
        r, c = r2, c2
        frames += 1
        if len(memory) > 200:
            loss = optimise()
        if frames % 100 == 0:
            target_net.load_state_dict(policy_net.state_dict())
        if done:
            break
    wins.append(rew > 0.5)
    eps = max(0.1, eps * 0.985)
    if ep % 50 == 49:
        print(f"episode {ep + 1} eps {eps:.2f} td loss {loss:.4f} wins of last 50 {sum(wins)}")

succ = 0
for trial in range(20):
    r, c = random.choice([(0, 0), (0, 1), (1, 0), (3, 0), (0, 3), (2, 3)])
    for _ in range(30):
        with torch.no_grad():
            a = int(policy_net(encode(r, c)).argmax())
        r, c, rew, done = env_step(r, c, a)
        if done:
            break
    succ += rew > 0.5
print(f"greedy success rate {succ / 20:.2f}")
