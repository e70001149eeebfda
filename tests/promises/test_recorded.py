"""What a run holds of each kind of program: steps, losses as the program printed them, names, phases, peculiarities."""

import re

import pytest

LOSS = re.compile(r"loss[ =:]+(-?[0-9.]+(?:e[-+]?[0-9]+)?)")

PLAIN = (
    "amp_bf16",
    "compiled",
    "compiled_in_place",
    "custom_autograd",
    "dataclass_outputs",
    "dict_outputs",
    "ema_copy",
    "exception_halfway",
    "forks",
    "forks_pool",
    "frozen_backbone",
    "gan",
    "gradient_penalty",
    "hand_indexed",
    "hooks_of_their_own",
    "inplace_relu",
    "jit_script",
    "lbfgs_closure",
    "loader_workers",
    "manual_update",
    "multithreaded_loader",
    "nested_containers",
    "parametrized",
    "plain_loop",
    "reads_stdin_and_argv",
    "rnn_cell",
    "saves_checkpoints",
    "scheduler_and_clip",
    "shared_module",
    "spawns",
    "submodule_called_directly",
    "sys_exit_code",
    "tied_weights",
    "trainer_class",
    "transformers_from_config",
    "tuple_outputs",
    "two_models_one_optimizer",
    "activation_checkpointing",
)
"""Programs that print one loss for each step."""


@pytest.fixture
def recorded(programs):
    """The recorded run of a program that was watched with every option on: `recorded(name)`."""
    return lambda name, rank=None: programs.watched(name).run(rank)


def steps_of(run):
    return run.table("steps").to_pylist()


def names(run, role, phase="train", model=None):
    found = {s.name for s in run.series if s.role == role and s.phase == phase and model in (None, s.model)}
    return {name for name in found if name}


def parameters_of(run, model=0):
    return {parameter["name"]: parameter for parameter in run.model["models"][model]["parameters"]}


def notes_of(run):
    return " ".join(f"{note.get('kind')} {note.get('text')}" for note in run.notes)


@pytest.mark.parametrize("name", PLAIN)
def test_there_is_a_step_for_each_loss_that_the_program_printed(name, programs):
    watched = programs.watched(name)
    printed = [float(value) for value in LOSS.findall(watched.output)]
    steps = steps_of(watched.run())

    assert printed
    assert [step["step"] for step in steps] == list(range(1, len(printed) + 1))
    assert [step["loss"] for step in steps] == printed
    assert all(step["tier"] == "full" for step in steps)
    assert all(step["seconds"] > 0 for step in steps)
    assert not any(step["skipped"] for step in steps)


@pytest.mark.parametrize("name", sorted({*PLAIN, "gradient_accumulation", "grad_scaler_skips", "train_and_validate"}))
def test_every_trained_parameter_has_values_gradients_and_updates(name, recorded):
    run = recorded(name)
    held = {p["name"] for m in run.model["models"] for p in m["parameters"] if p.get("optimizer") is not None}
    if name == "manual_update":
        held = {"weight", "bias"}
    seldom = {"rare.weight", "rare.bias"}

    assert held
    for role in ("param", "grad", "update"):
        assert names(run, role) >= held, role
    counts = run.query("select name, count(*) as n from stats where role = 'grad' group by name").to_pylist()
    assert all(row["n"] >= len(steps_of(run)) / 3 for row in counts if row["name"] not in seldom)


def test_the_plain_loop_is_recorded_whole(recorded):
    run = recorded("plain_loop")
    steps = steps_of(run)
    model = run.model["models"][0]

    assert run.state == "finished"
    assert run.info["steps"] == 48
    assert run.info["exit"]["kind"] == "finished"
    assert model["class"] == "Net"
    assert [layer["name"] for layer in model["layers"]] == ["", "fc1", "fc2"]
    assert set(parameters_of(run)) == {"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"}
    assert names(run, "act") >= {"fc1", "fc2"}
    assert names(run, "act_grad") >= {"fc1", "fc2"}
    assert {"state.exp_avg", "state.exp_avg_sq"} <= {series.role for series in run.series}
    assert {step["batch_size"] for step in steps} == {16}
    assert {step["order"] for step in steps} == {"zero_grad forward backward step"}
    assert [step["epoch"] for step in steps] == [epoch for epoch in (1, 2, 3) for _ in range(16)]
    assert {step["lr"] for step in steps} == {0.01}
    assert all(step["grad_norm"] > 0 for step in steps)
    assert all(0 <= step["accuracy"] <= 1 for step in steps)
    loader = run.model["loaders"][0]
    assert (loader["length"], loader["batch_size"], loader["shuffled"], loader["workers"]) == (256, 16, True, 0)
    lines = {kind: [line.rpartition("/")[2] for line in places] for kind, places in run.model["lines"].items()}
    assert lines["backward"] == ["plain_loop.py:35"]
    assert lines["step"] == ["plain_loop.py:36"]
    assert len(run.tensors(2)) > 4


@pytest.mark.parametrize(
    ("role", "name"), [("param", "fc1.weight"), ("grad", "fc2.weight"), ("act", "fc1"), ("act_grad", "fc2")]
)
def test_measures_are_those_of_the_tensors(role, name, recorded):
    run = recorded("plain_loop")
    for step in (1, 2, 3):
        tensor = run.tensors(step)[f"{role}/{name}"].astype("float64")
        expected = {"mean": tensor.mean(), "rms": (tensor**2).mean() ** 0.5, "min": tensor.min(), "max": tensor.max()}
        for measure, value in expected.items():
            steps, values = run.values(f"{role}.{measure}", name)
            assert values[list(steps).index(step)] == pytest.approx(value, rel=1e-4, abs=1e-7), (step, measure)


def test_accumulated_passes_are_counted(programs):
    watched = programs.watched("gradient_accumulation")
    printed = [float(value) for value in LOSS.findall(watched.output)]
    steps = steps_of(watched.run())

    assert len(steps) == 20
    assert {step["backwards"] for step in steps} == {4}
    assert {step["forwards"] for step in steps} == {4}
    assert {step["batch_size"] for step in steps} == {16}
    means = [sum(printed[i : i + 4]) / 4 for i in range(0, 80, 4)]
    assert [step["loss"] for step in steps] == pytest.approx(means, rel=1e-6)


def test_the_two_optimizers_of_a_gan_are_told_apart(recorded):
    run = recorded("gan")
    steps = steps_of(run)
    classes = {optimizer["id"]: optimizer["class"] for optimizer in run.model["optimizers"]}

    assert classes == {0: "Adam", 1: "RMSprop"}
    assert [step["optimizer"] for step in steps] == [1, 0] * 20
    trained = [m for m in run.model["models"] if m["trained"]]
    assert {m["label"] for m in trained} == {"generator", "discriminator"}
    owners = {m["label"]: {p["optimizer"] for p in m["parameters"]} for m in trained}
    assert owners == {"generator": {0}, "discriminator": {1}}


def test_the_passes_of_a_closure_belong_to_one_step(recorded):
    steps = steps_of(recorded("lbfgs_closure"))
    assert len(steps) == 20
    assert all(step["backwards"] > 1 for step in steps[:10])
    assert all(step["backwards"] == step["forwards"] for step in steps)


def test_mixed_precision_shows_in_the_outputs_of_layers(recorded):
    run = recorded("amp_bf16")
    outputs = {layer["name"]: layer["output"] for layer in run.model["models"][0]["layers"]}
    assert outputs["head"].startswith("bfloat16")
    assert {parameter["dtype"] for parameter in parameters_of(run).values()} == {"float32"}


def test_updates_that_the_scaler_leaves_out_are_flagged(programs):
    watched = programs.watched("grad_scaler_skips")
    lines = [line for line in watched.output.splitlines() if line.startswith("step")]
    steps = steps_of(watched.run())

    assert [step["skipped"] for step in steps] == [line.endswith("skipped") for line in lines]
    assert any(step["skipped"] for step in steps)
    assert [step["loss"] for step in steps] == [float(LOSS.search(line)[1]) for line in lines]
    assert [step["loss_scale"] for step in steps] == [float(line.split()[5]) for line in lines]


def test_frozen_parts_are_named_as_such(recorded):
    run = recorded("frozen_backbone")
    parameters = parameters_of(run)
    assert not any(p["trainable"] for name, p in parameters.items() if name.startswith("backbone"))
    assert {name for name, p in parameters.items() if p["optimizer"] is not None} == {"head.weight", "head.bias"}
    assert not any(name.startswith("backbone") for name in names(run, "grad"))
    assert "backbone.0" in names(run, "act") | names(run, "act", "eval")


def test_a_tied_parameter_has_one_series_and_both_names(recorded):
    run = recorded("tied_weights")
    assert parameters_of(run)["embed.weight"]["shared_with"] == ["decode.weight"]
    assert "decode.weight" not in parameters_of(run)
    assert "embed.weight" in names(run, "grad")


def test_a_block_used_twice_is_counted_twice(recorded):
    run = recorded("shared_module")
    rows = run.query("select calls from stats where role = 'act' and name = 'first.linear'").to_pylist()
    assert {row["calls"] for row in rows} == {2}
    assert len(rows) == 30


def test_a_cell_called_many_times_a_step_has_one_row_a_step(recorded):
    run = recorded("rnn_cell")
    rows = run.query("select calls, count from stats where role = 'act' and name = 'read'").to_pylist()
    assert {row["calls"] for row in rows} == {12}
    assert len(rows) == 25
    assert {
        row["calls"] for row in run.query("select calls from stats where role='act_grad' and name='read'").to_pylist()
    } == {12}


@pytest.mark.parametrize(
    ("name", "layers"),
    [
        ("tuple_outputs", {"encoder.mean", "encoder.logvar", "decoder.2"}),
        ("dict_outputs", {"trunk.0", "heads.kind", "heads.size"}),
        ("dataclass_outputs", {"body", "classify", "judge"}),
        ("nested_containers", {"stages.0.main.0", "stages.2.side", "rare", "out.1.0.0"}),
        ("transformers_from_config", {"transformer.h.1.mlp.c_fc", "transformer.ln_f", "lm_head"}),
        ("activation_checkpointing", {"blocks.0.0", "blocks.1.0", "blocks.3.2", "out"}),
        ("inplace_relu", {"1", "2.conv1", "2.relu", "6"}),
        ("submodule_called_directly", {"encoder.0", "encoder.2", "projector"}),
        ("parametrized", {"0", "2", "4"}),
        ("jit_script", {"enter", "leave"}),
        ("trainer_class", {"0", "1", "2"}),
    ],
)
def test_layers_are_seen_under_their_own_names(name, layers, recorded):
    run = recorded(name)
    assert names(run, "act") >= layers
    assert names(run, "act_grad") >= layers


def test_outputs_inside_tuples_dicts_and_dataclasses_are_measured(recorded):
    """Not the leaves alone: the module that returns the container has rows of its own, one for each tensor in it."""
    for name, wanted in (("tuple_outputs", 2), ("dict_outputs", 3), ("dataclass_outputs", 2)):
        run = recorded(name)
        own = {s.name for s in run.series if s.role == "act"}
        layer = "encoder" if name == "tuple_outputs" else ""
        inside = {
            each for each in own if re.match(rf"{layer}[\[:.(]", each) or each == layer or (not layer and ":" in each)
        }
        assert len(inside) >= wanted, sorted(own)


@pytest.mark.parametrize("name", ["compiled", "compiled_in_place"])
def test_compiled_models_are_recorded_at_their_boundary_and_that_is_said(name, recorded):
    run = recorded(name)
    model = run.model["models"][0]
    assert model["compiled"]
    assert "compile" in notes_of(run)
    assert not any("_orig_mod" in parameter for parameter in parameters_of(run))
    assert names(run, "grad") == set(parameters_of(run))
    assert any(s.role == "act" and s.name == "" for s in run.series) or names(run, "act")


def test_every_rank_of_a_distributed_program_has_a_run(programs):
    watched = programs.watched("ddp")
    printed = [float(value) for value in LOSS.findall(watched.output)]
    runs = [watched.run(rank) for rank in (0, 1)]

    assert sorted(folder.name for folder in watched.runs[0].iterdir()) == ["rank=0", "rank=1"]
    assert runs[0].ranks == [0, 1]
    for rank, run in enumerate(runs):
        assert (run.info["rank"], run.info["world_size"], run.info["steps"]) == (rank, 2, 20)
        assert names(run, "act") >= {"0", "1", "2"}
        assert set(parameters_of(run)) == {"0.weight", "0.bias", "2.weight", "2.bias"}
        assert run.model["models"][0]["wrapper"] == "DistributedDataParallel"
    assert [step["loss"] for step in steps_of(runs[0])] == printed
    assert [step["loss"] for step in steps_of(runs[1])] != printed
    assert runs[0].values("grad.rms", "0.weight")[1].tolist() == runs[1].values("grad.rms", "0.weight")[1].tolist()


def test_only_rank_zero_speaks(programs):
    lines = [line for line in programs.watched("ddp").errors.splitlines() if line.startswith("stetho: step 3 ")]
    assert len([line for line in lines if "loss" in line]) == 1


def test_the_workers_of_a_loader_are_known(recorded):
    run = recorded("loader_workers")
    loader = run.model["loaders"][0]
    assert (loader["workers"], loader["drop_last"], loader["length"], loader["dataset"]) == (2, True, 192, "Waves")
    assert len(steps_of(run)) == 32
    rows = run.table("batches").to_pylist()
    assert all(sum(row["label_counts"]) == 12 for row in rows if row["label_counts"])
    assert any(row["label_counts"] for row in rows)


def test_training_and_validation_are_kept_apart(programs):
    watched = programs.watched("train_and_validate")
    run = watched.run()
    steps = steps_of(run)
    batches = run.table("batches").to_pylist()

    assert [step["loss"] for step in steps] == [
        float(value) for value in re.findall(r"train loss (\S+)", watched.output)
    ]
    assert len(steps) == 32
    assert {"train", "eval"} == {row["phase"] for row in batches}
    assert {row["training"] for row in batches if row["phase"] == "eval"} == {False}
    assert {row["grad"] for row in batches if row["phase"] == "eval"} == {False}
    assert {row["training"] for row in batches if row["phase"] == "train"} == {True}
    assert names(run, "act", "train") & names(run, "act", "eval") >= {"0", "1", "4"}
    assert names(run, "grad", "eval") == set()
    assert sum(row["phase"] == "eval" for row in batches) == 8


def test_accuracy_is_that_of_the_program(programs):
    watched = programs.watched("train_and_validate")
    told = re.findall(r"epoch \d: train \S+ (\S+), valid \S+ (\S+)", watched.output)
    batches = watched.run().table("batches").to_pylist()

    for phase, place, size in (("train", 0, 8), ("eval", 1, 2)):
        rows = [row for row in batches if row["phase"] == phase]
        for epoch, values in enumerate(told):
            part = rows[epoch * size : (epoch + 1) * size]
            accuracy = sum(row["correct"] for row in part) / sum(row["counted"] for row in part)
            assert f"{accuracy:.4f}" == values[place]


def test_an_exception_is_recorded_with_its_line(recorded):
    run = recorded("exception_halfway")
    ending = run.info["exit"]
    assert len(steps_of(run)) == 12
    assert (ending["kind"], ending["code"]) == ("exception", 1)
    assert "expected 8 features, got 9" in ending["error"]
    assert ending["where"].endswith("exception_halfway.py:16")


def test_an_exit_status_is_recorded(recorded):
    ending = recorded("sys_exit_code").info["exit"]
    assert (ending["kind"], ending["code"]) == ("exit", 7)


def test_a_run_that_was_left_by_os_exit_can_be_read(recorded):
    run = recorded("os_exit")
    assert run.state == "killed"
    assert "exit" not in run.info
    steps = [step["step"] for step in steps_of(run)]
    assert steps == list(range(1, len(steps) + 1))


@pytest.mark.parametrize("name", ["forks", "forks_pool", "spawns"])
def test_other_processes_of_the_program_leave_the_run_alone(name, programs):
    watched = programs.watched(name)
    assert len(watched.runs) == 1
    assert watched.run().info["steps"] == len(LOSS.findall(watched.output))


def test_a_program_without_torch_is_said_to_have_none(programs):
    watched = programs.watched("no_training")
    assert watched.runs == []
    assert "torch" in watched.errors


def test_a_program_that_trains_nothing_is_said_to_do_so(programs):
    watched = programs.watched("torch_but_no_training")
    assert "no optimizer made a step" in watched.errors or "no training" in watched.errors


def test_updates_by_hand_are_steps_too(recorded):
    run = recorded("manual_update")
    assert len(steps_of(run)) == 40
    assert {step["optimizer"] for step in steps_of(run)} == {None}
    assert names(run, "update") == {"weight", "bias"}


def test_loose_parameters_are_named_after_the_program(recorded):
    run = recorded("hand_indexed")
    assert names(run, "param") >= {"W1", "b1", "W2"}


def test_learning_rates_and_clipping_are_those_of_the_program(programs):
    watched = programs.watched("scheduler_and_clip")
    run = watched.run()
    steps = steps_of(run)
    told = re.findall(r"norm (\S+) rates \[(\S+), (\S+)\]", watched.output)

    assert [step["lrs"] for step in steps] == [[float(a), float(b)] for _, a, b in told]
    assert [step["clip_norm"] for step in steps] == pytest.approx([float(norm) for norm, _, _ in told], rel=1e-6)
    assert {round(step["clip_max"], 6) for step in steps} <= {0.5, 0.2}
    assert all("clip" in step["order"] for step in steps)
    assert run.model["schedulers"]


def test_two_models_in_one_optimizer_are_both_seen(recorded):
    run = recorded("two_models_one_optimizer")
    assert [model["label"] for model in run.model["models"]] == ["encoder", "decoder"]
    assert names(run, "grad", model=0) == names(run, "grad", model=1) == {"0.weight", "0.bias", "2.weight", "2.bias"}


def test_a_sparse_gradient_is_measured(programs):
    watched = programs.watched("sparse_embedding")
    run = watched.run()
    assert len(steps_of(run)) == 40
    assert {step["optimizer"] for step in steps_of(run)} == {0, 1}
    assert names(run, "grad") >= {"0.weight", "1.weight", "1.bias"}


def test_a_gradient_made_by_hand_is_measured(programs):
    run = programs.watched("vmap_grad").run()
    assert len(steps_of(run)) == 20
    assert names(run, "grad") == {"0.weight", "0.bias", "2.weight", "2.bias"}


def test_a_loaded_model_goes_on_in_the_same_run(recorded):
    assert len(steps_of(recorded("saves_checkpoints"))) == 30


def test_the_options_left_their_marks(programs):
    watched = programs.watched("plain_loop")
    run = watched.run()
    assert list((run.path / "events").iterdir())
    assert run.table("memory").num_rows > 0
    assert sorted(file.name for file in (run.path / "tensors").iterdir()) == [
        f"step-{step:08d}.safetensors" for step in (1, 2, 3)
    ]
    assert "fc1" in watched.errors
    assert run.info["options"]["every"] == 1


def test_the_command_and_the_place_are_recorded(programs):
    watched = programs.watched("reads_stdin_and_argv")
    info = watched.run().info
    assert info["command"][1:] == ["--lr", "0.05", "--", "--every", "7", "-m", "x"]
    assert info["cwd"] == str(watched.folder)
