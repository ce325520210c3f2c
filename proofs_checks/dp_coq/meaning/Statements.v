(* Statements, and what a verdict on one says: that it holds, or that it fails. *)
From DP Require Import meaning.Formulas meaning.Bounds meaning.Sentences meaning.Implications meaning.Moments meaning.Errors meaning.Tables meaning.Exponentials.

Inductive statement :=
| Formulas (f : formula) | Bounds (b : bound) | Sentences (a : arithmetic) | Implications (i : implication)
| Moments (s : moments) | Errors (s : error_formula) | Tables (t : law_sentence) | PowersOfE (s : exponentials).
Definition holds (s : statement) : Prop :=
  match s with
  | Formulas f => formula_holds f | Bounds b => bound_holds b | Sentences a => arithmetic_holds a
  | Implications i => implication_holds i | Moments s => moment_holds s | Errors s => error_formula_holds s
  | Tables t => law_sentence_holds t | PowersOfE s => exponentials_hold s
  end.
Definition fails (s : statement) : Prop :=
  match s with
  | Formulas f => formula_fails f | Bounds b => bound_fails b | Sentences a => arithmetic_fails a
  | Implications i => implication_fails i | Moments s => moment_fails s | Errors s => error_formula_fails s
  | Tables t => law_sentence_fails t | PowersOfE s => exponentials_fail s
  end.
