# SPDX-License-Identifier: Apache-2.0
"""What a user gives to a function is of the kind that its hints name, or an Error says so in a sentence."""
from __future__ import annotations

import numbers
import typing
from collections.abc import Mapping
from functools import wraps
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple, TypeVar, cast

from .errors import Error
from .section import is_series

F = TypeVar("F", bound=Callable[..., Any])
Fits = Callable[[Any], bool]
Kind = Tuple[str, Fits]  # in words, and whether a value is of it

# Numbers that are whole are counts, places or seeds: none is below 0, or has more than 63 bits.
PLAIN: Dict[Any, Kind] = {
    bool: ("True or False", lambda x: type(x).__name__ in ("bool", "bool_")),
    int: ("a whole number from 0", lambda x: isinstance(x, numbers.Integral) and not isinstance(x, bool) and 0 <= int(x) < 2 ** 63),
    float: ("a number", lambda x: isinstance(x, numbers.Real) and not isinstance(x, bool)),
    str: ("a text", lambda x: isinstance(x, str)),
    Path: ("the name of a file", lambda x: hasattr(x, "__fspath__")),
    type(None): ("None", lambda x: x is None),
}

CLASSES = {"ExperimentBase": "an Experiment", "Directory": "results"}  # what they are called


def asked(function: F) -> F:
    """The same function, which looks at its arguments first."""
    kinds: List[Tuple[str, Kind]] = []

    @wraps(function)
    def looked_at(*given: Any, **named: Any) -> Any:
        if not kinds:
            kinds.extend(_kinds_of(function))
        for (name, kind), value in zip(kinds, given):
            _look(name, kind, value)
        if named:
            known = dict(kinds)
            for name, value in named.items():
                if name in known:
                    _look(name, known[name], value)
        return function(*given, **named)

    return cast(F, looked_at)


def _look(name: str, kind: Kind, value: Any) -> None:
    words, fits = kind
    if not fits(value):
        shown = repr(value)
        raise Error(f"{name} is {words}, not {shown if len(shown) < 60 else 'a ' + type(value).__name__}")


def _kinds_of(function: Callable[..., Any]) -> List[Tuple[str, Kind]]:
    code = function.__code__  # the module inspect takes long to import
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    return [(name, _kind_of(_hint(function.__annotations__.get(name, Any), function))) for name in names]


def _hint(text: Any, function: Callable[..., Any]) -> Any:
    """Of what is imported for hints alone nothing is known here."""
    try:
        return eval(text, function.__globals__) if isinstance(text, str) else text
    except NameError:
        return Any


def _kind_of(hint: Any) -> Kind:
    if hint in PLAIN:
        return PLAIN[hint]
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:
        kinds = [_kind_of(one) for one in inner]
        words = list(dict.fromkeys(w for w, _ in kinds if w != "None"))
        return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]])), lambda x: any(fits(x) for _, fits in kinds)
    name = getattr(origin, "__name__", "")
    if name == "Mapping":
        return "a dict whose keys are texts", lambda x: isinstance(x, Mapping) and all(isinstance(k, str) for k in x)
    if name in ("Sequence", "Iterable"):
        return "a list", is_series
    if name == "Callable":
        return "a function", callable
    if isinstance(hint, typing.ForwardRef):  # a class that is imported for hints alone
        wanted = hint.__forward_arg__
        return f"{wanted} of its library", lambda x: any(c.__name__ == wanted for c in type(x).__mro__)
    if isinstance(hint, type) and hint.__module__.startswith("sare."):
        return CLASSES.get(hint.__name__, f"a {hint.__name__}"), lambda x: isinstance(x, hint)
    return "anything", lambda x: True
