(* Statements, and what a verdict on one says: that it holds, or that it fails. *)
From DP Require Import meaning.Formulas meaning.Bounds meaning.Sentences meaning.Moments meaning.Errors.

Inductive statement :=
| Formulas (f : formula) | Bounds (b : bound) | Sentences (a : arithmetic) | Moments (s : moments) | Errors (s : error_formula).
Definition holds (s : statement) : Prop :=
  match s with
  | Formulas f => formula_holds f | Bounds b => bound_holds b | Sentences a => arithmetic_holds a
  | Moments s => moment_holds s | Errors s => error_formula_holds s
  end.
Definition fails (s : statement) : Prop :=
  match s with
  | Formulas f => formula_fails f | Bounds b => bound_fails b | Sentences a => arithmetic_fails a
  | Moments s => moment_fails s | Errors s => error_formula_fails s
  end.
