"""Claims about laws on arcs whose certificates represent their type of statement and verdict."""

REPRESENTATIVE: dict[str, str] = {
    "cover proved": "002.alg1.line2@printed-open",
    "cover proved almost everywhere": "002.alg1.line2@printed-closed.corrected",
    "cover refuted": "002.alg1.line2@printed-closed",
    "chance proved": "002.alg1.pfalse@ideal",
    "chance proved for disjoint arcs": "002.alg1.pfalse@fixed.corrected",
    "chance proved for emitted items": "002.alg1.line7@fixed",
    "chance refuted": "002.alg1.pfalse@fixed",
    "invertible proved on arcs": "002.thm7.inv",
    "mse proved on arcs": "002.thm9.eq25.non@fixed-data",
    "mse refuted on arcs": "002.thm9.eq25.non@iid",
    "ratio proved on arcs": "002.thm7.eq11@joint.corrected",
    "ratio refuted on arcs": "002.thm7.eq11@deniability",
    "smallest proved on arcs": "002.thm7.tight",
    "unbiased proved on arcs": "002.thm8.sens@pairwise.corrected",
    "unbiased refuted on arcs": "002.thm8.sens@fixed",
    "unbounded proved on arcs": "002.thm7.eq11@joint.corrected2",
    "variance proved": "002.thm9.proof.var@ideal",
    "variance refuted": "002.thm9.proof.var@fixed",
}
