"""synthcity 0.2.12: the file of its PrivBayes plugin."""

from dp_studies.libraries.base import Library, Repair, exact, sampled
from dp_studies.libraries.dpmm import ALIKE

NOISE = Repair(
    "`return 2 * (n_features - self.K) / self.epsilon` in _laplace_noise_parameter, as counts get the noise",
    {"made": "source.PrivBayes(epsilon=2 * epsilon / 3, K=0)"},  # of three records
    (
        "from synthcity.plugins.privacy.plugin_privbayes import PrivBayes",
        "print(PrivBayes(epsilon=2.0, K=1)._laplace_noise_parameter(1000, 3))",
        "# 0.004: two tables get an epsilon of 1, and counts of which two change by 1 in each need a scale of 4",
    ),
)
NOISY = {
    "made": "source.PrivBayes(epsilon=2 * epsilon, K=0)",
    "report": "[count if count == 'none' else window(count) for count in noisy(made, counts[item])]",
}
LIBRARY = Library(
    name="synthcity",
    adapter="synthcity.py",
    environment="synthesis",
    protocols={
        "_get_noisy_counts_for_attributes": sampled(
            NOISY,
            "LaplaceCounts",
            {"counts": ((2, 1), (1, 2)), "sensitivity": 2, "epsilon": 1.0, "low": 1, "high": 2},
            reports=4000,
            first=4000,
            notes=(
                "epsilon is the half that PrivBayes gives to its tables; there is one, of n = 3 records",
                "the noise of frequencies, of scale 2 (d - K) / (n epsilon), is added to counts: with n records a "
                "table loses n times its share of the budget where a record is replaced, n/2 times where one is added",
                "that the first noisy count is at least 2 and the second at most 1 has probability 1/4 on the first "
                "data set and e^-3 / 4 on the second, where e^-1 / 4 is the least that epsilon allows",
            ),
            repair=NOISE,
        ),
        "_get_noisy_counts_for_attributes, a value that occurs once": sampled(
            NOISY,
            "LaplaceCounts",
            {"counts": ((3, 0), (2, 1)), "sensitivity": 2, "epsilon": 1.0, "low": 0, "high": 3},
            reports=400,
            notes=("combinations that do not occur are not in the table, and get no noise: it shows which do occur",),
            repair=Repair(
                "all combinations of values of the domain, those with count 0 too",
                shows=(
                    "import pandas as pd; from synthcity.plugins.privacy.plugin_privbayes import PrivBayes",
                    "p = PrivBayes(epsilon=2.0, K=0); print(*(len(p._get_noisy_counts_for_attributes("
                    "pd.DataFrame({'a': [0, 0, last]}), ['a'])) for last in (0, 1)))",
                    "# 1 2: the number of cells shows the last record",
                ),
            ),
        ),
        "_exponential_mechanism": exact(
            {"made": "selections(tables, candidates, epsilon)", "report": "chosen(*made[item])"},
            "TableSelection",
            {**ALIKE, "candidates": ((1, (0,)), (2, (0,)))},
            notes=(
                "the score is mutual information divided by the mean of two entropies, of values that k-means and bins "
                "make: 1 or 0 here, for any number n of records, or 1 where both attributes have one value",
                "its sensitivity is that of mutual information in nats, about log(n) / n: the loss grows with n",
                "_greedy_bayes gives a selection of one of two remaining attributes this epsilon, a quarter of its own",
            ),
            repair=Repair(
                "mutual information in nats, `mutual_info_score` instead of `normalized_mutual_info_score`",
                {"made": "selections(tables, candidates, epsilon, in_nats)"},
                (
                    "import pandas as pd; from synthcity.plugins.privacy.plugin_privbayes import *",
                    "for last in (1, 0): p = PrivBayes(epsilon=2.0, K=1); data = pd.DataFrame([(0, 0, 0)] * 59 + "
                    "[(last, last, 0)], columns=list('abc')); print(p._exponential_mechanism(data, [network_edge(x, "
                    "parents=['a']) for x in 'bc'], [p.mutual_info_score(data, ['a'], x) for x in 'bc']))",
                    "# 0.95, 0.05, then 0.5, 0.5: one of two selections that share epsilon = 1",
                ),
            ),
        ),
        "_encode, what has no noise": exact(
            {
                "made": "source.PrivBayes(epsilon=epsilon)",
                "report": "['values of a'] * (encoded(made, item) != encoded(made, 0))",
            },
            "Public",
            {"d": 3, "epsilon": 1.0},
            notes=("synthetic rows have the values that the data has, and no other ones",),
            repair=Repair(
                "an argument for the domain of every attribute",
                shows=(
                    "import pandas as pd; from synthcity.plugins.privacy.plugin_privbayes import PrivBayes",
                    "for last in (1, 2): print(PrivBayes()._encode(pd.DataFrame({'a': [0, 1, last]}))[1]"
                    "['a']['model'].classes_)",
                    "# [0 1], then [0 1 2]",
                ),
            ),
        ),
        "_greedy_bayes, parents": sampled(
            {
                "made": "source.PrivBayes(epsilon=2 * epsilon, K=1)",
                "report": "['number of parents'] * (parents(made, item) != parents(made, 0))",
            },
            "Public",
            {"d": 2, "epsilon": 1.0},
            reports=40,
            notes=(
                "a pair that was chosen loses its parents if its score is at most mi_thresh, which is compared without "
                "noise; here the score is 0 or above 0.01",
            ),
            repair=Repair(
                "the score of a pair is not looked at again after the selection",
                shows=(
                    "import pandas as pd; from synthcity.plugins.privacy.plugin_privbayes import PrivBayes",
                    "for last in (0, 1): print(PrivBayes(epsilon=2.0, K=1)._greedy_bayes("
                    "pd.DataFrame({'a': [0, 1] * 5, 'b': [0] * 9 + [last]})))",
                    "# without parents, or with: ten records, of which the last has b = 0 or 1",
                ),
            ),
        ),
    },
    notes=(
        "inputs are data sets that differ in one record",
        "the unmodified file of the plugin is run alone, with stand-ins for the rest of the package and for pgmpy",
        "documented: epsilon is the differential privacy parameter; noise is injected into each marginal to ensure "
        "differential privacy",
    ),
    without_oracle={
        "fit, sample": "need the rest of the package; post-processing of network and tables",
    },
)
