"""Answers as tables of pandas, where that is installed."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


def to_frame(
    rows: Iterable[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
) -> "pandas.DataFrame":
    """Rows of an answer as a DataFrame, such as the `rows` of a screen or the `picks` of a run.

    Rows by name, such as `quotes`, get the names as index. Members within members become columns:
    the `rsi_14` among the `values` of a row is `values.rsi_14`. Raises ImportError without pandas.
    """
    try:
        import pandas
    except ImportError as missing:
        raise ImportError(
            "to_frame needs pandas, which is not installed: pip install 'saring[pandas]'"
        ) from missing
    if isinstance(rows, Mapping):
        frame = pandas.json_normalize(list(rows.values()))
        frame.index = list(rows)
        return frame
    return pandas.json_normalize(list(rows))
