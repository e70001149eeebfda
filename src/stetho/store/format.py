"""The layout of a run on disk: file names, table schemas, the format version.

    stetho-runs/2026-11-15_19-40-27_train/     (a distributed job: .../rank=0/, .../rank=1/, each of them a run)
      run.json         format version, command, versions, git commit, machine, options; exit and totals at the end
      model.json       models with layers, parameters, edges and source lines; optimizers, loaders, losses
      notes.jsonl      what could not be seen and what happened, one JSON object a line, appended at once
      trace.json       every operation of one step, when asked for
      trace-values.bin their results as plain bytes, when asked for; each row of trace.json says where its own are
      error.json       the error that ended the program: frames with values, and an explanation
      crashes.jsonl    what was left of a process that died or hung: step, signal, stacks; one JSON object a line
      last-words.txt   the same as the dying process itself wrote it, where nobody else could: step, then stacks
      findings.jsonl   what the checks found, one JSON object a line, appended at once and synced to the disk
      series.jsonl     one line for each `stats` series: id, model, name, role, phase
      steps/ stats/ histograms/ batches/ metrics/ memory/
                       000000000000-000000131072.arrow, …: sealed segments (Arrow IPC files, sorted by series and
                       step), named by the first row they hold and the row after their last, in order of recording
                       tail.arrows: the open tail (an Arrow IPC stream, one record batch a flush)
      tensors/         step-00000010.safetensors, when asked for
      events/          TensorBoard, when asked for
      bundle-step-00000021/
                       one step with everything that it needs to be run again, when asked for

A tail is readable up to its last complete record batch, whatever happened to the writer. `stetho.first_row` in its
schema metadata is the number of its first row, so a reader that finds these rows in a segment too takes the segment. A
segment is put in place by rename before the tail, or the smaller segment, that it replaces is removed. It carries
`stetho.first_step` and `stetho.last_step` in its schema metadata, and, for tables with a `series` column, two JSON
lists: `stetho.series`, the ids in order, and `stetho.offsets`, the first row of each and the row count at the end.
"""

import pyarrow as pa

FORMAT_VERSION = 1
OLDEST_READABLE = 1

RUN_FILE = "run.json"
MODEL_FILE = "model.json"
NOTES_FILE = "notes.jsonl"
ERROR_FILE = "error.json"
TRACE_FILE = "trace.json"
TRACE_VALUES_FILE = "trace-values.bin"
CRASHES_FILE = "crashes.jsonl"
LAST_WORDS_FILE = "last-words.txt"
FINDINGS_FILE = "findings.jsonl"
SERIES_FILE = "series.jsonl"
TENSORS_FOLDER = "tensors"
EVENTS_FOLDER = "events"
TAIL_FILE = "tail.arrows"

FIRST_ROW = b"stetho.first_row"
FIRST_STEP = b"stetho.first_step"
LAST_STEP = b"stetho.last_step"
SERIES_IDS = b"stetho.series"
OFFSETS = b"stetho.offsets"

HISTOGRAM_LOWEST = -64
HISTOGRAM_HIGHEST = 63
HISTOGRAM_BUCKETS = 2 * (HISTOGRAM_HIGHEST - HISTOGRAM_LOWEST + 1) + 1
"""Negative values from large to small, zero, positive values from small to large; bucket width is one power of two."""

MEASURES = ("calls", "count", "nan", "inf", "zeros", "min", "max", "mean", "std", "rms", "absmax", "ratio")

STEPS = pa.schema(
    [
        ("step", pa.int32()),
        ("time", pa.float64()),  # seconds since the run began, at the end of the step
        ("epoch", pa.int32()),
        ("optimizer", pa.int16()),
        ("tier", pa.string()),  # full, cheap or clock: how much was measured
        ("loss", pa.float64()),
        ("forwards", pa.int32()),
        ("backwards", pa.int32()),
        ("batch_size", pa.int32()),
        ("grad_norm", pa.float32()),
        ("lr", pa.float64()),
        ("lrs", pa.list_(pa.float64())),  # one for each parameter group
        ("accuracy", pa.float32()),
        ("skipped", pa.bool_()),  # the gradient scaler left this update out
        ("loss_scale", pa.float32()),
        ("clip_norm", pa.float32()),  # total norm that the program's own clipping saw
        ("clip_max", pa.float32()),
        ("stale_grad", pa.bool_()),  # gradients of the last step were still there when this one's were added
        ("graph_nodes", pa.int32()),  # size of the autograd graph of the loss, in some steps
        ("graphs_alive", pa.int32()),  # graphs of earlier steps that something still holds
        ("order", pa.string()),  # what happened in which order: "zero_grad forward backward step"
        ("seconds", pa.float32()),
        ("data_seconds", pa.float32()),
        ("forward_seconds", pa.float32()),
        ("backward_seconds", pa.float32()),
        ("optimizer_seconds", pa.float32()),
        ("ours_seconds", pa.float32()),
        ("device_memory", pa.int64()),
        ("device_memory_peak", pa.int64()),
    ]
)

STATS = pa.schema(
    [
        ("step", pa.int32()),
        ("series", pa.int32()),
        ("calls", pa.int32()),  # how many tensors of this step the row covers
        ("count", pa.int64()),
        ("nan", pa.int64()),
        ("inf", pa.int64()),
        ("zeros", pa.int64()),
        ("min", pa.float32()),
        ("max", pa.float32()),
        ("mean", pa.float32()),
        ("std", pa.float32()),
        ("rms", pa.float32()),
        ("absmax", pa.float32()),
        ("ratio", pa.float32()),  # role `update` only: update rms over parameter rms; NaN elsewhere
    ]
)

HISTOGRAMS = pa.schema(
    [
        ("step", pa.int32()),
        ("series", pa.int32()),
        ("counts", pa.list_(pa.int32(), HISTOGRAM_BUCKETS)),
    ]
)

BATCHES = pa.schema(
    [
        ("step", pa.int32()),
        ("time", pa.float64()),
        ("phase", pa.string()),
        ("model", pa.int16()),
        ("loader", pa.int16()),
        ("training", pa.bool_()),  # module.training of the root
        ("grad", pa.bool_()),  # grad mode was on
        ("size", pa.int32()),
        ("shape", pa.list_(pa.int32())),
        ("dtype", pa.string()),
        ("hash", pa.int64()),
        ("mean", pa.float32()),
        ("std", pa.float32()),
        ("min", pa.float32()),
        ("max", pa.float32()),
        ("nan", pa.int64()),
        ("zeros", pa.int64()),
        ("feature_mean", pa.list_(pa.float32())),
        ("feature_std", pa.list_(pa.float32())),
        ("samples", pa.list_(pa.int64())),  # a hash for each of the first samples
        ("output_std", pa.float32()),  # of the model's first output
        ("output_spread", pa.float32()),  # the same across the samples of the batch alone, rms over features
        ("loss_call", pa.string()),  # the recognised loss function, e.g. "cross_entropy"
        ("loss", pa.float64()),
        ("target_mean", pa.float32()),
        ("target_std", pa.float32()),
        ("target_min", pa.float32()),
        ("target_max", pa.float32()),
        ("label_counts", pa.list_(pa.int32())),
        ("correct", pa.int32()),
        ("counted", pa.int32()),
    ]
)

METRICS = pa.schema(
    [
        ("step", pa.int32()),
        ("time", pa.float64()),
        ("phase", pa.string()),  # train, eval, or user (from stetho.log)
        ("name", pa.string()),
        ("value", pa.float64()),
    ]
)

MEMORY = pa.schema(
    [
        ("step", pa.int32()),
        ("time", pa.float64()),
        ("pid", pa.int32()),
        ("process", pa.string()),  # main, or the child's command name
        ("rss", pa.int64()),
        ("pss", pa.int64()),
        ("uss", pa.int64()),
        ("device", pa.string()),
        ("device_allocated", pa.int64()),
        ("device_reserved", pa.int64()),
    ]
)

TABLES: dict[str, pa.Schema] = {
    "steps": STEPS,
    "stats": STATS,
    "histograms": HISTOGRAMS,
    "batches": BATCHES,
    "metrics": METRICS,
    "memory": MEMORY,
}

SEAL_ROWS = {
    "steps": 65_536,
    "stats": 131_072,
    "histograms": 8_192,
    "batches": 65_536,
    "metrics": 65_536,
    "memory": 65_536,
}
"""How many rows of a table are kept in its tail before it is sealed. Smaller neighbours are merged up to this size."""

SEAL_BATCHES = 1_024
"""How many record batches a tail may have: slow programs flush few rows at a time."""
