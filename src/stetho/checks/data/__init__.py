"""Checks of the data that are fed. Each is listed here by hand, sorted by name."""

from stetho.checks.data.batch_size_one import batch_size_one
from stetho.checks.data.batch_too_large import batch_too_large
from stetho.checks.data.class_imbalance import class_imbalance
from stetho.checks.data.constant_input import constant_input
from stetho.checks.data.destroying_augmentation import destroying_augmentation
from stetho.checks.data.evaluation_at_chance import evaluation_at_chance
from stetho.checks.data.features_of_different_scale import features_of_different_scale
from stetho.checks.data.identical_augmentation import identical_augmentation
from stetho.checks.data.input_not_scaled import input_not_scaled
from stetho.checks.data.labels_independent_of_inputs import labels_independent_of_inputs
from stetho.checks.data.labels_sorted import labels_sorted
from stetho.checks.data.nan_input import nan_input
from stetho.checks.data.preprocessing_differs import preprocessing_differs
from stetho.checks.data.pretrained_input_mismatch import pretrained_input_mismatch
from stetho.checks.data.sentinel_value import sentinel_value
from stetho.checks.data.single_label_batches import single_label_batches
from stetho.checks.data.split_leak import split_leak
from stetho.checks.data.target_not_scaled import target_not_scaled
from stetho.checks.data.tiny_last_batch import tiny_last_batch
from stetho.checks.data.too_few_examples import too_few_examples
from stetho.checks.declare import Check

CHECKS: tuple[Check, ...] = (
    batch_size_one,
    batch_too_large,
    class_imbalance,
    constant_input,
    destroying_augmentation,
    evaluation_at_chance,
    features_of_different_scale,
    identical_augmentation,
    input_not_scaled,
    labels_independent_of_inputs,
    labels_sorted,
    nan_input,
    preprocessing_differs,
    pretrained_input_mismatch,
    sentinel_value,
    single_label_batches,
    split_leak,
    target_not_scaled,
    tiny_last_batch,
    too_few_examples,
)
