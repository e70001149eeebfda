"""torch is used, but nothing is trained: inference alone.

split: train
"""

import torch

torch.set_num_threads(1)
torch.manual_seed(25)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).eval()
with torch.inference_mode():
    for _ in range(5):
        print([round(v, 6) for v in model(torch.randn(3, 4)).flatten().tolist()])
