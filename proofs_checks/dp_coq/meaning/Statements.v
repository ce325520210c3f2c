(* Statements, and what a verdict on one says: that it holds, or that it fails. *)
From DP Require Import meaning.Formulas meaning.Bounds meaning.Sentences.

Inductive statement := Formulas (f : formula) | Bounds (b : bound) | Sentences (a : arithmetic).
Definition holds (s : statement) : Prop :=
  match s with Formulas f => formula_holds f | Bounds b => bound_holds b | Sentences a => arithmetic_holds a end.
Definition fails (s : statement) : Prop :=
  match s with Formulas f => formula_fails f | Bounds b => bound_fails b | Sentences a => arithmetic_fails a end.

(* No statement both holds and fails. *)
Theorem consistent s : holds s -> fails s -> False.
Proof. destruct s; [apply formula_consistent|apply bound_consistent|apply arithmetic_consistent]. Qed.
