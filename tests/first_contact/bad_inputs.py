"""Bad inputs of the command line, with the exit code and words of the one line they end in.

Names of files are those that `files` makes. No case may show a traceback, whatever else is said.
"""

import json
from collections.abc import Iterator
from pathlib import Path

WRONG, REJECTED = 2, 1
Case = tuple[tuple[str, ...], int, str]
"""Arguments, exit code, words of the last line."""

NOT_EPSILON = (
    *("", "-1", "nan", "inf", "x", "1/0", "ln(0)", "ln(1/2)", "-ln(2)", "1e9", "0x10", "1,5", "٣", "ln(3", "1 2"),
)
NO_CLAIM = ("nope", "", "002", "002.thm1", "003.eq1", "002.thm1.sugr.eq11", "../ledger", "\x00", "002.eq12.", "2.eq12")
NOT_A_NUMBER = ("0", "-1", "1.5", "x", "", "1e3", "nan", "99999999999999999999")


def files(folder: Path) -> None:
    """Files and folders that cases name."""
    (folder / "folder").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "binary").write_bytes(bytes(range(256)) * 4)
    (folder / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    (folder / "huge.json").write_text(json.dumps({"id": "x" * 10_000_000}))
    (folder / "number.json").write_text("1")
    (folder / "twice.json").write_text('{"id": 1, "id": 2}')
    (folder / "nan.json").write_text('{"id": NaN}')
    (folder / "columns.csv").write_text("a,b\n1,2\n")
    (folder / "rows.csv").write_text("input,report\n0,\n")
    (folder / "syntax.py").write_text("def randomize(:\n")
    (folder / "narrow.txt").write_text("1 0\n0 1\n")
    (folder / "words.txt").write_text("1 0 0 0\n0 one 0 0\n")
    (folder / "singular.txt").write_text("1 1 0 0\n0 0 1 1\n1 1 1 1\n1 1 -1 -1\n")
    (folder / "other.py").write_text("LISTED = []\n\ndef other(item):\n    return item\n")


def cases() -> Iterator[Case]:
    """All of them."""
    yield from _commands()
    yield from _verify()
    yield from _tables()
    yield from _budgets()
    yield from _frequency_oracles()
    yield from _strategies()
    yield from _amplifications()
    yield from _outputs()
    yield from _audits()


def _commands() -> Iterator[Case]:
    yield ("certfy",), WRONG, "did you mean certify"
    yield ("nothing",), WRONG, "is not known"
    yield ("--nothing",), WRONG, "--nothing"
    yield ("certify", "no-such-claim"), WRONG, "no-such-claim"
    yield ("certify", ""), WRONG, "GLOB"
    yield ("certify", "002.eq12", "--write"), WRONG, "--write needs all claims"
    for jobs in NOT_A_NUMBER[:5]:
        yield ("certify", "002.eq12", "--jobs", jobs), WRONG, "--jobs"
    yield ("list", "no-such-claim"), WRONG, "no-such-claim"
    yield ("list", "--verdict", "prooved"), WRONG, "did you mean proved"
    yield ("list", "--verdict", ""), WRONG, "known are"
    for claim in NO_CLAIM:
        yield ("explain", claim), WRONG, "no claim"
    yield ("explain",), WRONG, "CLAIM"
    yield ("explain", "002.eq12", "002.eq13"), WRONG, "unexpected extra argument"
    yield ("cards", "extra"), WRONG, "unexpected extra argument"
    yield ("reproduce",), WRONG, "SOURCE"
    for source in ("005", "2", "", "../002"):
        yield ("reproduce", source), WRONG, "SOURCE"
    for budgets in ("0", "x", "", "nan", "ln(2)", "1,,2", "1,1"):
        yield ("reproduce", "000", "--epsilon", budgets), WRONG, "epsilon"
    for budgets in ("0", "1,1", "ln(2)"):
        yield ("reproduce", "000", "--local", budgets), WRONG, "budgets"
    for delta in ("0", "1", "x", "", "nan", "-1"):
        yield ("reproduce", "000", "--delta", delta), WRONG, "delta"
    yield ("reproduce", "000", "--data", "no-such-file.csv"), WRONG, "--data"
    yield ("reproduce", "000", "--column", "city"), WRONG, "--column"
    yield ("reproduce", "000", "--calibration", "certifed"), WRONG, "did you mean certified"
    for size in ("0", "3", "8192", "x"):
        yield ("reproduce", "001", "--size", size), WRONG, "size"
        yield ("reproduce", "001", "--sizes", f"1,{size}"), WRONG, "size"
    for budgets in ("0", "x", "", "nan", "ln(2)", "1,,2", "1,1"):
        yield ("reproduce", "001", "--epsilon", budgets), WRONG, "epsilon"
    for number in ("0", "-1", "x"):
        yield ("reproduce", "001", "--ranges", number), WRONG, "--ranges"
        yield ("reproduce", "001", "--runs", number), WRONG, "--runs"
    yield ("reproduce", "001", "--noise", "laplac"), WRONG, "did you mean laplace"
    yield ("reproduce", "001", "--figures", "4"), WRONG, "--figures"
    for figures in ("0", "5", "1,,2", "x", "", "1;2"):
        yield ("reproduce", "002", "--figures", figures), WRONG, "figures"
    yield ("reproduce", "002", "--calibration", "papper"), WRONG, "did you mean paper"
    for number in ("-1", "x", "1.5"):
        yield ("reproduce", "002", "--seed", number), WRONG, "--seed"
        yield ("reproduce", "002", "--runs", number), WRONG, "--runs"
        yield ("reproduce", "004", "--runs", number), WRONG, "--runs"
    yield ("reproduce", "004", "--figures", "1"), WRONG, "--figures"
    yield ("reproduce", "004", "--calibration", "paper"), WRONG, "--calibration"
    yield ("reproduce", "002", "--epsilon", "2"), WRONG, "--epsilon"
    for budgets in ("0", "ln(2)", "1,1"):
        yield ("reproduce", "003", "--data", "small", "--epsilon", budgets), WRONG, "epsilon"
    yield ("reproduce", "003", "--data", "no-such-file.csv"), WRONG, "--data"
    yield ("reproduce", "003", "--data", "small", "--k", "8"), WRONG, "clusters"
    yield ("reproduce", "003", "--calibration", "certifed"), WRONG, "did you mean certified"
    for numbers in ("0", "1,,2", "x", "", "2;3", "-1", "1,1"):
        yield ("reproduce", "004", "--k", numbers), WRONG, "k"
        yield ("reproduce", "004", "--m", numbers), WRONG, "m"
    for budgets in ("0", "x", "", "nan", "1,,2", "1,1"):
        yield ("reproduce", "004", "--epsilon", budgets), WRONG, "epsilon"
    yield ("reproduce", "004", "--data", "zipf"), WRONG, "data"
    yield ("reproduce", "004", "--functions", "randon"), WRONG, "did you mean random"
    yield ("reproduce", "004", "--words", "10"), WRONG, "top"


def _verify() -> Iterator[Case]:
    for name in ("empty", "binary", "deep.json", "huge.json", "number.json", "twice.json", "nan.json"):
        yield ("verify", name), REJECTED, f"REJECTED {name}"
    yield ("verify", "none"), WRONG, "none: No such file or directory"
    yield ("verify", "folder"), WRONG, "folder: Is a directory"
    yield ("verify",), WRONG, "CERTIFICATE"
    for work in ("-1", "x", "1.5"):
        yield ("verify", "number.json", "--work", work), WRONG, "--work"


def _tables() -> Iterator[Case]:
    def table(name: str, *parameters: str) -> tuple[str, ...]:
        return ("table", name, *(part for text in parameters for part in ("--param", text)))

    yield ("table",), WRONG, "MECHANISM"
    for name, meant in (
        ("sugr", "SuGRR"),
        ("rapor", "RAPPOR"),
        ("whel", "Wheel"),
        ("", "known are"),
        ("7", "known are"),
    ):
        yield table(name), WRONG, meant
    for epsilon in NOT_EPSILON:
        yield table("GRR", "d=3", f"epsilon={epsilon}"), WRONG, "epsilon"
    for number in NOT_A_NUMBER:
        yield (
            table("GRR", "epsilon=1", f"d={number}"),
            WRONG,
            f"d = {number!r}" if not number.lstrip("-").isdigit() else "d = ",
        )
        yield table("SuGRR", "K=3", "epsilon=1", f"m={number}"), WRONG, "m = "
    yield table("GRR"), WRONG, "epsilon is missing"
    yield table("GRR", "epsilon=1"), WRONG, "d is missing"
    yield table("SuGRR", "epsilon=1", "K=2"), WRONG, "m is missing"
    yield table("PrivSet", "epsilon=1", "d=4", "m=2"), WRONG, "k is missing"
    yield table("Wheel", "epsilon=1", "d=2", "m=1"), WRONG, "hash is missing"
    yield table("GRR", "epsilon=1", "d=3", "K=3"), WRONG, "one of the two"
    yield table("GRR", "epsilon=1", "d=3", "views=set"), WRONG, "'views' is not known"
    yield table("GRR", "epsilon=1", "d=3", "d=3"), WRONG, "once"
    yield table("GRR", "epsilon"), WRONG, "NAME=VALUE"
    yield table("GRR", "=1"), WRONG, "not known"
    yield table("SuGRR", "epsilon=1", "K=2", "m=3"), WRONG, "m = 3"
    yield table("SuGRR", "epsilon=1", "K=2", "N=-1", "m=1"), WRONG, "N = -1"
    yield table("SuGRR", "epsilon=1", "K=2", "m=1", "view=multisets"), WRONG, "did you mean multiset"
    yield table("SuRAP", "epsilon=1", "K=2", "m=1", "view=bag"), WRONG, "known are sen, whole"
    yield table("GRR", "epsilon=1", "d=3", "m=2"), WRONG, "--param"
    yield table("Wheel", "epsilon=1", "d=2", "m=1", "N=1"), WRONG, "--param"
    yield table("PrivSet", "epsilon=1", "d=4", "m=2", "k=3"), WRONG, "k = 3"
    yield table("PrivSet", "epsilon=1", "d=4", "m=4", "k=1"), WRONG, "m = 4"
    for values in ("0", "0,2", "0,x", "0,1/0", "", "0,0,0", "0,0.5", "-1/2,0"):
        yield table("Wheel", "epsilon=1", "d=2", "m=1", f"hash={values}"), WRONG, "allowed is"
    yield table("OUE", "epsilon=1"), WRONG, "d is missing"
    yield table("OUE", "epsilon=1", "d=60"), WRONG, "random paths"
    yield table("SHE", "epsilon=1", "d=2"), WRONG, "finitely many reports"
    yield table("THE", "epsilon=1", "d=2"), WRONG, "theta is missing"
    for theta in ("nan", "x", "1/0", "1e9", ""):
        yield table("THE", "epsilon=1", "d=2", f"theta={theta}"), WRONG, "theta = "
    yield table("LH", "epsilon=1", "d=2"), WRONG, "g is missing"
    yield table("LH", "epsilon=1", "d=2", "g=1"), WRONG, "g = 1"
    yield table("FLH", "epsilon=1", "d=2", "g=2"), WRONG, "functions is missing"
    yield table("BLH", "epsilon=1", "d=2", "functions=[[0,2]]"), WRONG, "2 labels"
    yield table("OLH", "epsilon=0", "d=2"), WRONG, "epsilon > 0"
    yield table("OLH", "epsilon=1", "d=2", "rounding=up"), WRONG, "known are best, nearest"
    yield table("OLH", "epsilon=1000000", "d=2"), WRONG, "as many labels as are counted"
    yield table("SS", "epsilon=1", "d=3", "k=3"), WRONG, "k = 3"
    yield table("SS", "epsilon=1", "d=1"), WRONG, "two or more items"
    yield table("SS", "epsilon=1", "d=20000"), WRONG, "random paths"
    yield table("HadamardResponse", "epsilon=1", "d=3", "first=2"), WRONG, "first = 2"
    yield table("CMS", "epsilon=1", "d=2", "m=2"), WRONG, "functions is missing"
    yield table("CMS", "epsilon=1", "d=2", "functions=[[0,1]]"), WRONG, "m is missing"
    for values in (
        *("", "0,1", "[]", "[0,1]", "[[0]]", "[[0,-1]]", "[[0,true]]", "[[0,1.0]]", "[[0,2]]", "[" * 999, "7" * 5000),
    ):
        yield table("CMS", "epsilon=1", "d=2", "m=2", f"functions={values}"), WRONG, "allowed is"
    yield table("HCMS", "epsilon=1", "d=2", "m=3", "functions=[[0,1]]"), WRONG, "power of two"
    yield table("RAPPOR", "epsilon=1", "d=60"), WRONG, "random paths"
    yield table("SuGRR", "epsilon=1", "K=200", "m=100"), WRONG, "at most 20000 inputs"
    for digits in ("0", "x", "100000"):
        yield (*table("GRR", "epsilon=1", "d=3"), "--digits", digits), WRONG, "--digits"


def _budgets() -> Iterator[Case]:
    sizes = ("--m", "2", "--K", "3", "--N", "3")
    for epsilon in NOT_EPSILON:
        yield ("budget", *sizes, "--epsilon", epsilon), WRONG, "epsilon"
    for reading, words in (("jont", "did you mean joint"), ("marginl", "did you mean marginal"), ("", "known are")):
        yield ("budget", *sizes, "--reading", reading), WRONG, words
    yield ("budget", "--m", "2"), WRONG, "--K, --N is missing"
    yield ("budget", "--m", "9", "--K", "3", "--N", "3"), WRONG, "m = 9"
    yield ("budget", "--m", "0", "--K", "3", "--N", "3"), WRONG, "m = 0"
    yield ("budget", "--m", "1", "--K", "0", "--N", "3"), WRONG, "K = 0"
    yield ("budget", "--m", "1", "--K", "1", "--N", "-3"), WRONG, "N = -3"
    yield ("budget", "--users", "5"), WRONG, "--users"
    yield ("budget", *sizes, "--bits", "1"), WRONG, "--bits"


def _frequency_oracles() -> Iterator[Case]:
    command = ("frequency-oracles", "--d", "8")
    for epsilon in NOT_EPSILON:
        yield (*command, "--epsilon", epsilon), WRONG, "epsilon"
    for d in ("0", "1", "-4", "1000001", "x"):
        yield ("frequency-oracles", "--d", d), WRONG, "d"
    for option, value in (("--n", "0"), ("--bits", "0"), ("--bits", "2"), ("--columns", "1"), ("--frequency", "2")):
        yield (*command, option, value), WRONG, option.removeprefix("--")
    yield (*command, "--mechanism", "grrr"), WRONG, "did you mean GRR"
    yield (*command, "--range", "2", "1"), WRONG, "range"
    yield (*command, "--plot", "errors.pdf"), WRONG, "--plot"


def _strategies() -> Iterator[Case]:
    command = ("strategies", "--n", "4")
    for epsilon in (*NOT_EPSILON, "0", "ln(1)"):
        yield (*command, "--epsilon", epsilon), WRONG, "epsilon"
    for n in ("0", "-4", "1152921504606846977", "x", "1.5"):
        yield ("strategies", "--n", n), WRONG, "--n"
    for workload in ("", "rangs", "none.txt", "folder", "\x00"):
        yield (*command, "--workload", workload), WRONG, "--workload"
    for option in ("--workload", "--strategy"):
        for file, words in (
            ("empty", "no lines"),
            ("binary", "text"),
            ("narrow.txt", "2 numbers"),
            ("words.txt", "line 2"),
            ("number.json", "1 numbers"),
        ):
            yield (*command, option, file), WRONG, words
    yield (*command, "--strategy", "singular.txt"), WRONG, "full column rank"
    yield (*command, "--strategy", "none.txt"), WRONG, "none.txt"
    yield (*command, "--neighbors", "remove"), WRONG, "--neighbors"
    yield (*command, "--noise", "gauss"), WRONG, "--noise"
    yield (*command, "--by", "mean"), WRONG, "--by"
    yield (*command, "--mechanism", "privlet"), WRONG, "did you mean Privelet"
    yield (*command, "--branching", "1"), WRONG, "branching"
    yield (*command, "--branching", "3", "--mechanism", "Boost"), WRONG, "--pad"
    yield (*command, "--plot", "errors.pdf"), WRONG, "--plot"
    yield ("strategies", "--n", "1099511627776", "--by", "worst"), WRONG, "fewer counts"


def _amplifications() -> Iterator[Case]:
    def amplify(epsilon0: str = "1", delta: str = "1e-3", n: str = "9", k: str = "3") -> tuple[str, ...]:
        return ("amplify", "--epsilon0", epsilon0, "--delta", delta, "--n", n, "--k", k)

    for epsilon in NOT_EPSILON:
        yield amplify(epsilon0=epsilon), WRONG, "--epsilon0"
    for delta in ("0", "1", "nan", "-1", "x", "", "1/0", "1e-999"):
        yield amplify(delta=delta), WRONG, "--delta"
    for number in NOT_A_NUMBER:
        yield amplify(n=number), WRONG, "--n"
        yield amplify(k=number), WRONG, "--k"
    yield ("amplify", "--n", "9", "--k", "3"), WRONG, "two or all of"
    yield (*amplify(), "--mechanism", "ohl"), WRONG, "did you mean olh"
    yield (*amplify(), "--plot", "x.pdf"), WRONG, "--plot"
    yield (*amplify(), "--out", "empty"), WRONG, "is a file"


def _outputs() -> Iterator[Case]:
    """Places that cannot be written are found before the work."""
    yield ("certify", "002.eq12", "--out", "empty"), WRONG, "is a file"
    yield ("certify", "002.eq12", "--out", "empty/below"), WRONG, "is no folder"
    yield ("certify", "002.eq12", "--json", "folder"), WRONG, "is a directory"
    yield ("certify", "002.eq12", "--json", "none/file.json"), WRONG, "is no folder"
    yield ("reproduce", "000", "--out", "empty"), WRONG, "is a file"
    yield ("reproduce", "001", "--out", "empty"), WRONG, "is a file"
    yield ("reproduce", "002", "--out", "empty"), WRONG, "is a file"
    yield ("reproduce", "003", "--out", "empty", "--data", "small"), WRONG, "is a file"
    yield ("reproduce", "004", "--out", "empty"), WRONG, "is a file"
    yield ("vectors",), WRONG, "FOLDER"
    yield ("vectors", "empty"), WRONG, "is a file"
    yield ("vectors", "empty/below"), WRONG, "is no folder"


def _audits() -> Iterator[Case]:
    given = ("--oracle", "GRR", "--param", "d=3", "--param", "epsilon=1")
    code = ("audit", "python", "other.py:other")
    other = (*code, *given)
    yield ("audit", "nothing"), WRONG, "is not known"
    yield ("audit", "oracles", "extra"), WRONG, "'extra' is not known"
    yield ("audit", "environment", "lokal"), WRONG, "did you mean local"
    yield ("audit", "library", "pure_lpd"), WRONG, "did you mean pure-ldp"
    yield ("audit", "library", "opendb", "GRR"), WRONG, "did you mean opendp"
    yield ("audit", "library", "pure-ldp", "RAPOR"), WRONG, "not known"
    yield ("audit", "library", "pure-ldp", "--param", "d=3"), WRONG, "--param needs a PROTOCOL"
    for target in ("binary:f", "syntax.py:randomize", "other.py:randomize", "columns.csv:f"):
        yield ("audit", "python", target, *given), WRONG, "allowed is"
    yield ("audit", "python", "other.py:missing", *given), WRONG, "has no attribute 'missing'"
    yield ("audit", "python", "other.py:LISTED", *given), WRONG, "it is a list, not a function of the item or a class"
    for name in ("none.py", "folder"):
        yield ("audit", "python", f"{name}:f", *given), WRONG, f"no file {name}"
    for seconds in ("-3", "0", "nan", "inf"):
        yield (*other, "--seconds", seconds), WRONG, "seconds"
        yield (*other, "--timeout", seconds), WRONG, "timeout"
    yield (*other, "--accept", "privcy"), WRONG, "did you mean privacy"
    yield (*other, "--accept", "Nonsense"), WRONG, "no check has the name 'Nonsense'"
    yield ("audit", "process", *given, "--accept", "nonsense", "--", "true"), WRONG, "no check has the name 'nonsense'"
    yield ("audit", "library", "pure-ldp", "--accept", "nonsense"), WRONG, "no check has the name 'nonsense'"
    yield (*other, "--paths", "0"), WRONG, "paths = 0"
    yield (*other, "--python", "empty"), WRONG, "python"
    for form in ("json", "junit", "sarif", "html"):
        yield (*other, f"--{form}", "none/audit"), WRONG, "none is no folder"
    for target in ("other.py", "other.py:", ":other", "other.py:1x"):
        yield ("audit", "python", target, *given), WRONG, "FILE.py:NAME"
    for oracle, words in (("GRRR", "did you mean GRR"), ("", "known are"), ("olh-ideal-x", "not known")):
        yield (*code, "--oracle", oracle), WRONG, words
    yield code, WRONG, "--oracle"
    yield (*code, "--oracle", "GRR"), WRONG, "d, epsilon is missing"
    for epsilon in ("", "-1", "nan", "inf", "x", "ln(0)"):
        yield (*code, *given[:4], "--param", f"epsilon={epsilon}"), WRONG, "epsilon"
    for d in NOT_A_NUMBER[:6]:
        yield (*code, "--oracle", "GRR", "--param", f"d={d}", *given[4:]), WRONG, "d = "
    for parameter, words in (("k=2", "'k' is not known"), ("d=4", "once"), ("k", "NAME=VALUE"), ("k=[0.5]", "0.5")):
        yield (*other, "--param", parameter), WRONG, words
    yield (*other, "--users", "x"), WRONG, "numbers of users"
    yield (*other, "--users", "0"), WRONG, "users"
    yield (*other, "--python", "none"), WRONG, "python"
    yield (*other, "--json", "-", "--html", "-"), WRONG, "only one format"
    for name in ("folder", "empty", "binary", "columns.csv", "none.csv", "deep.json", "number.json"):
        yield ("audit", "table", name, *given), WRONG, name
    for name in ("folder", "empty", "binary", "columns.csv", "rows.csv", "none.csv"):
        yield ("audit", "reports", name, *given), WRONG, name
    yield ("audit", "process", *given, "--json", "none/audit.json", "--", "true"), WRONG, "none is no folder"
    yield ("audit", "process", *given, "--level", "2", "--", "true"), WRONG, "level"
    for level in ("0", "2", "x", "-1", "", "1e-9999999"):
        yield ("audit", "reports", "rows.csv", *given, "--level", level), WRONG, "level"
    yield ("audit", "process", *given, "--", "./none"), WRONG, "command"
    yield ("audit", "process", *given), WRONG, "COMMAND"
