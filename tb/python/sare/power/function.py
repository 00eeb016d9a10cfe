# SPDX-License-Identifier: Apache-2.0
"""Boolean expressions as Liberty writes them: ! and ' for not, * & and nothing at all for and, + | for or, ^."""
import re


class Function:
    """The names in an expression in order, and its value for each of their values: bit k of `table` is that where name
    i has bit i of k."""

    def __init__(self, text: str):
        self._tokens = re.findall(r"[A-Za-z_][\w\[\]]*|[01]|[!'*&+|^()]", text)
        self.names = list(dict.fromkeys(t for t in self._tokens if re.match(r"[A-Za-z_]", t)))
        self._at = 0
        tree = self._or()
        if self._at != len(self._tokens):
            raise ValueError(f"cannot read the function {text!r}")
        self.table = 0
        for k in range(1 << len(self.names)):
            values = {n: bool(k >> i & 1) for i, n in enumerate(self.names)}
            self.table |= int(tree(values)) << k

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _or(self):
        left = self._xor()
        while self._peek() in ("+", "|"):
            self._take()
            left = (lambda a, b: lambda v: a(v) or b(v))(left, self._xor())
        return left

    def _xor(self):
        left = self._and()
        while self._peek() == "^":
            self._take()
            left = (lambda a, b: lambda v: a(v) != b(v))(left, self._and())
        return left

    def _and(self):
        left = self._not()
        while self._peek() and self._peek() not in "+|^)'":
            if self._peek() in "*&":
                self._take()
            left = (lambda a, b: lambda v: a(v) and b(v))(left, self._not())
        return left

    def _not(self):
        token = self._take() if self._peek() else ""
        if token == "!":
            inner = self._not()
            return lambda v: not inner(v)
        if token == "(":
            inner = self._or()
            self._take()
        elif token in ("0", "1"):
            inner = lambda v, one=token == "1": one  # noqa: E731
        elif token and token not in "*&+|^)'":
            inner = lambda v, name=token: v[name]  # noqa: E731
        else:
            raise ValueError(f"a name is missing before {token!r}")
        while self._peek() == "'":
            self._take()
            inner = (lambda f: lambda v: not f(v))(inner)
        return inner
