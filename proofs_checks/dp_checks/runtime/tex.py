r"""Formulas in a terminal: the TeX of statements as text on one line.

Fractions are `a/b`, with parentheses where they are needed; exponents and indices are `x^2`, `y_0`, `e^(ε/m)`; sums
are `Σ_{j=0..m}`. Classes of atoms are those of TeX (Knuth, The TeXbook, chapter 17): they say where spaces stand.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from dp_spec.vocabulary.exceptions import DomainError

Class = Literal["ord", "op", "limits", "bin", "rel", "open", "close", "punct", "slash", "fraction", "space"]
"""Letters, digits; function names and words; sums and the like; + and -; = and the like; brackets; commas; /; a/b."""

_TOKEN = re.compile(r"(\\[A-Za-z]+|\s)\s*|(\\.|.)")
"""A command or a space, without the spaces that follow, or another character."""
_POWER = re.compile(r"\^[^()]+$")
_ESCAPED = re.compile(r"\\([%#&_$])")
_CHARACTERS: Mapping[str, Class] = {
    **dict.fromkeys("+-*", "bin"),
    **dict.fromkeys("=<>", "rel"),
    **dict.fromkeys("([", "open"),
    **dict.fromkeys(")]", "close"),
    **dict.fromkeys(",;:", "punct"),
    "/": "slash",
}


def _listed(kind: Class, words: str) -> dict[str, tuple[Class, str]]:
    return {name: (kind, sign) for name, sign in (word.split(":") for word in words.split())}


_COMMANDS: Mapping[str, tuple[Class, str]] = {
    **_listed("ord", "alpha:α beta:β gamma:γ delta:δ epsilon:ε eta:η theta:θ kappa:κ lambda:λ mu:μ xi:ξ pi:π rho:ρ"),
    **_listed("ord", "sigma:σ tau:τ phi:φ chi:χ omega:ω ell:ℓ partial:∂ infty:∞ emptyset:∅ bot:⊥ circ:° dots:…"),
    **_listed("ord", "Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Pi:Π Sigma:Σ Phi:Φ Psi:Ψ Omega:Ω prime:′ forall:∀ exists:∃"),
    **_listed("ord", "lnot:¬ %:% #:# _:_ &:&"),
    **{name: ("op", name) for name in ("ln", "log", "exp", "Pr", "arg")},
    **_listed("limits", "sum:Σ prod:Π bigcup:⋃ max:max min:min lim:lim"),
    **_listed("bin", "cdot:· times:× pm:± cap:∩ cup:∪ sqcup:⊔ oplus:⊕ setminus:∖ vee:∨ land:∧ lor:∨ bmod:mod"),
    **_listed("rel", "le:≤ ge:≥ ne:≠ neq:≠ in:∈ notin:∉ subseteq:⊆ to:→ mapsto:↦ leftarrow:← Rightarrow:⇒ approx:≈"),
    **_listed("rel", "equiv:≡ propto:∝ sim:~ mid:|"),
    **_listed("open", "{:{ lfloor:⌊ lceil:⌈ langle:⟨ lvert:| lVert:‖"),
    **_listed("close", "}:} rfloor:⌋ rceil:⌉ rangle:⟩ rvert:| rVert:‖"),
    **dict.fromkeys((",", ";", " ", "quad"), ("space", " ")),
}
_SIZES = ("left", "right", "big", "Big", "bigl", "Bigl", "bigr", "Bigr", "nolimits")
"""Commands that say how a bracket or an operator is drawn."""
_ACCENTS: Mapping[str, str] = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304", "overline": "\u0305"}
_UPRIGHT = ("mathrm", "text", "mathbf")
_LETTERS: Mapping[str, str] = {"N": "ℕ", "R": "ℝ"}
"""With `mathbb`."""
_FACTORS = ("ord", "op", "limits", "fraction")
"""What a fraction is multiplied with where it stands before it."""


class Atom(NamedTuple):
    """A part of a formula and its class; `scripted` if it ends with an exponent or an index, or begins with a root."""

    kind: Class
    text: str
    scripted: bool = False


@cache
def terminal_text(markdown: str) -> str:
    """The text with its formulas, between dollar signs, as text on one line.

    Raises `DomainError` for a formula with a command that is not known here.
    """
    parts = re.split(r"\$\$?", markdown)
    parts[1::2] = map(formula, parts[1::2])
    return "".join(part if number % 2 else _ESCAPED.sub(r"\1", part) for number, part in enumerate(parts))


def formula(tex: str) -> str:
    """A formula (without dollar signs) as text on one line. Raises `DomainError` as `terminal_text`."""
    return _spaced(_Reader(tex).atoms())


class _Reader:
    """The atoms of a formula, read from the left."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.tokens = ["".join(token) for token in _TOKEN.findall(tex)]
        self.next = 0

    def atoms(self, end: str = "") -> list[Atom]:
        """Up to a token that is left out, or to the end."""
        atoms: list[Atom] = []
        while self.next < len(self.tokens):
            token = self._token()
            if token == end:
                return atoms
            if token in ("^", "_"):
                self.next -= 1
                atoms.append(self._with_scripts(atoms.pop() if atoms else Atom("ord", "")))
            elif token == "'":
                atoms.append(Atom(atoms[-1].kind, atoms.pop().text + "′"))
            else:
                atoms += self._atom(token)
        return atoms

    def _token(self) -> str:
        self.next += 1
        return self.tokens[self.next - 1]

    def _argument(self) -> list[Atom]:
        """A group, or one token."""
        token = self._token()
        while token.isspace():
            token = self._token()
        return self.atoms("}") if token == "{" else self._atom(token)

    def _word(self, end: str) -> str:
        """What stands up to a token, without formulas."""
        text = ""
        while self.next < len(self.tokens) and (token := self._token()) != end:
            text += token.removeprefix("\\")
        return text.strip()

    def _atom(self, token: str) -> list[Atom]:
        if token == "{":
            return self.atoms("}")
        if token.isspace():
            return []
        if not token.startswith("\\"):
            return [Atom(_CHARACTERS.get(token, "ord"), token)]
        name = token.removeprefix("\\")
        if name == "rm":  # to the end of the group
            word = self._word("}")
            self.next -= self.tokens[self.next - 1] == "}"
            return [Atom("op", word)]
        if name in _SIZES:
            if self.tokens[self.next : self.next + 1] == ["."]:
                self.next += 1
            return []
        if name in _COMMANDS:
            return [Atom(*_COMMANDS[name])]
        if name in ("frac", "dfrac", "tfrac"):
            top, bottom = self._argument(), self._argument()
            return [Atom("fraction", f"{_numerator(top)}/{_factor(bottom)}")]
        if name == "binom":
            return [Atom("op", f"binom({_spaced(self._argument())}, {_spaced(self._argument())})")]
        if name == "sqrt":
            return [Atom("ord", f"√{_symbol(self._argument())}", scripted=True)]
        if name == "mathbb":
            return [Atom("ord", _LETTERS[_spaced(self._argument())])]
        if name == "mathcal":
            return self._argument()
        if name in _UPRIGHT:
            token = self._token()
            return [Atom("op", self._word("}") if token == "{" else token)]
        if name in _ACCENTS:
            of = _spaced(self._argument())
            return [Atom("ord", of + _ACCENTS[name]) if len(of) == 1 else Atom("op", f"{name}({of})")]
        if name == "begin":
            return [Atom("ord", self._matrix(self._word_in_braces()))]
        raise DomainError("formula", self.tex, f"a formula without {token}")

    def _word_in_braces(self) -> str:
        self._token()
        return self._word("}")

    def _matrix(self, name: str) -> str:
        """Rows apart by semicolons."""
        end, rows = self.tokens.index(r"\end", self.next), [[""]]
        body, self.next = self.tokens[self.next : end], end + 1
        if self._word_in_braces() != name:
            raise DomainError("formula", self.tex, f"a formula in which {name} ends")
        for token in body:
            if token == r"\\":
                rows.append([""])
            elif token == "&":
                rows[-1].append("")
            else:
                rows[-1][-1] += token
        return "[" + "; ".join(" ".join(map(formula, row)) for row in rows) + "]"

    def _with_scripts(self, base: Atom) -> Atom:
        """The atom with what stands below and above it, in the order of the text."""
        below: list[Atom] | None = None
        above: list[Atom] | None = None
        primes, scripts = "", ""
        while self.next < len(self.tokens) and self.tokens[self.next] in ("^", "_"):
            is_above, argument = self._token() == "^", self._argument()
            if is_above and all(atom.text in "′°" for atom in argument):
                primes += "".join(atom.text for atom in argument)
            elif is_above:
                above, scripts = argument, scripts + f"^{_symbol(argument)}"
            else:
                below, scripts = argument, scripts + f"_{_index(argument)}"
        if base.kind == "limits" and below is not None:
            limits = _spaced(below, tight=True) + (f"..{_spaced(above, tight=True)}" if above else "")
            return Atom("limits", base.text + (f"_{limits}" if len(limits) == 1 else f"_{{{limits}}}"))
        text = f"({base.text})" if base.kind == "fraction" else base.text
        kind: Class = "ord" if base.kind == "fraction" else base.kind
        return Atom(kind, text + primes + scripts, base.scripted or bool(scripts))


def _numerator(atoms: Sequence[Atom]) -> str:
    """What is divided: in parentheses unless it is a product."""
    loose = ("rel", "punct", "slash", "fraction", "limits")
    top = list(_outside(atoms))
    is_loose = any(atom.kind in loose or (atom.kind == "bin" and i) for i, atom in enumerate(top))
    is_loose = is_loose or any(one.kind == "op" and other.kind != "open" for one, other in pairwise(atoms))
    return f"({_spaced(atoms)})" if is_loose else _spaced(atoms)


def _factor(atoms: Sequence[Atom]) -> str:
    """A divisor: in parentheses unless it is a symbol with its exponents and indices, a number or a function value."""
    is_value = len(atoms) > 1 and atoms[0].kind == "op"
    is_single = len(atoms) == 1 and atoms[0].kind in ("ord", "op")
    is_tight = is_single or _is_number(atoms) or _is_enclosed(atoms[is_value:])
    return _spaced(atoms) if is_tight else f"({_spaced(atoms)})"


def _symbol(atoms: Sequence[Atom]) -> str:
    """An exponent, or what is under a root: in parentheses unless it is one symbol, or a number."""
    return f"({_spaced(atoms)})" if any(atom.scripted for atom in atoms) else _factor(atoms)


def _index(atoms: Sequence[Atom]) -> str:
    """An index: in parentheses unless it is letters and digits."""
    text = _spaced(atoms, tight=True)
    return text if text.isalnum() or len(atoms) == 1 else f"({text})"


def _is_number(atoms: Sequence[Atom]) -> bool:
    return bool(re.fullmatch(r"[0-9.]+", "".join(atom.text for atom in atoms)))


def _is_enclosed(atoms: Sequence[Atom]) -> bool:
    """Whether the first bracket is closed by the last atom."""
    return len(atoms) > 1 and [atom.kind for atom in (atoms[0], *_outside(atoms))] == ["open", "close"]


def _outside(atoms: Sequence[Atom]) -> Iterator[Atom]:
    """The atoms that stand in no brackets, and the brackets that close."""
    depth = 0
    for atom in atoms:
        depth -= atom.kind == "close"
        if depth == 0 and atom.kind != "open":
            yield atom
        depth += atom.kind == "open"


def _spaced(atoms: Sequence[Atom], tight: bool = False) -> str:
    """The atoms with spaces between them; `tight`: none around relations and signs."""
    text, before, is_apart = "", Atom("open", ""), False
    for index, atom in enumerate(atoms):
        if atom.kind == "space":
            is_apart = before.kind in ("ord", "close")
            continue
        after = next((a for a in atoms[index + 1 :] if a.kind != "space"), Atom("close", ""))
        sign = atom.text
        if atom.kind == "bin":
            is_sign = before.kind in ("open", "bin", "rel", "punct", "slash", "op", "limits")
            sign = atom.text if (is_sign or tight) and atom.text != "mod" else f" {atom.text} "
        elif atom.kind == "rel":
            sign = atom.text if tight else f" {atom.text} "
        elif atom.kind == "punct":
            sign = atom.text if tight else f"{atom.text} "
        elif atom.kind == "fraction":
            sign = _fraction(before, atom, after)
        elif atom.kind != "close" and (is_apart or _are_apart(before, atom)):
            sign = f" {atom.text}"
        text += " " * (atom.kind == "fraction" and _are_apart(before, atom)) + sign
        before, is_apart = atom, False
    return re.sub(r"  +", " ", text).strip()


def _fraction(before: Atom, atom: Atom, after: Atom) -> str:
    """A fraction beside what it is multiplied with: in parentheses."""
    times = before.kind in ("ord", "close", "fraction")
    if not times and before.kind not in ("op", "slash") and after.kind not in (*_FACTORS, "open", "slash"):
        return atom.text
    return "·" * times + f"({atom.text})"


def _are_apart(before: Atom, atom: Atom) -> bool:
    """Whether a space keeps two atoms apart that would be read as one."""
    if before.kind == "limits":
        return atom.kind not in ("close", "punct", "slash", "bin") and (
            atom.kind != "open" or before.text[0] in "ΣΠ⋃" or "_" in before.text
        )
    if atom.kind == "open":
        return bool(_POWER.search(before.text))
    if atom.kind not in ("ord", "op", "limits"):
        return False
    if before.kind == "op" or (before.kind in ("ord", "close") and before.scripted):
        return atom.text not in "!°"
    if before.kind == "fraction":
        return True
    return atom.kind != "ord" and before.kind in ("ord", "close")
