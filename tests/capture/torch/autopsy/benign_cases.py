"""Trainings in which infinities, or what looks like trouble, are as they should be."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .numerics import X, Y, benign, mlp, steps

SQUARE = torch.ones(6, 6, dtype=torch.bool)


class SelfAttention(nn.Module):
    """One head; the mask is up to the case."""

    def __init__(self, masked) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(4, 4) for _ in range(3))
        self.masked = masked

    def forward(self, x: Tensor) -> Tensor:
        return self.masked(self.query(x) @ self.key(x).T).softmax(-1) @ self.value(x)


def attends(masked) -> None:
    model = SelfAttention(masked)
    steps(model, lambda: model(X).square().mean())


@benign
def causal_mask_filled():
    attends(lambda scores: scores.masked_fill(SQUARE.triu(1), float("-inf")))


@benign
def causal_mask_added():
    mask = torch.zeros(6, 6).masked_fill(SQUARE.triu(1), float("-inf"))
    attends(lambda scores: scores + mask)


@benign
def causal_mask_by_where():
    attends(lambda scores: torch.where(SQUARE.tril(), scores, torch.tensor(float("-inf"))))


@benign
def masked_row_filled_with_zeros_afterwards():
    model = nn.Linear(4, 6)
    hidden = SQUARE.triu(0)

    def loss() -> Tensor:
        weights = model(X).masked_fill(hidden & ~hidden.all(1, keepdim=True), float("-inf")).softmax(-1)
        return weights.square().mean()

    steps(model, loss)


@benign
def framework_attention_with_a_mask():
    model = nn.Linear(4, 8)

    def loss() -> Tensor:
        heads = model(X).view(1, 6, 2, 4).transpose(1, 2)
        return functional.scaled_dot_product_attention(heads, heads, heads, is_causal=True).square().mean()

    steps(model, loss)


@benign
def transformer_layer_with_padding():
    model = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
    padded = torch.tensor([[False, False, True], [False, True, True]])
    steps(model, lambda: model(X.view(2, 3, 4), src_key_padding_mask=padded).square().mean())


@benign
def max_pool_with_padding():
    model = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.MaxPool2d(3, stride=1, padding=1))
    steps(model, lambda: model(X.view(1, 1, 6, 4)).square().mean())


@benign
def logsumexp_of_large_values():
    model = mlp()
    steps(model, lambda: torch.logsumexp(model(X) * 1e3, 1).mean() * 1e-3)


@benign
def softmax_of_large_values():
    model = mlp()
    steps(model, lambda: (model(X) * 1e4).softmax(1).square().mean())


@benign
def cross_entropy_of_large_values():
    model = mlp()
    steps(model, lambda: functional.cross_entropy(model(X) * 1e3, Y))


@benign
def binary_loss_of_sure_answers():
    model = mlp(4, 1)
    wanted = (X[:, :1] > 0).float()
    steps(model, lambda: functional.binary_cross_entropy(torch.sigmoid(model(X) * 1e3), wanted))


@benign
def logarithm_behind_a_safe_where():
    model = mlp()

    def loss() -> Tensor:
        out = model(X)
        safe = torch.where(out > 0, out, torch.ones_like(out))
        return torch.where(out > 0, safe.log(), torch.zeros_like(out)).mean()

    steps(model, loss)


@benign
def infinity_behind_clamp():
    model = mlp()
    steps(model, lambda: torch.log(torch.relu(model(X)).detach()).clamp_min(-10).mean() + model(X).square().mean())


@benign
def logarithm_of_a_clamped_value():
    model = mlp()
    steps(model, lambda: torch.log(torch.relu(model(X)).clamp_min(1e-6)).mean())


@benign
def norm_of_a_zero_vector():
    model = mlp()
    steps(model, lambda: (model(X) * 0).norm(dim=1).mean() + model(X).square().mean())


@benign
def deviation_of_equal_values():
    model = mlp()
    steps(model, lambda: (model(X) * 0).std() + model(X).square().mean())


@benign
def cosine_of_a_zero_vector():
    model = mlp(4, 4)
    steps(model, lambda: functional.cosine_similarity(model(X), torch.zeros(6, 4)).mean() + model(X).square().mean())


@benign
def normalised_zero_vector():
    model = mlp()
    steps(model, lambda: (functional.normalize(model(X) * 0) + model(X)).square().mean())


@benign
def distances_with_a_zero():
    model = mlp(4, 4)
    steps(model, lambda: torch.cdist(model(X), model(X).detach()).mean())


@benign
def smallest_of_infinite_candidates():
    model = mlp()

    def loss() -> Tensor:
        out = model(X).square()
        return torch.where(out > 1e9, out, torch.full_like(out, float("inf"))).minimum(out).mean()

    steps(model, loss)


@benign
def best_so_far_begins_at_infinity():
    model, best = mlp(), torch.tensor(float("inf"))

    def loss() -> Tensor:
        nonlocal best
        now = model(X).square().mean()
        best = torch.minimum(best, now.detach())
        return now

    steps(model, loss)


@benign
def maximum_pooled_over_a_mask():
    model = mlp()
    hidden = X[:, :3] > 0.5
    steps(model, lambda: model(X).masked_fill(hidden, float("-inf")).amax(0).square().mean())


@benign
def top_k_filter():
    model = mlp()

    def loss() -> Tensor:
        out = model(X)
        least = out.topk(2, dim=1).values[:, -1:]
        return functional.cross_entropy(out.masked_fill(out < least, float("-inf")), out.argmax(1))

    steps(model, loss)


@benign
def missing_targets_left_out():
    model, target = mlp(4, 1), X[:, :1].clone()
    target[5] = float("nan")

    def loss() -> Tensor:
        there = ~torch.isnan(target)
        return functional.mse_loss(model(X)[there], target[there])

    steps(model, loss)


@benign
def missing_inputs_filled_in():
    model, x = mlp(), X.clone()
    x[3, 1] = float("nan")
    steps(model, lambda: functional.cross_entropy(model(torch.nan_to_num(x)), Y))


@benign
def skipped_by_the_scaler():
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**126)
    for _ in range(6):
        optimizer.zero_grad()
        scaler.scale(functional.cross_entropy(model(X), Y) * 100).backward()
        scaler.step(optimizer)
        scaler.update(new_scale=1.0)


@benign
def metric_that_is_no_number():
    model = mlp()

    def loss() -> Tensor:
        out = model(X)
        ((out.argmax(1) == 7).float().sum() / (out * 0).sum()).item()
        return functional.cross_entropy(out, Y)

    steps(model, loss)


@benign
def entropy_with_xlogy():
    model = mlp()
    steps(model, lambda: -torch.special.entr((model(X) * 1e4).softmax(1).detach()).mean() + model(X).square().mean())


@benign
def empty_batch_summed():
    model = mlp()
    steps(model, lambda: model(X[:0]).sum() + model(X).square().mean())


@benign
def edit_distances_in_ctc():
    model = mlp(4, 5)

    def loss() -> Tensor:
        chances = model(X).view(6, 1, 5).log_softmax(-1)
        return functional.ctc_loss(chances, torch.tensor([[1, 2]]), torch.tensor([6]), torch.tensor([2]))

    steps(model, loss)


@benign
def unreachable_states_of_a_chain():
    """The forward algorithm in log space begins with chances of 0."""
    model = mlp()

    def loss() -> Tensor:
        start = torch.tensor([0.0, float("-inf"), float("-inf")])
        jumps = model(X).log_softmax(1)[:3]
        return -torch.logsumexp(torch.logsumexp(start[:, None] + jumps, 0), 0)

    steps(model, loss)


@benign
def large_values_in_half_precision():
    model = mlp()

    def loss() -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return functional.cross_entropy(model(X * 1e3), Y)

    steps(model, loss)


@benign
def sparse_gradients():
    model = nn.Embedding(10, 3, sparse=True)
    steps(model, lambda: functional.cross_entropy(model(Y), Y), optimizer=torch.optim.SparseAdam(model.parameters()))


@benign
def evaluation_with_an_infinite_score():
    model = mlp()
    steps(model, lambda: functional.cross_entropy(model(X), Y))
    with torch.no_grad():
        functional.nll_loss((model(X) * 1e4).softmax(1).log(), Y).item()


@benign
def root_that_a_relu_guards():
    """The gradient of the root at 0 is no number, but none of it comes through."""
    model = mlp()

    def loss() -> Tensor:
        out = model(X)
        root = torch.sqrt(torch.relu(out))
        return torch.where(out > 0, root, torch.zeros_like(root)).mean()

    steps(model, loss)


@benign
def angle_of_the_origin():
    model = mlp()

    def loss() -> Tensor:
        out = model(X)
        return torch.atan2(out - out, out.detach() - out).mean()

    steps(model, loss)
