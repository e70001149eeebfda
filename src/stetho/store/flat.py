"""Rows as text formats can hold them: no lists, no dictionaries."""

import pyarrow as pa


def flat(rows: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows, where a list has become a text with blanks between its values.

    >>> flat(pa.record_batch({"lrs": pa.array([[0.1, 0.2], None])})).to_pydict()
    {'lrs': ['0.1 0.2', None]}
    """
    columns = [_flat(column) for column in rows.columns]
    return pa.RecordBatch.from_arrays(columns, names=rows.schema.names)


def _flat(column: pa.Array) -> pa.Array:
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    if pa.types.is_fixed_size_list(column.type):
        column = column.cast(pa.list_(column.type.value_type))
    if pa.types.is_list(column.type):
        return pc.binary_join(column.cast(pa.list_(pa.string())), " ")
    if pa.types.is_nested(column.type):
        return pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.string())
    return column
