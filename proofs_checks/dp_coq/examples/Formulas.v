(* What the definitions of `meaning/Formulas.v` say of small cases. *)
From Coq Require Import Reals List ZArith Lra.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas.
Import ListNotations.
Open Scope R_scope.

(* x <= 2 x for all x >= 0; not x < 2 x, at 0; and nothing is said of an empty domain. *)
Definition naturals : domain := Domain [From 0 false true] [].
Example doubled : formula_holds (Formula naturals [(Le, Var 1, Mul (Cst 2) (Var 1))]).
Proof.
  split.
  - exists (fun _ => 0). split; [|constructor]. intros x; unfold range_at.
    destruct (Pos.to_nat x - 1)%nat as [|[|]]; simpl; (split; [lra|]); try discriminate; exists 0%Z; reflexivity.
  - intros w [I _]. constructor; [|constructor]. specialize (I 1%positive) as [I _]. unfold range_at in I; simpl in I.
    simpl. repeat split. unfold value; simpl. unfold Q2R; simpl. lra.
Qed.
Example nothing_said r : ~ formula_holds (Formula (Domain [] [Cst (-1)]) r).
Proof.
  intros [(w & _ & C) _]. apply Forall_inv in C as [_ C]. revert C. unfold value; simpl. unfold Q2R; simpl. lra.
Qed.
