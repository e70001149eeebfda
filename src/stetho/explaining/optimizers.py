"""Optimizers that are given something else than parameters."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained
from stetho.explaining.scene import Explanation, Scene

OPTIMIZERS = ("SGD(", "Adam", "RMSprop(", "Adagrad(", "NAdam(", "RAdam(", "LBFGS(", "Adadelta(")


@explains(
    "no-parameters",
    r"optimizer got an empty parameter list",
)
def empty(_match: Match[str], scene: Scene) -> Explanation:
    """`optimizer got an empty parameter list`."""
    title = f"`{scene.code}`: there is no parameter to optimise"
    return explained(
        scene,
        title,
        "layers as attributes of the module, in nn.ModuleList or nn.ModuleDict: a plain list hides them",
        "list(model.parameters()), when the same generator was used up before",
        "a filter on requires_grad that leaves something",
    )


@explains(
    "computed-parameter",
    r"can't optimize a non-leaf Tensor",
)
def not_leaf(_match: Match[str], scene: Scene) -> Explanation:
    """`can't optimize a non-leaf Tensor`."""
    title = f"`{scene.code}` was given a tensor that is computed from others, and is not a parameter itself"
    return explained(
        scene,
        title,
        "nn.Parameter(…), or `.detach().requires_grad_()`, as the last thing done to it",
        "device= and scale where it is made: `.to(…)` and `* 0.1` after requires_grad=True make a new tensor",
    )


@explains(
    "not-parameters",
    r"params argument given to the optimizer should be an iterable of Tensors or dicts, but got ([\w.]+)",
    r"optimizer can only optimize Tensors, but one of the params is ([\w.]+)",
)
def not_parameters(match: Match[str], scene: Scene) -> Explanation:
    """`params argument given to the optimizer should be an iterable of Tensors`, `one of the params is Linear`."""
    title = f"`{scene.code}`: an optimizer takes a list of parameters, and got {match[1].rpartition('.')[2]}"
    return explained(scene, title, "model.parameters()", "[tensor], for a single one")


@explains(
    "model-for-parameters",
    r"'(\w+)' object is not iterable",
)
def model_for_parameters(match: Match[str], scene: Scene) -> Explanation | None:
    """`'Net' object is not iterable`, where an optimizer is made."""
    if "optim" not in scene.code and not scene.code.startswith(OPTIMIZERS):
        return None
    title = f"`{scene.code}`: an optimizer takes the parameters of a model, and got the {match[1]} itself"
    return explained(scene, title, "model.parameters()")


@explains(
    "schedule-length",
    r"You must define either total_steps OR \(epochs AND steps_per_epoch\)",
)
def schedule_length(_match: Match[str], scene: Scene) -> Explanation:
    """`You must define either total_steps OR (epochs AND steps_per_epoch)`."""
    title = f"`{scene.code}`: the cycle must know how many steps it is spread over"
    return explained(scene, title, "epochs=EPOCHS, steps_per_epoch=len(loader)", "total_steps=EPOCHS * len(loader)")


@explains(
    "schedule-over",
    r"Tried to step (\d+) times\. The specified number of total steps is (\d+)",
)
def schedule_over(match: Match[str], scene: Scene) -> Explanation:
    """`Tried to step 3 times. The specified number of total steps is 2`."""
    title = f"`{scene.code}`: the schedule was made for {match[2]} steps, and this is number {match[1]}"
    often = "scheduler.step() once for each update, when it is called more often"
    return explained(scene, title, "total_steps=EPOCHS * len(loader), the number of all updates", often)


@explains(
    "parameter-in-two-groups",
    r"some parameters appear in more than one parameter group",
)
def twice(_match: Match[str], scene: Scene) -> Explanation:
    """`some parameters appear in more than one parameter group`."""
    title = f"`{scene.code}`: a parameter belongs to one group, and here one belongs to two"
    return explained(scene, title, "groups without an overlap: shared (tied) weights in one of them only")


@explains(
    "learning-rate",
    r"Invalid (learning rate|momentum value|weight_decay value|epsilon value): (\S+)",
)
def learning_rate(match: Match[str], scene: Scene) -> Explanation:
    """`Invalid learning rate: -0.1`."""
    return explained(scene, f"the {match[1]} is {match[2]}, and cannot be", f"a {match[1]} of 0 or more")


@explains(
    "not-an-optimizer",
    r"(\w+) is not an Optimizer",
)
def not_an_optimizer(match: Match[str], scene: Scene) -> Explanation:
    """`Linear is not an Optimizer`."""
    title = f"`{scene.code}`: a scheduler changes the learning rate of an optimizer, and was given a {match[1]}"
    return explained(scene, title, "the optimizer, not the model or its parameters")


@explains(
    "scaler-order",
    r"Attempted step but _scale is None|No inf checks were recorded for this optimizer",
)
def scaler(_match: Match[str], scene: Scene) -> Explanation:
    """`Attempted step but _scale is None`, `No inf checks were recorded for this optimizer`."""
    title = f"`{scene.code}` comes without a scaled backward pass before it"
    return explained(scene, title, "scaler.scale(loss).backward() before scaler.step(optimizer)")


@explains(
    "closure-missing",
    r"LBFGS\.step\(\) missing 1 required positional argument: 'closure'",
)
def closure_missing(_match: Match[str], scene: Scene) -> Explanation:
    """`LBFGS.step() missing 1 required positional argument: 'closure'`."""
    title = f"`{scene.code}`: LBFGS computes the loss several times in a step, and must be told how"
    return explained(
        scene,
        title,
        "def closure(): optimizer.zero_grad(); loss = …; loss.backward(); return loss; then optimizer.step(closure)",
    )


@explains(
    "metric-missing",
    r"ReduceLROnPlateau\.step\(\) missing 1 required positional argument: 'metrics'",
)
def metric_missing(_match: Match[str], scene: Scene) -> Explanation:
    """`ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'`."""
    title = f"`{scene.code}`: this schedule follows a number that should fall, and was not given it"
    return explained(scene, title, "scheduler.step(validation_loss), once for each evaluation")


@explains(
    "sparse-gradients",
    r"(\w+) does not support sparse gradients|weight_decay option is not compatible with sparse gradients",
)
def sparse_gradients(match: Match[str], scene: Scene) -> Explanation:
    """`Adam does not support sparse gradients`, `weight_decay option is not compatible with sparse gradients`."""
    who = match[1] or "weight decay"
    title = f"`{scene.code}`: an embedding with sparse=True gives sparse gradients, and {who} cannot take them"
    own = "torch.optim.SparseAdam, or SGD and Adagrad without weight decay, for its parameters alone"
    return explained(scene, title, own, "sparse=False, which few tables are too large for")


@explains(
    "schedule-resumed",
    r"param 'initial_lr' is not specified in param_groups\[(\d+)\] when resuming",
)
def schedule_resumed(match: Match[str], scene: Scene) -> Explanation:
    """`param 'initial_lr' is not specified in param_groups[0] when resuming scheduler with last_epoch >= 0`."""
    title = f"`{scene.code}`: a schedule that goes on must know the rate that group {match[1]} began with"
    resumed = "last_epoch=-1, then scheduler.load_state_dict(checkpoint['scheduler'])"
    return explained(
        scene, title, resumed, "optimizer.load_state_dict(…) of the checkpoint before the schedule is made"
    )


@explains(
    "nesterov",
    r"Nesterov momentum requires a momentum and zero dampening",
)
def nesterov(_match: Match[str], scene: Scene) -> Explanation:
    """`Nesterov momentum requires a momentum and zero dampening`."""
    title = f"`{scene.code}`: nesterov=True looks ahead along the momentum, and there is none"
    return explained(scene, title, "momentum=0.9 beside it, and no dampening")


@explains(
    "unscaled-twice",
    r"unscale_\(\) has already been called on this optimizer since the last update\(\)",
)
def unscaled_twice(_match: Match[str], scene: Scene) -> Explanation:
    """`unscale_() has already been called on this optimizer since the last update()`."""
    title = f"`{scene.code}`: the gradients of this optimizer are unscaled already"
    return explained(
        scene,
        title,
        "scaler.unscale_(optimizer) once for each update: with accumulation, only before the step",
        "scaler.update() after every scaler.step(optimizer)",
    )
