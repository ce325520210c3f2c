(* Formulas that name errors of mechanisms: for all points of a domain, and all data sets of the sizes that it has there. *)
From Coq Require Import Reals List ZArith Lra.
From DP Require Import meaning.Expressions meaning.Domains meaning.Formulas meaning.Laws meaning.Moments.
Import ListNotations.
Open Scope R_scope.

(* The mean squared error of an item of one mechanism, or (`summed`) of all items of all of these together, at the sizes,
   the budget and the frequencies that expressions say. *)
Record error := ErrorOf { mechanisms : list mechanism; summed : bool; at_ : list (positive * expr) }.
Definition with_share (w : positive -> R) (users : list (list nat)) (x : nat) : positive -> R := put w 5%positive (per_user (times x) users).
Definition total_error (Ms : list mechanism) (w : positive -> R) (users : list (list nat)) : R :=
  fold_right Rplus 0 (flat_map (fun M => map (fun x => moment_for Error M (with_share w users x) users x) (counted M w)) Ms).
Definition is_error (w : positive -> R) (e : error) (r : R) : Prop :=
  exists w' users, Forall (fun t => defined w (snd t) /\ w' (fst t) = value w (snd t)) (at_ e) /\
    if summed e
    then Forall (fun M => inside (sizes M) w') (mechanisms e) /\ data_set w' users /\ r = total_error (mechanisms e) w' users
    else exists M x, In M (mechanisms e) /\ occurs M w' users x /\ r = moment_for Error M w' users x.

Record error_formula := ErrorFormula { names_of : list (positive * error); formula_of : formula }.
Definition given (s : error_formula) (w : positive -> R) : Prop :=
  inside (over (formula_of s)) w /\ Forall (fun e => is_error w (snd e) (w (fst e))) (names_of s).
Definition error_formula_holds (s : error_formula) : Prop :=
  (exists w, given s w) /\ forall w, given s w -> Forall (true_at w) (relations (formula_of s)).
Definition error_formula_fails (s : error_formula) : Prop :=
  exists w, given s w /\ Exists (false_at w) (relations (formula_of s)).
