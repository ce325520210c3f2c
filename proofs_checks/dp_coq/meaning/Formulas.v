(* The judgement "formula": relations between expressions, for all points of a domain that has one. *)
From Coq Require Import Reals List ZArith Lra.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains.
Import ListNotations.
Open Scope R_scope.

Inductive op := Eq | Le | Lt.
Definition relation : Type := op * expr * expr.
Record formula := Formula { over : domain; relations : list relation }.

Definition related (o : op) (a b : R) : Prop := match o with Eq => a = b | Le => a <= b | Lt => a < b end.
Definition true_at (w : positive -> R) (r : relation) : Prop :=
  let '(o, a, b) := r in defined w a /\ defined w b /\ related o (value w a) (value w b).
Definition false_at (w : positive -> R) (r : relation) : Prop :=
  let '(o, a, b) := r in defined w a /\ defined w b /\ ~ related o (value w a) (value w b).

Definition formula_holds (f : formula) : Prop :=
  (exists w, inside (over f) w) /\ forall w, inside (over f) w -> Forall (true_at w) (relations f).
Definition formula_fails (f : formula) : Prop :=
  exists w, inside (over f) w /\ Exists (false_at w) (relations f).
