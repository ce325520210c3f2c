(* What the definitions of `meaning/Exponentials.v` say of small cases. *)
From Coq Require Import Reals List ZArith Lra Rpower.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds meaning.Errors meaning.Exponentials.
Import ListNotations.
Open Scope R_scope.

(* e^x is an exponential; 1 + x is none. *)
Lemma real_exponential : is_exponential exp.
Proof. split; [exact exp_plus|]. exact exp_ineq1_le. Qed.
Example not_an_exponential : ~ is_exponential (fun x => 1 + x).
Proof. intros [H _]. specialize (H 1 1). lra. Qed.

(* Name 2 is e^x, for x > 0, which is name 1: larger than 1, not at most 1; bounded by 1 where x is fixed, not where it is not;
   and nothing is said of e^(1 / 0). *)
Definition above_zero (t : expr) (o : op) (a b : expr) (names : option (list positive)) : exponentials :=
  Exponentials [(2%positive, t)] (ErrorFormula [] (Formula (Domain [From 0 true false; From 0 false false] []) [(o, a, b)])) names.
Lemma inside_above w : inside (Domain [From 0 true false; From 0 false false] []) w <-> 0 < w 1%positive /\ forall x, 0 <= w x.
Proof.
  split.
  - intros [I _]. pose proof (I 1%positive) as [P _]. split; [exact P|]. intros x. specialize (I x). unfold range_at in I; simpl in I.
    destruct (Pos.to_nat x - 1)%nat as [|[|[|]]]; simpl in I; destruct I as [L _]; simpl in L; lra.
  - intros [P N]. split; [|constructor]. intros x. specialize (N x). unfold range_at; simpl.
    destruct (Pos.to_nat x - 1)%nat as [|[|[|]]] eqn:E; simpl; (split; [|discriminate]); try exact N.
    replace x with 1%positive; [exact P|]. apply Pos2Nat.inj. pose proof (Pos2Nat.is_pos x). rewrite Pos2Nat.inj_1. destruct (Pos.to_nat x) as [|[|]]; [inversion H|reflexivity|discriminate].
Qed.
(* At x, with e^x. *)
Definition at_ (e : R -> R) (x : R) (y : positive) : R := if (y =? 2)%positive then e x else x.
Lemma at_is_point e x o a b names : is_exponential e -> 0 < x -> is_point e (above_zero (Var 1) o a b names) (at_ e x).
Proof.
  intros [_ H] P. split; [split; [|constructor]|constructor; [reflexivity|constructor]]. apply inside_above. split; [exact P|].
  intros y. unfold at_. specialize (H x). destruct (y =? 2)%positive; lra.
Qed.
Lemma exponents_are_defined e o a b names : is_exponential e -> sound e (above_zero (Var 1) o a b names).
Proof.
  intros H. split; [exists (at_ e 1); apply at_is_point; [exact H|lra]|]. intros w _. constructor; [exact I|constructor].
Qed.
Example above_one : exponentials_hold (above_zero (Var 1) Lt (Cst 1) (Var 2) None).
Proof.
  intros e H. split; [now apply exponents_are_defined|]. constructor; [|constructor]. intros w [[I _] M]. apply inside_above in I as [P _].
  apply Forall_inv in M. cbn [fst snd] in M. repeat split. unfold value in *; simpl in *. rewrite M. destruct H as [_ H]. specialize (H (w 1%positive)).
  unfold Q2R; simpl. lra.
Qed.
Example not_at_most_one : ~ exponentials_hold (above_zero (Var 1) Le (Var 2) (Cst 1) None).
Proof.
  intros H. destruct (H _ real_exponential) as [_ A]. apply Forall_inv in A.
  destruct (A (at_ exp 1) (at_is_point exp 1 _ _ _ _ real_exponential Rlt_0_1)) as (_ & _ & L). revert L. unfold value, at_; simpl. unfold Q2R; simpl.
  pose proof (proj2 real_exponential 1). lra.
Qed.
Example bounded_if_x_is_fixed : exponentials_hold (above_zero (Var 1) Le (Var 2) (Cst 1) (Some [1%positive])).
Proof.
  intros e H. split; [now apply exponents_are_defined|]. constructor; [|constructor]. exists (fun w => 1 + Rabs (e (w 1%positive))). split.
  - intros w w' S. now rewrite (S 1%positive (or_introl eq_refl)).
  - intros w [_ M]. apply Forall_inv in M. cbn [fst snd] in *. pose proof (Rabs_pos (e (w 1%positive))). pose proof (Rle_abs (e (w 1%positive))).
    repeat split; [lra|]. unfold value in *; simpl in *. rewrite M. unfold Q2R; simpl. lra.
Qed.
Example not_bounded : ~ exponentials_hold (above_zero (Var 1) Le (Var 2) (Cst 1) (Some [])).
Proof.
  intros H. destruct (H _ real_exponential) as [_ A]. apply Forall_inv in A as (c & D & B). set (k := c (at_ exp 1)).
  assert (K : 0 < k) by exact (proj1 (proj2 (proj2 (B _ (at_is_point exp 1 _ _ _ _ real_exponential Rlt_0_1))))).
  destruct (B _ (at_is_point exp k _ _ _ _ real_exponential K)) as (_ & _ & _ & L). rewrite (D (at_ exp k) (at_ exp 1)) in L by contradiction.
  fold k in L. revert L. unfold value, at_; simpl. unfold Q2R; simpl. pose proof (proj2 real_exponential k). lra.
Qed.
Example nothing_is_said : ~ exponentials_hold (above_zero (Div (Cst 1) (Cst 0)) Le (Var 2) (Var 2) None).
Proof.
  intros H. destruct (H _ real_exponential) as [[(w & M) S] _]. specialize (S w M). apply Forall_inv in S as (_ & _ & Z). apply Z.
  unfold value; simpl. unfold Q2R; simpl. lra.
Qed.
