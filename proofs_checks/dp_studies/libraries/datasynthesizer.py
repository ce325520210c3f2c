"""DataSynthesizer 0.1.13."""

from dp_studies.libraries.base import Library, Repair, Texts, exact, sampled

COUNTS: dict[str, object] = {"counts": ((2, 1), (1, 2)), "sensitivity": 2, "epsilon": 1.0, "low": 1, "high": 2}
LARGEST: dict[str, object] = {"utilities": ((6, 4), (5, 5)), "sensitivity": 1, "epsilon": 1.0}
PAIRS: dict[str, object] = {
    "counts": ((2, 1, 1, 1), (1, 2, 1, 1)),
    "sensitivity": 2,
    "epsilon": 1.0,
    "low": 1,
    "high": 2,
}
BINARY: dict[str, object] = {
    "sizes": (2, 2, 2),
    "tables": tuple(
        tuple(zip((0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 0, 1), last, strict=True))
        for last in ((0, 1, 0, 1, 0, 1), (0, 1, 0, 1, 0, 0))
    ),
    "degree": 1,
    "score": "I",
    "epsilon": 1.0,
}
"""Three binary attributes, of which one record changes the last."""
ROWS = tuple((i % 3, int(i % 3 > 0), i // 3 % 3) for i in range(60))
ONCE: dict[str, object] = {
    "sizes": (3, 3, 3),
    "tables": (ROWS, ((0, 2, 0), *ROWS[1:])),
    "candidates": ((1, (0,)), (2, (0,))),
    "score": "I-general",
    "epsilon": 1.0,
}
"""60 records: the second attribute tells whether the first is 0; one record has its third value, or none has."""
SEED = Repair("`seed=None` as the default of the three modes and of greedy_bayes, which `random` and numpy both allow")


def _once(binary: str) -> str:
    """A selection with the whole budget: of two attributes, one is chosen."""
    return f"chosen(made[item], named(candidates), 2, epsilon, {binary})"


def _noisy(attributes: str, divided: str = "") -> Texts:
    """The noisy counts, if they are in the window."""
    return {"report": f"[window(count) for count in noisy('{attributes}', counts[item], epsilon{divided})]"}


LIBRARY = Library(
    name="DataSynthesizer",
    adapter="datasynthesizer.py",
    environment="further",
    protocols={
        "greedy_bayes, root": exact(
            {
                "report": "'ab'.index(quiet(PrivBayes.greedy_bayes, columns(ROOTS[item]), 1, epsilon)[0][1][0])",
                "reproduce": (
                    "import pandas as pd; from DataSynthesizer.lib.PrivBayes import greedy_bayes",
                    "data = pd.DataFrame({{'a': list('0011'), 'b': list('0111')}})",
                    "if __name__ == '__main__': print([greedy_bayes(data, 1, {epsilon}) for _ in range(5)])",
                ),
            },
            "Exponential",
            {"utilities": ((0, 0), (0, 0)), "sensitivity": 1, "epsilon": 1.0},
            notes=("of two attributes, the root is one or the other with equal probability",),
            repair=Repair(
                SEED.says,
                {"report": "'ab'.index(unseeded(columns(ROOTS[item]), 1, epsilon)[0][1][0])"},
                (
                    "import pandas as pd; from DataSynthesizer.lib.PrivBayes import greedy_bayes",
                    "data = pd.DataFrame({'a': list('0011'), 'b': list('0111')})",
                    "if __name__ == '__main__': print([greedy_bayes(data, 1, 1.0) for _ in range(5)])  # all the same",
                ),
            ),
        ),
        "exponential_mechanism": exact(
            {
                "report": "chosen(columns(SCORED[item]), PAIRS, 3, epsilon)",
                "facts": "{'scores': [scores(columns(data), PAIRS) for data in SCORED], 'sensitivities': "
                "sensitivities()}",
                "reproduce": (
                    "from DataSynthesizer.lib.PrivBayes import *; import pandas as pd",
                    "data = pd.DataFrame({{k: list(v) for k, v in {SCORED}[{{input}}].items()}}); pairs = {PAIRS}",
                    "print(exponential_mechanism({epsilon}, [mutual_information(data[c], data[p]) for c, p in pairs], "
                    "pairs, dict.fromkeys('abc', True), 6, 3))",
                ),
            },
            "ExponentialScores",
            {"epsilon": 1.0},
            asks=True,
            notes=(
                "scores are the mutual informations, as the library computes them, on two data sets that differ in one "
                "record; epsilon is shared by two selections",
            ),
        ),
        "greedy_bayes, network": exact(
            {"report": "numbered(unseeded(records(tables[item]), degree, epsilon))"},
            "GreedyBayes",
            BINARY,
            notes=("the generator is not seeded here; score, sensitivity, share and draws of binary attributes",),
        ),
        "exponential_mechanism, a value that occurs once": exact(
            {"made": "[records(table).astype(str) for table in tables]", "report": _once("None")},
            "TableSelection",
            ONCE,
            notes=(
                "attributes have three values; as in greedy_bayes, the sensitivity is that of binary attributes if at "
                "most two values occur, which one record changes; neighbors replace that record, and where it is added "
                "or removed the largest loss is 1.45 instead of 1.50 (300 records: 6.3)",
                "documented: noise is injected into statistics within the active domain, the values in the table",
            ),
            repair=Repair(
                "the number of values of the domain instead of those that occur, in attr_to_is_binary of greedy_bayes",
                {"report": _once("dict.fromkeys('abc', False)")},
                (
                    "import pandas as pd; from DataSynthesizer.lib.PrivBayes import *",
                    "data = pd.DataFrame([(i % 3, int(i % 3 > 0), i // 3 % 3) for i in range(60)]).astype(str); "
                    "data.at[0, 1] = '2'  # or without",
                    "print(exponential_mechanism(1.0, [mutual_information(data[x], data[[0]]) for x in (1, 2)], "
                    "[(1, [0]), (2, [0])], {x: data[x].nunique() <= 2 for x in data}, 60, 2))"
                    "  # 0.90, 0.10; without: 0.977, 0.023",
                ),
            ),
        ),
        "get_noisy_distribution_of_attributes": sampled(
            _noisy("a"),
            "LaplaceCounts",
            COUNTS,
            reports=8000,
            first=8000,
            notes=(
                "neighbors differ in the value of one record, as in PrivBayes, whose noise has scale "
                "2 (d - k) / (n epsilon) on frequencies",
            ),
            repair=Repair(
                "`return 2 * (num_attributes - k) / epsilon` in laplace_noise_parameter",
                _noisy("a", " / 2"),
                (
                    "from DataSynthesizer.lib.PrivBayes import laplace_noise_parameter",
                    "print(laplace_noise_parameter(0, 1, 3, epsilon=1.0))",
                    "# 1.0: the scale of noise for counts of which two change by 1 has to be 2 / epsilon",
                ),
            ),
        ),
        "get_noisy_distribution_of_attributes, two attributes": sampled(
            _noisy("ab"),
            "LaplaceCounts",
            PAIRS,
            reports=4000,
            notes=(
                "neighbors differ in the value of one record; where one is added or removed, as the notebooks of the "
                "library say, one cell changes by 1 and the scale (d - k) / epsilon keeps the budget",
                "that the first noisy count is at least 2 and the second at most 1 has probability 1/4 on the first "
                "data set and e^-2 / 4 on the second, where e^-1 / 4 is the least that epsilon allows",
            ),
            repair=Repair(
                "`return 2 * (num_attributes - k) / epsilon` in laplace_noise_parameter",
                _noisy("ab", " / 2"),
                (
                    "from DataSynthesizer.lib.PrivBayes import laplace_noise_parameter",
                    "print(laplace_noise_parameter(1, 2, 5, epsilon=1.0))",
                    "# 1.0: the scale of noise for cells of which two change by 1 has to be 2 / epsilon",
                ),
            ),
        ),
        "describe_dataset_in_correlated_attribute_mode, what has no noise": sampled(
            {"made": "Described(d, epsilon)", "report": "made.changed(item)"},
            "Public",
            {"d": 3, "epsilon": 1.0},
            reports=40,
            notes=(
                "domains are given in a file, keys and types as arguments; the last record has a value that others "
                "have, one that no other has, or none",
                "documented: noise is injected into statistics within the active domain, the values in the table",
            ),
            repair=Repair(
                "noise on missing_rate, and the number of values of the domain (and one more) instead of the largest "
                "code in get_noisy_distribution_of_attributes",
                shows=(
                    "import pandas as pd; from DataSynthesizer.lib.PrivBayes import *",
                    "for last in (0, 2): print(len(get_noisy_distribution_of_attributes(['a'], "
                    "pd.DataFrame({'a': [0, 1, 0, 1, last]}), 1.0)))",
                    "# 2, then 3: the size of the table shows whether one record has the third value of the domain",
                ),
            ),
        ),
        "describe_dataset_in_independent_attribute_mode": sampled(
            {
                "made": "[counted(counts) for counts in utilities]",
                "client": "DataDescriber(category_threshold=20)",
                "report": "most_probable(client, made[item], epsilon)",
            },
            "NoisyMax",
            LARGEST,
            reports=2000,
            notes=(
                "seen is which of two values has the larger noisy probability; noise on frequencies has scale "
                "2 / (n epsilon), on counts 2 / epsilon",
            ),
            repair=Repair(
                SEED.says,
                {"report": "most_probable(client, made[item], epsilon, seed=None)"},
                (
                    "open('data.csv', 'w').write('a\\n' + 'u\\n' * 6 + 'v\\n' * 4)",
                    "from DataSynthesizer.DataDescriber import DataDescriber; d = DataDescriber(category_threshold=20)",
                    "d.describe_dataset_in_independent_attribute_mode('data.csv', epsilon=1.0, "
                    "attribute_to_is_categorical={'a': True}); print(d.data_description['attribute_description'])"
                    "  # the same in every run",
                ),
            ),
        ),
    },
    notes=("inputs are data sets that differ in one record", "its child processes run in one, which draws nothing"),
    without_oracle={
        "describe_dataset_in_correlated_attribute_mode": "its parts are audited. Together they get 2 epsilon: epsilon "
        "for the histograms of the independent mode, half of it for the network, half for the tables, whose noise is "
        "that of an added record. With the records (u, u), (v, v), and one more that is (v, v) or (u, u): that both "
        "histograms have 0 for u and more for v, as the laws given u and given v do, is at epsilon = 1 and k = 1 in "
        "the first case 4.1 times as likely as in the second. The number of records has no noise",
        "DataGenerator": "post-processing of what was described",
    },
    exceeded={
        "describe_dataset_in_correlated_attribute_mode": (
            "import numpy as np; from scipy.stats import laplace; from DataSynthesizer.DataDescriber import *; "
            "scales = []; np.random.laplace = lambda loc, scale, size: scales.append(scale) or np.zeros(size)",
            "open('data.csv', 'w').write('a,b\\nu,u\\nv,v\\nu,u\\n'); "
            "DataDescriber().describe_dataset_in_correlated_attribute_mode('data.csv', 1, epsilon=1.0)",
            "chance = lambda u, v: np.prod([laplace.cdf(-u / n, scale=b) * laplace.sf(-v / n, scale=b) "
            "for n, b in zip((3, 3, 1), scales)]); print(chance(1, 2) / chance(2, 1), np.exp(1.0))",
            "# 4.1, where 2.7 is allowed: two histograms and a table of counts have 0 for u and more for v",
        ),
    },
)
