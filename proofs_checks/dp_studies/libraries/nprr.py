"""nprr 0.1.4."""

from dp_studies.libraries.base import Audited, Library, Repair

LIBRARY = Library(
    name="nprr",
    adapter="nprr.py",
    environment="further",
    protocols={
        "warner_rr": Audited(
            "warner_rr",
            "RR",
            ({"epsilon": "ln(3)", "r": 0.5}, {"epsilon": "ln(7)", "r": 0.75}),
            input_types=("int",),
            outside=(2,),
        ),
        "multinomial_rr": Audited(
            "multinomial_rr",
            "GRR",
            ({"d": 3, "epsilon": "ln(4)", "r": 0.5},),
            method="process",
            notes=("r = 1/2 on three categories is a true answer with probability 2/3: ln 4",),
            repair=Repair(
                "the random category is drawn below K, and one for each user: "
                "`np.random.randint(K, size=len(x))` instead of `random_integers(low=0, high=K)`",
                "multinomial_rr_repaired",
                (
                    "import numpy as np; from nprr.mechanisms import multinomial_rr",
                    "for _ in range(8): print(np.unique(multinomial_rr(np.zeros(1000, int), 3, 0.5)))",
                    "# 1000 users with the category 0: all lies of a call are the same, and 3 is no category",
                ),
            ),
        ),
        "nprr": Audited(
            "nprr",
            "GRR",
            ({"d": 3, "epsilon": "ln(4)", "r": 0.5}, {"d": 11, "epsilon": "ln(12)", "r": 0.5}),
            method="process",
            notes=("G = d - 1 steps; epsilon is ln(1 + (G + 1) r / (1 - r)), as its r_from_G_eps has it",),
            repair=Repair(
                "the random step is uniform on 0 .. G, `np.random.randint(G + 1, size=len(x)) / G`; "
                "rounding G times a uniform number makes its first and last value half as likely",
                "nprr_repaired",
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
