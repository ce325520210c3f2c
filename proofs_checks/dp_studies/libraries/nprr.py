"""nprr 0.1.4: its mechanisms for bits, categories and numbers in [0, 1], applied to one user."""

from dp_studies.libraries.base import Library, Repair, exact, sampled

LIBRARY = Library(
    name="nprr",
    environment="further",
    adapter="nprr.py",
    protocols={
        "warner_rr": exact(
            {"report": "int(mechanisms.warner_rr(np.array([item]), r)[0])"},
            "RR",
            {"epsilon": "ln(3)", "r": 0.5},
            {"epsilon": "ln(7)", "r": 0.75},
            outside=(2,),
            reused=True,
        ),
        "multinomial_rr": sampled(
            {"report": "int(mechanisms.multinomial_rr(np.array([item]), d, r)[0])"},
            "GRR",
            {"d": 3, "epsilon": "ln(4)", "r": 0.5},
            outside=None,
            notes=("r = 1/2 on three categories is a true answer with probability 2/3: ln 4",),
            repair=Repair(
                "the random category is drawn below K, and one for each user: "
                "`np.random.randint(K, size=len(x))` instead of `random_integers(low=0, high=K)`",
                {"report": "[range(d).index(item), int(np.random.randint(d))][np.random.binomial(1, 1 - r)]"},
                (
                    "import numpy as np; from nprr.mechanisms import multinomial_rr",
                    "for _ in range(8): print(np.unique(multinomial_rr(np.zeros(1000, int), 3, 0.5)))",
                    "# 1000 users with the category 0: all lies of a call are the same, and 3 is no category",
                ),
            ),
        ),
        # the numbers are item / (d - 1), which are not rounded
        "nprr": sampled(
            {"report": "round(float(mechanisms.nprr(np.array([item / (d - 1)]), r, d - 1)[0]) * (d - 1))"},
            "GRR",
            {"d": 3, "epsilon": "ln(4)", "r": 0.5},
            {"d": 11, "epsilon": "ln(12)", "r": 0.5},
            outside=None,
            notes=("G = d - 1 steps; epsilon is ln(1 + (G + 1) r / (1 - r)), as its r_from_G_eps has it",),
            repair=Repair(
                "the random step is uniform on 0 .. G, `np.random.randint(G + 1, size=len(x)) / G`; "
                "rounding G times a uniform number makes its first and last value half as likely",
                {"report": "[int(np.random.randint(d)), range(d).index(item)][np.random.binomial(1, r)]"},
                (
                    "import numpy as np; from nprr.mechanisms import nprr",
                    "for x in (0.0, 1.0): print(x, np.unique(nprr(np.full(100000, x), 0.5, 10), return_counts=True))",
                    "# report 1: about 52500 of x = 1, 2500 of x = 0, a ratio of 21; e^epsilon is 12",
                ),
            ),
        ),
    },
    notes=(
        "installed without confseq, which its confidence sequences use; its mechanisms do not",
        "it draws from numpy's global generator",
    ),
    without_oracle={"laplace": "the report is a number with continuous noise: no finite law"},
)
