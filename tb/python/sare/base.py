# SPDX-License-Identifier: Apache-2.0
"""What an experiment can do, whatever its sections are."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Type, TypeVar, Union

from . import command, native
from .asked import asked
from .errors import Error
from .section import Section, plain, set_path

E = TypeVar("E", bound="ExperimentBase")


class ExperimentBase(Section):
    """The sections of an experiment: ``e.router.vcs = 4`` or ``e["router.vcs"] = 4``."""

    _title = "experiment"
    _folder: str = ""  #: file names in it are relative to this one

    @classmethod
    @asked
    def from_file(cls: Type[E], path: Union[str, Path]) -> E:
        """Reads one in YAML."""
        file = Path(path)
        try:
            text = file.read_text()
        except (OSError, UnicodeDecodeError) as problem:
            raise Error(f"{file}: {getattr(problem, 'strerror', None) or problem}") from None
        return cls.from_yaml(text, str(file), str(file.absolute().parent))

    @classmethod
    @asked
    def from_yaml(cls: Type[E], text: str, name: str = "text", folder: str = "") -> E:
        """Reads one from text; ``name`` is what messages call it, file names in it are relative to ``folder``."""
        made = cls(**native.parse(text, name))
        made._folder = folder
        return made

    def to_yaml(self) -> str:
        """What is set, in YAML."""
        return command.text_of(self.to_dict())

    @asked
    def save(self, path: Union[str, Path]) -> None:
        """Writes it as a file for the command ``sare``."""
        try:
            Path(path).write_text(self.to_yaml())
        except OSError as problem:
            raise Error(f"{path}: {problem.strerror}") from None

    def check_values(self) -> None:
        """Looks at keys, types and ranges alone, which takes no time; ``sare.check`` builds the network as well."""
        tree = self._tree()
        if not tree.get("cases") and not any(p for p in self._plugins() if not p.endswith(".py")):  # for the program alone
            native.check_tree(tree, self._folder)

    def _tree(self) -> Dict[str, Any]:
        """What is run; the sections ``explore`` and ``fit`` are those of searches."""
        return {key: value for key, value in self.to_dict().items() if key not in ("explore", "fit")}

    def _plugins(self) -> List[str]:
        named = self._given.get("plugins") or []
        return [named] if isinstance(named, str) else [str(p) for p in named]

    def _for_program(self) -> str:
        """Its text, with the files of classes in Python."""
        files = self._plugins()
        for kind in _classes(self):
            from . import variants  # it takes longer than the rest
            file = variants.file_of(kind)
            if not file:
                raise Error(f"class '{kind.__name__}' stands in no file, and the program has to read it: write it to one "
                            f"(%%writefile mine.py) and import it; a Simulation takes it as it is")
            if file not in files:
                files.append(file)
        return command.text_of({**self._tree(), **({"plugins": files} if files else {})})

    def _for_here(self) -> Dict[str, Any]:
        """As a tree for this process, which has run its plugins."""
        for file in self._plugins():
            if file.endswith(".py"):
                from . import variants
                variants.load(str(Path(self._folder) / file))
        return self._tree()

    @asked
    def set(self: E, values: Optional[Mapping[str, Any]] = None, **sections: Any) -> E:
        """Another experiment in which parameters, by their paths, have these values."""
        other = self.copy()
        for path, value in {**(values or {}), **sections}.items():
            set_path(other, path, value)
        return other

    @asked
    def case(self: E, name: str) -> E:
        """The experiment of one of its ``cases``."""
        cases = self._given.get("cases") or {}
        if name not in cases:
            raise Error(f"no case '{name}'; there are {', '.join(cases) or 'none'}")
        other = self.set(cases[name])
        other._given.pop("cases")
        return other

    @asked
    def __setitem__(self, path: str, value: Any) -> None:
        set_path(self, path, plain(value) if not isinstance(value, Section) else value)

    @asked
    def __getitem__(self, path: str) -> Any:
        found: Any = self
        for name in path.split("."):
            found = found[name] if isinstance(found, dict) else getattr(found, name)
        return found


def _classes(value: Any) -> Iterator[Type[Any]]:
    if isinstance(value, type):
        yield value
    elif isinstance(value, Section):
        for item in value._given.values():
            yield from _classes(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _classes(item)


AnyExperiment = Union[ExperimentBase, Mapping[str, Any], str, Path]


def given(e: AnyExperiment) -> ExperimentBase:
    """An experiment, made of what a user may give for one, whose values are in order."""
    from .experiment import Experiment
    made: ExperimentBase
    if isinstance(e, ExperimentBase):
        made = e
    elif isinstance(e, (str, Path)):
        made = Experiment.from_file(e)
    elif isinstance(e, Mapping):
        made = Experiment(**{str(key): value for key, value in e.items()})
    else:
        raise Error(f"an experiment is an Experiment, a dict or the name of a file, not a {type(e).__name__}")
    made.check_values()
    return made
