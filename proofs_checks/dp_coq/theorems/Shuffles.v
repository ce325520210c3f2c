(* Shuffled reports: all that is seen of independent draws is the list of them in order. *)
From Coq Require Import Reals List Lra Lia Permutation.
From DP Require Import meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios.
Import ListNotations.
Open Scope R_scope.

Definition shuffled (ds : list (dist R nat)) : dist R (list nat) := rpush isort (rsequence ds).

Lemma insert_comm x y l : insert x (insert y l) = insert y (insert x l).
Proof.
  induction l as [|z l IH]; simpl.
  - destruct (PeanoNat.Nat.leb_spec x y), (PeanoNat.Nat.leb_spec y x); try reflexivity; try lia.
    now replace x with y by lia.
  - destruct (PeanoNat.Nat.leb_spec y z); simpl; destruct (PeanoNat.Nat.leb_spec x z); simpl;
      repeat match goal with |- context [(?a <=? ?b)%nat] => destruct (PeanoNat.Nat.leb_spec a b) end;
      try reflexivity; try lia; try congruence.
    now replace x with y by lia.
Qed.
(* What is seen does not depend on the order of the draws. *)
Theorem order_is_hidden l m : Permutation l m -> isort l = isort m.
Proof.
  induction 1 as [|x l m _ IH|x y l|l m n _ IH _ JH]; cbn; [reflexivity| |apply insert_comm|].
  - exact (f_equal (insert x) IH).
  - now rewrite IH.
Qed.
Lemma E_shuffled d ds f : E (shuffled (d :: ds)) f = E d (fun y => E (shuffled ds) (fun l => f (insert y l))).
Proof.
  unfold shuffled; cbn [sequence]. rewrite E_push, E_bind. apply E_ext; intros y. now rewrite !E_push.
Qed.
Lemma E_shuffled_none f : E (shuffled []) f = f [].
Proof. unfold shuffled; cbn [sequence]. now rewrite E_push, E_point. Qed.
(* Any draw may be the first. *)
Lemma E_shuffled_middle d ds es f : E (shuffled (ds ++ d :: es)) f = E (shuffled (d :: ds ++ es)) f.
Proof.
  revert f; induction ds as [|e ds IH]; intros f; [reflexivity|]. cbn [app]. rewrite E_shuffled.
  rewrite (E_ext e _ (fun y => E d (fun z => E (shuffled (ds ++ es)) (fun l => f (insert y (insert z l)))))).
  2:{ intros y. now rewrite IH, E_shuffled. }
  rewrite E_swap, E_shuffled. apply E_ext; intros z. rewrite E_shuffled. apply E_ext; intros y.
  apply E_ext; intros l. now rewrite insert_comm.
Qed.
Lemma shuffled_same ds es : Forall2 (fun d e => forall f, E d f = E e f) ds es ->
  forall f, E (shuffled ds) f = E (shuffled es) f.
Proof.
  induction 1 as [|d e ds es H _ IH]; intros f; [reflexivity|]. rewrite !E_shuffled, H. apply E_ext; intros y. apply IH.
Qed.
