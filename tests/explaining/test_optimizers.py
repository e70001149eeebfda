"""Optimizers. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_step_without_a_closure": (
        "closure-missing",
        """
        optimizer = torch.optim.LBFGS(nn.Linear(1, 1).parameters())
        optimizer.step()
        """,
        "several times in a step",
        "optimizer.step(closure)",
    ),
    "a_plateau_of_nothing": (
        "metric-missing",
        """
        optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
        torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer).step()
        """,
        "scheduler.step(validation_loss)",
    ),
    "gradients_of_few_rows": (
        "sparse-gradients",
        """
        table = nn.Embedding(5, 2, sparse=True)
        table(torch.tensor([1])).sum().backward()
        torch.optim.Adam(table.parameters()).step()
        """,
        "Adam cannot take them",
        "SparseAdam",
    ),
    "decay_of_few_rows": (
        "sparse-gradients",
        """
        table = nn.Embedding(5, 2, sparse=True)
        table(torch.tensor([1])).sum().backward()
        torch.optim.Adagrad(table.parameters(), weight_decay=0.1).step()
        """,
        "weight decay cannot take them",
    ),
    "a_schedule_that_goes_on": (
        "schedule-resumed",
        """
        optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
        torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10, last_epoch=3)
        """,
        "group 0 began with",
        "load_state_dict",
    ),
    "nesterov_without_momentum": (
        "nesterov",
        """
        torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1, nesterov=True)
        """,
        "momentum=0.9",
    ),
    "gradients_that_are_unscaled_twice": (
        "unscaled-twice",
        """
        optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
        scaler = torch.amp.GradScaler('cpu')
        loss = sum(p.sum() for p in optimizer.param_groups[0]['params'])
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.unscale_(optimizer)
        """,
        "unscaled already",
        "only before the step",
    ),
    "no_parameters": (
        "no-parameters",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = [nn.Linear(2, 2)]
        torch.optim.SGD(Net().parameters(), lr=0.1)
        """,
        "nn.ModuleList",
    ),
    "a_schedule_that_is_over": (
        "schedule-over",
        """
        optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=2)
        for _ in range(4):
            optimizer.step()
            scheduler.step()
        """,
        "made for 2 steps",
        "number 3",
        "total_steps=EPOCHS * len(loader)",
    ),
    "a_computed_tensor": (
        "computed-parameter",
        """
        torch.optim.SGD([torch.zeros(3, requires_grad=True) * 2], lr=0.1)
        """,
        "nn.Parameter",
    ),
    "a_tensor_for_a_list": (
        "not-parameters",
        """
        torch.optim.SGD(torch.zeros(3), lr=0.1)
        """,
        "FloatTensor",
        "[tensor]",
    ),
    "a_layer_for_a_parameter": (
        "not-parameters",
        """
        torch.optim.SGD([nn.Linear(1, 1)], lr=0.1)
        """,
        "Linear",
        "model.parameters()",
    ),
    "a_parameter_in_two_groups": (
        "parameter-in-two-groups",
        """
        w = torch.zeros(1, requires_grad=True)
        torch.optim.SGD([{'params': [w]}, {'params': [w]}], lr=0.1)
        """,
        "belongs to two",
    ),
    "a_negative_rate": (
        "learning-rate",
        """
        torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=-0.1)
        """,
        "-0.1",
    ),
    "a_scheduler_of_a_model": (
        "not-an-optimizer",
        """
        torch.optim.lr_scheduler.StepLR(nn.Linear(1, 1), 1)
        """,
        "was given a Linear",
    ),
    "a_scaler_without_a_scaled_loss": (
        "scaler-order",
        """
        scaler = torch.amp.GradScaler('cpu')
        scaler.step(torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1))
        """,
        "scaler.scale(loss).backward()",
    ),
    "a_model_for_its_parameters": (
        "model-for-parameters",
        """
        net = nn.Linear(2, 2)
        torch.optim.Adam(net, lr=1e-3)
        """,
        "got the Linear itself",
        "model.parameters()",
    ),
    "a_cycle_without_a_length": (
        "schedule-length",
        """
        optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
        torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1)
        """,
        "how many steps",
        "steps_per_epoch=len(loader)",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
