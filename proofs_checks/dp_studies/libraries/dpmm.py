"""dpmm 0.1.9."""

from dp_studies.libraries.base import Library, Repair, exact

SHARED = (*[(0, 0, 0)] * 59,)
ALIKE: dict[str, object] = {
    "sizes": (2, 2, 2),
    "tables": ((*SHARED, (1, 1, 0)), (*SHARED, (0, 0, 0))),
    "degree": 1,
    "score": "I",
    "epsilon": 0.5,
}
"""60 records: all alike, or all but one, in which two attributes have the value that no other record has."""
README = "documented: the data domain is either provided as input or extracted with DP"

SELECTED = {
    "made": "(model(2 * epsilon, degree=degree + 1), [data_set(sizes, table) for table in tables])",
    "report": "network(made[0], made[1][item])",
}
"""PrivBayes.select has half of the budget of PrivBayes; cliques are parents and attribute."""
LIBRARY = Library(
    name="dpmm",
    adapter="dpmm.py",
    environment="synthesis",
    protocols={
        "PrivBayes.select": exact(
            SELECTED,
            "GreedyBayes",
            ALIKE,
            notes=(
                "epsilon is the half that PrivBayes gives to the selection (its own is 1.0); it is a pure one in the "
                "code, and delta is for the noise of the tables",
                "the score is mutual information divided by the geometric mean of two entropies: between 0 and 1 for "
                "any number of records, and one record changes it from 0 to 1; the sensitivity is that of mutual "
                "information in nats, about 2 log(n) / n, so that the loss grows with the number n of records",
                "at n = 1000 the cliques (a,), (a, c), (c, b) have probability 0.0000032 with the record and 1/12 "
                "without it: no epsilon <= 10 with delta = 0.00001 holds, whether the record is replaced or added",
            ),
            repair=Repair(
                "mutual information in nats, `(e_1 + e_2 - e_1_2) * np.log(2)`, in MI.__call__",
                {"report": "network(made[0], made[1][item], Information)"},
                (
                    "import pandas as pd; from dpmm.models.priv_bayes import MI, ExponentialMechanism; "
                    "from dpmm.models.base.mbi import Dataset, Domain",
                    "for last in (1, 0): data = Dataset(pd.DataFrame([[0, 0, 0]] * 999 + [[last, last, 0]], "
                    "columns=list('abc')), Domain(list('abc'), [2, 2, 2])); "
                    "print(ExponentialMechanism(data, 0.5)([MI(data)(('a',), x) for x in 'bc']))",
                    "# 0.997, 0.003, then 0.5, 0.5: two candidates, a selection that has a third of epsilon = 0.5",
                ),
            ),
        ),
        "TableBinner.fit, what has no noise": exact(
            {"report": "changed(lambda number: binned(number, epsilon), item)"},
            "Public",
            {"d": 3, "epsilon": 0.1},
            notes=(
                "categories of all columns are given; a column with one value in the data is left out of the model, "
                "and all synthetic rows have that value; there are missing values in them only if the data has some",
                README,
            ),
            repair=Repair(
                "columns of one value in the domain instead of in the data, and an argument that says which columns "
                "can have missing values",
                shows=(
                    "import pandas as pd; from dpmm.pipelines import PrivBayesPipeline",
                    "data = pd.DataFrame({'a': ['u', 'v'] * 10, 'b': ['y'] * 19 + ['z'], 'c': ['p', 'q'] * 10})"
                    ".astype('category'); domain = {x: {'categories': k} for x, k in zip('abc', ('uv', 'yz', 'pq'))}",
                    "p = PrivBayesPipeline(gen_kwargs={'n_iters': 99}); p.fit(data, domain); "
                    "print(p.generate(1000).b.value_counts())  # with ['y'] * 20 there is never a z",
                ),
            ),
        ),
        "PrivBayes.fit without a domain": exact(
            {"made": "model(epsilon)", "report": "changed(lambda number: fitted(made, number), item)"},
            "Public",
            {"d": 2, "epsilon": 1.0},
            notes=(
                "pipelines hand a domain on; without one, the largest values of the data are taken, and a comment in "
                "the code says that a warning is to be added",
                README,
            ),
            repair=Repair(
                "an error in Mechanism.fit where there is no domain and the data is not public",
                shows=(
                    "import pandas as pd; from dpmm.models.priv_bayes import PrivBayes",
                    "for last in (1, 2): m = PrivBayes(1.0, 1e-5, n_jobs=1); m.fit(pd.DataFrame({'a': [0, 1] * 5, "
                    "'b': [0, 1] * 4 + [0, last]}), marginals_only=True); print([x[1].shape for x in m.measures])",
                    "# the table of a and b has four cells, or six",
                ),
            ),
        ),
    },
    notes=("inputs are data sets that differ in one record; the documentation names no relation of neighbors",),
    without_oracle={
        "PrivBayes.measure": "continuous Gaussian noise of opendp, which has no oracle; read: sigma times the root of "
        "the number of cliques, for one record that is added or removed; where one is replaced, rho is twice as large: "
        "at epsilon = 1, delta = 0.00001 half of epsilon holds with delta = 0.00024 only",
        "AIM, MST": "no PrivBayes",
        "generate": "post-processing of the noisy tables, but for the columns of one value",
    },
    exceeded={
        "PrivBayes.measure": (
            "import numpy as np, pandas as pd; from scipy.stats import norm; "
            "from dpmm.models.base.mbi import Dataset, Domain; from dpmm.models.priv_bayes import PrivBayes; "
            "p = PrivBayes(1.0, 1e-5, n_jobs=1); p.cliques = ['a', 'ab']",
            "x, y = (np.concatenate([table[1].ravel() for table in p.measure(Dataset(pd.DataFrame({'a': [0, last], "
            "'b': [0, last]}), Domain('ab', [2, 2])), public=True)]) for last in (0, 1))",
            "m = np.linalg.norm(x - y) / np.sqrt(2) / p.sigma; "
            "print(norm.cdf(m / 2 - 0.5 / m) - np.exp(0.5) * norm.cdf(-m / 2 - 0.5 / m), 1e-5)",
            "# delta 0.00024, where 0.00001 is allowed: each of two cliques has noise of sigma times sqrt(2)",
        ),
    },
)
