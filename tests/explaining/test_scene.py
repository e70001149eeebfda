"""What an explanation can ask a scene for."""

from stetho.explaining.scene import LayerFacts, Operand, Scene

X, W = Operand("x", (2, 3)), Operand("w", (3,), "int64")


def test_tells_each_tensor_once() -> None:
    assert Scene("E", "", operands=(X, W), arguments=(X,)).tensors == (X, W)


def test_what_a_layer_was_given_comes_before_the_operands() -> None:
    assert Scene("E", "", operands=(W,), arguments=(X,)).given == X
    assert Scene("E", "", operands=(W,)).given == W
    assert Scene("E", "").given is None


def test_finds_tensors_by_shape_and_type() -> None:
    scene = Scene("E", "", operands=(X, W))
    assert (scene.of_shape((3,)), scene.of_dtype("float32"), scene.of_shape((9,))) == (W, X, None)


def test_a_layer_without_a_name_is_called_by_its_class() -> None:
    scene = Scene("E", "", layer=LayerFacts("", "Linear", {"in_features": 3}))
    assert (scene.subject, scene.setting("in_features"), scene.setting("bias")) == ("Linear", 3, None)
