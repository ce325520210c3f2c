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
Lemma insert_permutes y l : Permutation (insert y l) (y :: l).
Proof.
  induction l as [|z l IH]; [reflexivity|]. cbn [insert]. destruct (PeanoNat.Nat.leb y z); [reflexivity|].
  apply Permutation_trans with (z :: y :: l); [now constructor|apply perm_swap].
Qed.
Lemma insert_sorts (h : nat -> nat) y l : isort (map h (insert y l)) = insert (h y) (isort (map h l)).
Proof.
  change (insert (h y) (isort (map h l))) with (isort (map h (y :: l))). apply order_is_hidden, Permutation_map, insert_permutes.
Qed.
(* What is made of every message is made of the shuffled list. *)
Lemma shuffled_push h ds f : E (shuffled (map (rpush h) ds)) f = E (shuffled ds) (fun l => f (isort (map h l))).
Proof.
  revert f. induction ds as [|d ds IH]; intros f; cbn [map]; [now rewrite !E_shuffled_none|].
  rewrite !E_shuffled, E_push. apply E_ext. intros y. rewrite IH. apply E_ext. intros l. now rewrite insert_sorts.
Qed.
(* So it is where something is drawn for each message, on its own. *)
Lemma shuffled_permuted ds es : Permutation ds es -> forall f, E (shuffled ds) f = E (shuffled es) f.
Proof.
  induction 1 as [|d ds es _ IH|d e ds|ds es fs _ IH _ JH]; intros f; [reflexivity| | |now rewrite IH].
  - rewrite !E_shuffled. apply E_ext. intros y. apply IH.
  - exact (E_shuffled_middle d [e] ds f).
Qed.
Lemma shuffled_bind K ds f : E (shuffled (map (fun d => rbind d K) ds)) f = E (shuffled ds) (fun l => E (shuffled (map K l)) f).
Proof.
  revert f. induction ds as [|d ds IH]; intros f; cbn [map]; [now rewrite !E_shuffled_none|].
  rewrite !E_shuffled, E_bind. apply E_ext. intros y.
  rewrite (E_ext (K y) _ (fun z => E (shuffled ds) (fun l => E (shuffled (map K l)) (fun m => f (insert z m))))) by (intros z; apply IH).
  rewrite E_swap. apply E_ext. intros l. rewrite <- E_shuffled. symmetry.
  apply (shuffled_permuted (map K (insert y l)) (map K (y :: l))), Permutation_map, insert_permutes.
Qed.
