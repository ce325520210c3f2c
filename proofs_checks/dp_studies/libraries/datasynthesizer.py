"""DataSynthesizer 0.1.13."""

from dp_studies.libraries.base import Library, Repair, exact, sampled

COUNTS = {"counts": ((2, 1), (1, 2)), "sensitivity": 2, "epsilon": 1.0, "low": 1, "high": 4}
LARGEST = {"utilities": ((6, 4), (5, 5)), "sensitivity": 1, "epsilon": 1.0}
SEED = Repair("`seed=None` as the default of the three modes and of greedy_bayes, which `random` and numpy both allow")

LIBRARY = Library(
    name="DataSynthesizer",
    adapter="datasynthesizer.py",
    environment="further",
    protocols={
        "greedy_bayes, root": exact(
            "greedy_bayes",
            "Exponential",
            {"utilities": ((0, 0), (0, 0)), "sensitivity": 1, "epsilon": 1.0},
            notes=("of two attributes, the root is one or the other with equal probability",),
            repair=Repair(
                SEED.says,
                "greedy_bayes_repaired",
                (
                    "import pandas as pd; from DataSynthesizer.lib.PrivBayes import greedy_bayes",
                    "data = pd.DataFrame({'a': list('0011'), 'b': list('0111')})",
                    "if __name__ == '__main__': print([greedy_bayes(data, 1, 1.0) for _ in range(5)])  # all the same",
                ),
            ),
        ),
        "exponential_mechanism": exact(
            "exponential_mechanism",
            "ExponentialScores",
            {"epsilon": 1.0},
            asks=True,
            notes=(
                "scores are the mutual informations, as the library computes them, on two data sets that differ in one "
                "record; epsilon is shared by two selections",
            ),
        ),
        "get_noisy_distribution_of_attributes": sampled(
            "noisy_counts",
            "LaplaceCounts",
            COUNTS,
            reports=4000,
            notes=(
                "neighbors differ in the value of one record, as in PrivBayes, whose noise has scale "
                "2 (d - k) / (n epsilon) on frequencies",
            ),
            repair=Repair(
                "`return 2 * (num_attributes - k) / epsilon` in laplace_noise_parameter",
                "noisy_counts_repaired",
                (
                    "from DataSynthesizer.lib.PrivBayes import laplace_noise_parameter",
                    "print(laplace_noise_parameter(0, 1, 3, epsilon=1.0))",
                    "# 1.0: the scale of noise for counts of which two change by 1 has to be 2 / epsilon",
                ),
            ),
        ),
        "describe_dataset_in_independent_attribute_mode": sampled(
            "independent",
            "NoisyMax",
            LARGEST,
            reports=2000,
            notes=(
                "seen is which of two values has the larger noisy probability; noise on frequencies has scale "
                "2 / (n epsilon), on counts 2 / epsilon",
            ),
            repair=Repair(
                SEED.says,
                "independent_unseeded",
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
        "describe_dataset_in_correlated_attribute_mode": "its parts are audited: greedy_bayes and the noisy counts",
        "DataGenerator": "post-processing of what was described",
    },
)
