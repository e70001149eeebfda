"""How models are put together. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_function_for_a_layer": (
        "not-a-module",
        """
        nn.Sequential(nn.Linear(2, 2), torch.relu)
        """,
        "`relu` is none",
        "nn.ReLU()",
    ),
    "a_dot_in_a_name": (
        "dotted-name",
        """
        nn.ModuleDict({'a.b': nn.Linear(1, 1)})
        """,
        "`a.b` cannot be the name",
        "`a_b`",
    ),
    "padding_outside_of_the_table": (
        "padding-index",
        """
        nn.Embedding(5, 2, padding_idx=7)
        """,
        "num_embeddings=len(vocabulary)",
    ),
    "a_layer_before_init": (
        "module-before-init",
        """
        class Net(nn.Module):
            def __init__(self):
                self.fc = nn.Linear(1, 1)
        Net()
        """,
        "super().__init__()",
    ),
    "no_forward": (
        "no-forward",
        """
        class Net(nn.Module):
            pass
        Net()(torch.zeros(1))
        """,
        "Net has no method `forward`",
    ),
    "a_layer_that_is_not_there": (
        "no-attribute",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc1 = nn.Linear(1, 1)
            def forward(self, x):
                return self.fc(x)
        net = Net()
        net(torch.zeros(1))
        """,
        "`net` (Net) has no layer or attribute `fc`",
        "`self.fc1`, when that is meant",
    ),
    "a_list_of_layers_that_is_called": (
        "no-forward",
        """
        layers = nn.ModuleList([nn.Linear(1, 1)])
        layers(torch.zeros(1))
        """,
        "only holds layers",
        "for layer in self.layers: x = layer(x)",
    ),
    "a_forward_without_return": (
        "none",
        """
        class Net(nn.Module):
            def forward(self, x):
                x + 1
        loss = Net()(torch.zeros(1)).mean()
        """,
        "`.mean` is asked of is None",
        "the `return` that is missing",
    ),
    "a_gradient_before_backward": (
        "none",
        """
        w = torch.ones(2, requires_grad=True)
        w.grad.zero_()
        """,
        "loss.backward() before it",
        "if p.grad is not None",
    ),
    "an_image_without_a_batch": (
        "interpolation-size",
        """
        x = torch.rand(3, 8, 8)
        F.interpolate(x, size=(16, 16), mode="bilinear")
        """,
        "to [16, 16]",
        "the places [8]",
        "[None]`, when the batch is missing",
    ),
    "a_tensor_for_a_parameter": (
        "parameter-value",
        """
        fc = nn.Linear(2, 2)
        fc.weight = torch.zeros(2, 2)
        """,
        "`weight` is a parameter",
        "nn.Parameter",
    ),
    "an_argument_that_is_missing": (
        "missing-argument",
        """
        nn.Linear(2, 2)()
        """,
        "Linear.forward takes 'input'",
    ),
    "a_share_of_dropout_in_percent": (
        "dropout-share",
        """
        nn.Dropout(50)
        """,
        "p=0.5",
    ),
    "an_image_without_batch": (
        "interpolation-axes",
        """
        x = torch.rand(2, 3)
        F.interpolate(x, size=4)
        """,
        "2 axes",
        "`x[None, None]`",
    ),
    "channels_that_cannot_be_shuffled": (
        "pixel-shuffle",
        """
        shuffle = nn.PixelShuffle(2)
        shuffle(torch.rand(1, 3, 4, 4))
        """,
        "4 channels",
    ),
    "two_inputs_for_one": (
        "too-many-arguments",
        """
        net = nn.Linear(2, 2)
        net(torch.rand(1, 2), torch.rand(1, 2))
        """,
        "Linear.forward takes 1 argument, and was called with 2",
        "torch.cat",
    ),
    "a_keyword_that_nobody_takes": (
        "unknown-argument",
        """
        net = nn.Linear(2, 2)
        net(torch.rand(1, 2), labels=torch.rand(1))
        """,
        "no argument `labels`",
    ),
    "pictures_without_a_batch_made_larger": (
        "interpolation-mode",
        """
        x = torch.rand(3, 8, 8)
        F.interpolate(x, scale_factor=2, mode="bilinear")
        """,
        "resizes 4 axes",
        "got 3",
        "`x.unsqueeze(0)`",
        "mode='linear'",
    ),
    "more_reflected_than_there_is": (
        "padding-size",
        """
        x = torch.rand(2, 3, 4, 4)
        F.pad(x, (5, 5, 5, 5), mode="reflect")
        """,
        "axis 3, which has only 4",
        "at most 3",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
