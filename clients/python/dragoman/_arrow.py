"""Columns of pyarrow tables as values of JSON, as `dragoman convert` reads a Parquet file.

A struct has the members of all rows, so those that a row does not have are null: they are left out, and so is a null
that was meant. Null elements of lists and null values of maps stay. A map is an object.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

#: The cell of a row that has no value in a column.
ABSENT = object()


def read_cells(column: Any) -> List[Any]:
    """The values of a column, with ABSENT for null."""
    values: List[Any] = column.to_pylist()
    read = _reader_of(column.type)
    if read is not None:
        return [ABSENT if value is None else read(value) for value in values]
    return [ABSENT if value is None else value for value in values] if column.null_count else values


def _reader_of(kind: Any) -> Optional[Callable[[Any], Any]]:
    """Reads what `to_pylist` gives for a value of this type; None where that is to be kept as it is."""
    from pyarrow import types

    if types.is_struct(kind):
        return _struct_reader(kind)
    if types.is_map(kind):
        return _map_reader(_reader_of(kind.item_type))
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _list_reader(_reader_of(kind.value_type))
    return None


def _struct_reader(kind: Any) -> Callable[[Any], Any]:
    fields = [kind.field(at) for at in range(kind.num_fields)]
    readers: Dict[str, Optional[Callable[[Any], Any]]] = {field.name: _reader_of(field.type) for field in fields}
    if not any(readers.values()):
        return lambda struct: {name: value for name, value in struct.items() if value is not None}
    return lambda struct: {
        name: value if (read := readers[name]) is None else read(value)
        for name, value in struct.items()
        if value is not None
    }


def _map_reader(read: Optional[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    # json.dumps makes text of keys that are numbers or booleans, and refuses all others.
    return lambda pairs: {
        key if isinstance(key, (str, int, float)) else str(key): value if value is None or read is None else read(value)
        for key, value in pairs
    }


def _list_reader(read: Optional[Callable[[Any], Any]]) -> Optional[Callable[[Any], Any]]:
    if read is None:
        return None
    return lambda values: [None if value is None else read(value) for value in values]
