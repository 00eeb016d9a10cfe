# SPDX-License-Identifier: Apache-2.0
"""Sections of an experiment as objects; their classes are generated from the schema of the program."""
from __future__ import annotations

import copy
import importlib
from typing import Any, Callable, Dict, Generic, Iterator, Mapping, Optional, Type, TypeVar, Union, overload

from .errors import Error, UnknownKey

T = TypeVar("T")


class Unset:
    """Stands for a parameter that is left out: it has its default."""

    def __repr__(self) -> str:
        return "unset"


unset: Any = Unset()


class Key(Generic[T]):
    """A parameter that is a plain value: an attribute of its section."""

    def __init__(self, name: str, default: Any = None) -> None:
        self.name = name
        self.default = default

    @overload
    def __get__(self, section: None, owner: Type[Any]) -> "Key[T]": ...

    @overload
    def __get__(self, section: "Section", owner: Type[Any]) -> T: ...

    def __get__(self, section: Optional["Section"], owner: Type[Any]) -> Any:
        if section is None:
            return self
        return section._given.get(self.name, self.default)

    def __set__(self, section: "Section", value: T) -> None:
        section._set(self.name, value)

    def __delete__(self, section: "Section") -> None:
        section._given.pop(self.name, None)


class Part(Generic[T]):
    """A parameter that is a section of its own: made when it is looked at; a name or a dict is taken, too."""

    def __init__(self, name: str, kind: Callable[[], Type["Section"]]) -> None:
        self.name = name
        self.kind = kind

    @overload
    def __get__(self, section: None, owner: Type[Any]) -> "Part[T]": ...

    @overload
    def __get__(self, section: "Section", owner: Type[Any]) -> T: ...

    def __get__(self, section: Optional["Section"], owner: Type[Any]) -> Any:
        if section is None:
            return self
        if self.name not in section._given:
            section._given[self.name] = self.kind()._empty()
        return section._given[self.name]

    def __set__(self, section: "Section", value: Union[T, str, int, Mapping[str, Any]]) -> None:
        section._set(self.name, value)

    def __delete__(self, section: "Section") -> None:
        section._given.pop(self.name, None)


def of(module: str, name: str) -> Callable[[], Type["Section"]]:
    """The class of a part in another module, which is imported when it is needed."""
    def found() -> Type["Section"]:
        kind: Type["Section"] = getattr(importlib.import_module(f"sare.{module}"), name)
        return kind
    return found


class Section:
    """Parameters of one section. What is not set has its default; a wrong key or value is an Error."""

    _title: str = ""  #: how messages call it
    _keys: Dict[str, str] = {}  #: attribute of each key
    _family: str = ""  #: "topology", ...: it is a variant of these
    _selector: str = ""  #: the key that chooses the variant
    _variant: str = ""
    _given: Dict[str, Any]

    def __init__(self, **keys: Any) -> None:
        object.__setattr__(self, "_given", {})
        for key, value in keys.items():
            if value is not unset:
                self._set(self._key_of(key), value)

    @classmethod
    def _empty(cls) -> "Section":
        return cls()

    @classmethod
    def _of(cls, value: Any) -> Any:
        """The object for what a file or a user writes for such a section."""
        if isinstance(value, Section) or value is None:
            return value
        if isinstance(value, Mapping):
            return cls._from_keys({str(k): v for k, v in value.items()})
        return value

    @classmethod
    def _from_keys(cls, keys: Mapping[str, Any]) -> "Section":
        """The object with keys as a file has them; "self" would be taken for the object itself."""
        return cls(**{cls._keys.get(key, key): value for key, value in keys.items()})

    def _key_of(self, attribute: str) -> str:
        """The key by attribute name ("from_") or by its own ("from"); Error if there is none."""
        for key, name in self._keys.items():
            if attribute in (key, name):
                return key
        if self._is_open():
            return attribute
        raise UnknownKey(_sentence_for_key(self, attribute))

    def _is_default(self) -> bool:
        """Its variant need not be named."""
        return False

    def _is_open(self) -> bool:
        """Any key is taken: variants of plugins, which nothing was generated for."""
        return False

    def _set(self, key: str, value: Any) -> None:
        if value is None:  # as if it had never been set
            self._given.pop(key, None)
            return
        owner = getattr(type(self), self._keys.get(key, ""), None)
        self._given[key] = owner.kind()._of(value) if isinstance(owner, Part) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._keys.values() or name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self._set(self._key_of(name), value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        key = self._key_of(name)
        if key in self._given:
            return self._given[key]
        raise UnknownKey(f"'{key}' of '{self._name()}' is not set")

    def __dir__(self) -> Iterator[str]:
        return iter([*self._keys.values(), "copy", "to_dict"])

    def _name(self) -> str:
        return self._variant or self._title

    def to_dict(self) -> Dict[str, Any]:
        """What is set, as plain dicts, lists, numbers and texts."""
        if not self._given and self._is_default():
            return {}
        own = {self._selector: self._variant} if self._variant else {}
        for key, value in self._given.items():
            plain_value = plain(value)
            if not (isinstance(value, Section) and plain_value == {}):
                own[key] = plain_value
        return own

    def copy(self: T) -> T:
        """Another one with the same parameters."""
        return copy.deepcopy(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Section) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"{self._keys.get(k, k)}={v!r}" for k, v in self._given.items() if plain(v) != {})
        return f"{type(self).__name__}({shown})"


class Variant(Section):
    """A section that chooses one of a family: a topology, a routing function, ..."""

    _all: Dict[str, Type["Variant"]] = {}  #: by name, of this family
    _default: str = ""  #: what a section without a name is

    @classmethod
    def _empty(cls) -> "Section":
        return cls._all[cls._default]() if cls._default else cls._other("", {})

    @classmethod
    def _other(cls, name: str, keys: Mapping[str, Any]) -> "Variant":
        """One that nothing was generated for: of a plugin, or a mistake, which the program finds."""
        made = cls.__new__(cls)
        object.__setattr__(made, "_given", dict(keys))
        object.__setattr__(made, "_variant", name)
        return made

    @classmethod
    def _of(cls, value: Any) -> Any:
        if isinstance(value, Section) or value is None:
            return value
        if isinstance(value, str):
            return cls._all[value]() if value in cls._all else cls._other(value, {})
        if isinstance(value, Mapping):
            keys = {str(k): v for k, v in value.items()}
            name = keys.pop(cls._selector, cls._default)
            return cls._all[name]._from_keys(keys) if name in cls._all else cls._other(name, keys)
        return value

    def _is_default(self) -> bool:
        return bool(self._default) and self._variant == self._default

    def _is_open(self) -> bool:
        return self._variant not in self._all

    def __dir__(self) -> Iterator[str]:
        return iter([*super().__dir__(), *self._given])


def plain(value: Any) -> Any:
    """Sections, tuples and numpy's numbers as dicts, lists and Python's own."""
    if isinstance(value, Section):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, type):  # a class of one's own
        from . import variants
        return variants.know(value)
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return value.item()
    if hasattr(value, "__fspath__"):
        return str(value)
    if isinstance(value, (list, tuple, range, set, frozenset)) or hasattr(value, "tolist"):
        return [plain(v) for v in value]
    raise Error(f"{value!r} is a {type(value).__name__}; an experiment has numbers, texts, lists and sections")


def is_series(value: Any) -> bool:
    """Whether it has values in an order, as a list, a range, an array or pandas' Series; sets have none, 0-d arrays no values."""
    return hasattr(value, "__iter__") and getattr(value, "ndim", 1) != 0 and not isinstance(value, (str, bytes, Mapping, set, frozenset))


def _sentence_for_key(section: Section, key: str) -> str:
    from . import native

    return native.key_error(key, section._name(), [section._selector] * bool(section._selector) + [*section._keys])


def set_path(section: Section, path: str, value: Any) -> None:
    """Sets a parameter by its dotted path, as --set of the program does."""
    first, _, rest = path.partition(".")
    key = section._key_of(first)
    if not rest:
        section._set(key, value)
        return
    inner = getattr(section, section._keys.get(key, key), None)
    if isinstance(inner, Variant) and rest == inner._selector:
        section._set(key, {**inner.to_dict(), rest: value})
    elif isinstance(inner, Section):
        set_path(inner, rest, value)
    elif isinstance(inner, dict) or inner is None:
        section._set(key, _with_path(inner or {}, rest, value))
    else:
        raise Error(f"{path}: '{first}' is no section")


def _with_path(tree: Dict[str, Any], path: str, value: Any) -> Dict[str, Any]:
    first, _, rest = path.partition(".")
    return {**tree, first: _with_path(tree.get(first) or {}, rest, value) if rest else value}
