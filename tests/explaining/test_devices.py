"""Devices. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_layer_on_another_device": (
        "two-devices",
        """
        fc = nn.Linear(4, 2)
        x = torch.rand(3, 4, device='meta')
        fc(x)
        """,
        "`fc` (Linear) has its weights on cpu",
        "`x` is on meta",
        "`x.to('cpu')`",
    ),
    "a_layer_without_values": (
        "two-devices",
        """
        fc = nn.Linear(4, 2, device='meta')
        fc(torch.rand(3, 4))
        """,
        "`fc` (Linear) has its weights on meta",
        "no values",
        "model.to_empty",
    ),
    "two_tensors_on_two_devices": (
        "two-devices",
        """
        a, b = torch.rand(3), torch.rand(3, device='meta')
        a + b
        """,
        "cpu",
        "meta",
        "`a + b`",
    ),
    "no_cuda_here": (
        "no-cuda",
        """
        x = torch.zeros(1)
        x.cuda()
        """,
        "`x.cuda()` asks for a CUDA device",
        "torch.cuda.is_available()",
    ),
    "a_device_of_another_name": (
        "unknown-device",
        """
        torch.zeros(1, device='gpu')
        """,
        "'gpu'",
        "'cuda'",
    ),
    "a_tensor_without_data": (
        "no-data",
        """
        x = torch.zeros(1, device='meta')
        x.cpu()
        """,
        "meta",
        "to_empty",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
