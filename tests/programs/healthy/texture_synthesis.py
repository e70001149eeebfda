"""Texture synthesis: optimise the pixels of an image so that the Gram matrices of a fixed random network match.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class RandomFeatures(nn.Module):
    """An untrained multi-scale filter bank is enough for simple textures; its weights are never updated."""
    def __init__(self, width=64):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(1, width, k, padding=k // 2, padding_mode="circular") for k in (3, 7, 11)])
        for c in self.convs:
            nn.init.orthogonal_(c.weight.view(width, -1))
            nn.init.uniform_(c.bias, -0.2, 0.2)

    def forward(self, x):
        return [F.relu(c(x)) for c in self.convs]


def gram(f):
    b, c, h, w = f.shape
    v = f.view(b, c, h * w)
    return v @ v.transpose(1, 2) / (h * w)


def target_texture(size=32):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    stripes = torch.sin(2 * torch.pi * (xx + yy) / 8.0)
    return (stripes + 0.1 * torch.randn(size, size))[None, None]


def spectrum(x):
    x = x - x.mean()
    p = torch.fft.fft2(x[0, 0]).abs().pow(2)
    return p / p.sum()


def main():
    torch.manual_seed(0)
    net = RandomFeatures().eval().requires_grad_(False)
    texture = target_texture()
    with torch.no_grad():
        goal = [gram(f) for f in net(texture)]
    scale = [g.pow(2).sum() for g in goal]
    canvas = nn.Parameter(0.3 * torch.randn(1, 1, 32, 32))
    opt = torch.optim.LBFGS([canvas], lr=1.0, max_iter=20, history_size=20, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = sum((gram(f) - g).pow(2).sum() / s for f, g, s in zip(net(canvas), goal, scale))
        loss.backward()
        return loss

    p0 = spectrum(texture)
    print(f"spectrum overlap of the noise image {torch.minimum(p0, spectrum(canvas.detach())).sum():.3f}")
    for it in range(1, 11):
        loss = opt.step(closure)
        if it % 2 == 0:
            overlap = torch.minimum(p0, spectrum(canvas.detach())).sum()
            print(f"round {it} style loss {loss.item():.6f} spectrum overlap {overlap:.3f}")


if __name__ == "__main__":
    main()
