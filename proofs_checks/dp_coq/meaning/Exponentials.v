(* Formulas, and bounds, in which powers of e occur: a name stands for each of them. Names of errors may be there, too. *)
From Coq Require Import Reals List.
From DP Require Import meaning.Expressions meaning.Formulas meaning.Bounds meaning.Errors.
Import ListNotations.
Open Scope R_scope.

(* An exponential: there is just one, e^x. *)
Definition is_exponential (e : R -> R) : Prop := (forall x y, e (x + y) = e x * e y) /\ forall x, 1 + x <= e x.
(* Names and their exponents; what is said of these names; for a bound, which names its constant may depend on. *)
Record exponentials := Exponentials { exponents : list (positive * expr); assertion : error_formula; up_to : option (list positive) }.
Definition is_point (e : R -> R) (s : exponentials) (w : positive -> R) : Prop :=
  given (assertion s) w /\ Forall (fun t => w (fst t) = e (value w (snd t))) (exponents s).
Definition sound (e : R -> R) (s : exponentials) : Prop :=
  (exists w, is_point e s w) /\ forall w, is_point e s w -> Forall (fun t => defined w (snd t)) (exponents s).
(* Of a bound, the relation left <= right says that left <= C right. *)
Definition everywhere (e : R -> R) (s : exponentials) (r : relation) : Prop :=
  match up_to s with
  | None => forall w, is_point e s w -> true_at w r
  | Some names => bounded_where (is_point e s) names (snd (fst r)) (snd r)
  end.
Definition somewhere_not (e : R -> R) (s : exponentials) (r : relation) : Prop :=
  match up_to s with None => exists w, is_point e s w /\ false_at w r | Some _ => ~ everywhere e s r end.
Definition exponentials_hold (s : exponentials) : Prop :=
  forall e, is_exponential e -> sound e s /\ Forall (everywhere e s) (relations (formula_of (assertion s))).
Definition exponentials_fail (s : exponentials) : Prop :=
  forall e, is_exponential e -> sound e s /\ Exists (somewhere_not e s) (relations (formula_of (assertion s))).
