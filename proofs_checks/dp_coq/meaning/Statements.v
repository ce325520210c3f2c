(* Statements, and what a verdict on one says. *)
From DP Require Import meaning.Formulas.

Inductive statement := Formulas (f : formula).
Definition holds (s : statement) : Prop := match s with Formulas f => formula_holds f end.
Definition fails (s : statement) : Prop := match s with Formulas f => formula_fails f end.

Theorem consistent s : holds s -> fails s -> False.
Proof. destruct s; apply formula_consistent. Qed.
