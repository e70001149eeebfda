"""Backward passes. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_result_that_is_to_be_frozen": (
        "computed-frozen",
        """
        x = torch.ones(3, requires_grad=True) * 2
        x.requires_grad_(False)
        """,
        "computed from others",
        ".detach()",
    ),
    "a_loss_without_a_graph": (
        "no-graph",
        """
        model = nn.Linear(2, 1)
        loss = model(torch.rand(4, 2)).mean()
        loss = torch.tensor(loss.item())
        loss.backward()
        """,
        "`loss` does not depend on any parameter",
        "program.py:4",
        "torch.tensor(…)",
        "`.item()`",
    ),
    "a_graph_used_up": (
        "backward-twice",
        """
        x = torch.ones(3, requires_grad=True)
        loss = (x * x).sum()
        loss.backward()
        loss.backward()
        """,
        "`loss`",
        "detach",
        "retain_graph",
    ),
    "values_overwritten_by_a_line": (
        "overwritten-in-place",
        """
        x = torch.ones(3, requires_grad=True)
        y = x.exp()
        y += x
        y.sum().backward()
        """,
        "float32[3], the output of Exp, was changed in place 1 time",
        "program.py:4: y += x",
        "x = x + y",
    ),
    "values_overwritten_by_a_layer": (
        "overwritten-in-place",
        """
        net = nn.Sequential(nn.Sigmoid(), nn.ReLU(inplace=True))
        x = torch.rand(3, requires_grad=True)
        net(x).sum().backward()
        """,
        "output of Sigmoid",
        "layer `1`: ReLU(inplace=True)",
    ),
    "weights_overwritten_by_an_optimizer": (
        "overwritten-in-place",
        """
        a, b = nn.Linear(2, 2), nn.Linear(2, 2)
        opt = torch.optim.SGD(b.parameters(), lr=0.1)
        y = b(a(torch.ones(1, 2)))
        y.sum().backward(retain_graph=True)
        opt.step()
        y.sum().backward()
        """,
        "before any optimizer.step()",
    ),
    "a_parameter_changed_in_place": (
        "leaf-in-place",
        """
        w = torch.zeros(3, requires_grad=True)
        w += 1
        """,
        "`w`",
        "torch.no_grad()",
    ),
    "a_part_of_a_parameter_changed_in_place": (
        "leaf-in-place",
        """
        fc = nn.Linear(2, 2)
        fc.weight[0] = 1
        """,
        "a part of `fc.weight`",
    ),
    "one_of_several_views_changed_in_place": (
        "view-in-place",
        """
        x = torch.zeros(4, requires_grad=True) * 1
        torch.split(x, 2)[0].add_(1)
        """,
        "Split",
        "clone",
    ),
    "a_loss_of_many_numbers": (
        "loss-not-scalar",
        """
        x = torch.zeros(3, requires_grad=True)
        loss = x * 2
        loss.backward()
        """,
        "`loss` [3]",
        "`loss.mean().backward()`",
    ),
    "numpy_of_a_graph": (
        "numpy-with-grad",
        """
        out = torch.zeros(3, requires_grad=True) * 2
        out.numpy()
        """,
        "`out`",
        "`out.detach().cpu().numpy()`",
    ),
    "an_input_that_was_not_used": (
        "unused-in-graph",
        """
        a, b = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
        torch.autograd.grad(a.sum(), b)
        """,
        "allow_unused=True",
    ),
    "a_tensor_of_inference_mode": (
        "inference-tensor",
        """
        with torch.inference_mode():
            x = torch.ones(2)
        fc = nn.Linear(2, 2)
        fc(x).sum().backward()
        """,
        "inference_mode",
        "clone",
    ),
    "a_copy_of_a_graph": (
        "copied-graph",
        """
        import copy
        copy.deepcopy(torch.zeros(2, requires_grad=True) * 2)
        """,
        "detach",
    ),
    "a_gradient_of_another_shape": (
        "gradient-size",
        """
        x = torch.zeros(3, requires_grad=True)
        x.grad = torch.zeros(4)
        """,
        "[3]",
        "[4]",
    ),
    "a_loss_of_decisions": (
        "no-graph",
        """
        model, x = nn.Linear(3, 3), torch.rand(4, 3)
        chosen = model(x).argmax(1).float()
        loss = (chosen - torch.tensor([0.0, 1, 2, 0])).pow(2).mean()
        loss.backward()
        """,
        "another way for program.py:3: whole numbers, comparisons and argmax have no gradient",
    ),
    "a_result_changed_inside_of_a_model": (
        "overwritten-in-place",
        """
        def forward(x):
            states = torch.zeros(3, 4)
            h = torch.tanh(x)
            states[:] = h
            h += 0.1
            return states
        loss = forward(torch.rand(3, 4, requires_grad=True)).sum()
        loss.backward()
        """,
        "the output of Tanh",
        "program.py:6: h += 0.1",
    ),
    "a_gradient_too_few": (
        "number-of-gradients",
        """
        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, y):
                return x * y
            @staticmethod
            def backward(ctx, grad):
                return grad
        x, y = torch.rand(3, requires_grad=True), torch.rand(3)
        loss = Scale.apply(x, y).sum()
        loss.backward()
        """,
        "Scale.backward gives 1 of 2 gradients",
        "`return` with 2 values",
    ),
    "a_gradient_of_a_function_with_another_shape": (
        "shape-of-gradient",
        """
        class Total(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.sum(0)
            @staticmethod
            def backward(ctx, grad):
                return grad
        loss = Total.apply(torch.rand(3, 4, requires_grad=True)).sum()
        loss.backward()
        """,
        "argument 0 a gradient of [4]",
        "`grad.expand(3, 4)`",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
