(* What the definitions of `meaning/Bounds.v` say of small cases. *)
From Coq Require Import Reals List ZArith Bool Lra.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Bounds.
Import ListNotations.
Open Scope R_scope.

(* For x >= 0, which may grow: x is bounded by 1 where x is fixed (by 1 + x), and is not where it is not. *)
Definition from_zero : domain := Domain [From 0 false false] [].
Lemma not_negative w : inside from_zero w <-> forall x, 0 <= w x.
Proof.
  assert (E : forall x, range_at (ranges from_zero) x = From 0 false false) by (intros x; unfold range_at; simpl; now destruct (Pos.to_nat x - 1)%nat as [|[|]]).
  split; [intros [I _] x; specialize (I x); rewrite E in I; apply I|]. intros H. split; [|constructor]. intros x. rewrite E. split; [apply H|discriminate].
Qed.
Example may_grow : free from_zero [1%positive].
Proof. exists (fun _ => 0). intros n. apply not_negative. intros x. unfold larger. destruct (existsb _ _); [apply Rplus_le_le_0_compat, pos_INR; lra|lra]. Qed.
Example may_not_grow : ~ free (Domain [Unit false] []) [1%positive].
Proof. intros [w H]. destruct (H 0%nat) as [A _], (H 1%nat) as [B _]. specialize (A 1%positive). specialize (B 1%positive). unfold larger in *; simpl in *; lra. Qed.
Example bounded_if_fixed : bounded from_zero [1%positive] (Var 1) (Cst 1).
Proof.
  exists (fun w => 1 + w 1%positive). split; [intros w w' H; now rewrite (H 1%positive (or_introl eq_refl))|].
  intros w I. pose proof (proj1 (not_negative w) I 1%positive). repeat split; unfold value; simpl; unfold Q2R; simpl; lra.
Qed.
Example unbounded : ~ bounded from_zero [] (Var 1) (Cst 1).
Proof.
  intros (c & D & H). set (big := c (fun _ => 0) + 1). destruct (H (fun _ => 0)) as (_ & _ & P & _); [apply not_negative; intros; lra|].
  destruct (H (fun _ => big)) as (_ & _ & _ & L); [apply not_negative; intros; unfold big; lra|].
  revert L. rewrite (D (fun _ => big) (fun _ => 0)) by contradiction. unfold value, big; simpl. unfold Q2R; simpl. lra.
Qed.
