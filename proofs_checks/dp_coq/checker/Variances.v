(* Mean and variance of a number that a law has: side by side they add up, of a choice they are averages. *)
From Coq Require Import Reals List Lra.
From DP Require Import meaning.Numbers meaning.Distributions theorems.Expectations.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition moves {O} (d : dist R O) (X : O -> R) (mean variance : R) : Prop :=
  is_law d /\ E d X = mean /\ E d (fun o => X o ^ 2) = variance + mean ^ 2.
Definition total {O} (X : O -> R) (l : list O) : R := fold_right (fun o sum => X o + sum) 0 l.

Lemma total_app O (X : O -> R) l m : total X (l ++ m) = total X l + total X m.
Proof. induction l as [|o l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma total_scal O (X : O -> R) c l : total (fun o => c * X o) l = c * total X l.
Proof. induction l as [|o l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma total_plus O (X Y : O -> R) l : total (fun o => X o + Y o) l = total X l + total Y l.
Proof. induction l as [|o l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma total_const O (c : R) (l : list O) : total (fun _ => c) l = INR (length l) * c.
Proof. induction l as [|o l IH]; [simpl; lra|]. cbn [total fold_right length]. fold (total (fun _ : O => c) l). rewrite IH, S_INR; lra. Qed.
Lemma total_ext_in O (X Y : O -> R) l : (forall o, In o l -> X o = Y o) -> total X l = total Y l.
Proof. induction l as [|o l IH]; intros H; [reflexivity|]. simpl. rewrite IH, H; simpl; auto. intros p I; apply H; simpl; auto. Qed.
Lemma total_repeat O (X : O -> R) o n : total X (repeat o n) = INR n * X o.
Proof. induction n as [|n IH]; [simpl; lra|]. cbn [repeat total fold_right]. fold (total X (repeat o n)). rewrite IH, S_INR; lra. Qed.
Lemma total_map A B (f : A -> B) (X : B -> R) l : total X (map f l) = total (fun a => X (f a)) l.
Proof. induction l as [|a l IH]; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma E_scal_r A (d : dist R A) c f : E d (fun o => f o * c) = E d f * c.
Proof. induction d as [|[p o] d IH]; simpl; rewrite ?IH; lra. Qed.
Lemma moves_ext O (d : dist R O) X Y m v : (forall o, X o = Y o) -> moves d X m v -> moves d Y m v.
Proof.
  intros H (L & M & V). split; [exact L|split]; [rewrite <- M|rewrite <- V]; apply E_ext; intros o; now rewrite H.
Qed.
Lemma moves_is O (d : dist R O) X m v m' v' : moves d X m v -> m = m' -> v = v' -> moves d X m' v'.
Proof. now intros H <- <-. Qed.
(* A function of the outcome. *)
Theorem moves_push A B (h : A -> B) d X m v : moves d (fun a => X (h a)) m v -> moves (rpush h d) X m v.
Proof. intros (L & M & V). split; [now apply law_push|]. now rewrite !E_push. Qed.
Lemma moves_point O (o : O) X : moves (rpoint o) X (X o) 0.
Proof. split; [apply law_point|]. rewrite !E_point. split; lra. Qed.
(* Independent, side by side: both add up. *)
Theorem moves_two A B C (h : A -> B -> C) d e X Y Z m n u v : (forall a b, Z (h a b) = X a + Y b) ->
  moves d X m u -> moves e Y n v -> moves (rbind d (fun a => rpush (h a) e)) Z (m + n) (u + v).
Proof.
  intros H (L & M & V) (L' & M' & V'). split; [|split].
  - apply law_bind; [exact L|]. intros a; now apply law_push.
  - rewrite E_bind, (@E_ext _ d _ (fun a => X a + n * 1)).
    + rewrite E_plus, E_scal, M, (proj2 L). lra.
    + intros a. rewrite E_push, (@E_ext _ e _ (fun b => X a * 1 + Y b)) by (intros b; rewrite H; lra).
      rewrite E_plus, E_scal, (proj2 L'), M'. lra.
  - rewrite E_bind, (@E_ext _ d _ (fun a => X a ^ 2 + (2 * n * X a + (v + n ^ 2) * 1))).
    + rewrite !E_plus, !E_scal, M, V, (proj2 L). ring.
    + intros a. rewrite E_push, (@E_ext _ e _ (fun b => X a ^ 2 * 1 + (2 * X a * Y b + Y b ^ 2))) by (intros b; rewrite H; ring).
      rewrite !E_plus, !E_scal, (proj2 L'), M', V'. ring.
Qed.
Theorem moves_sequence I O (law : I -> dist R O) X (mean variance : I -> R) l :
  (forall i, In i l -> moves (law i) X (mean i) (variance i)) ->
  moves (rsequence (map law l)) (total X) (total mean l) (total variance l).
Proof.
  induction l as [|i l IH]; intros H; cbn [map sequence]; [exact (moves_point [] (total X))|].
  cbn [total fold_right]. fold (total mean l) (total variance l). apply moves_two with X (total X); [reflexivity| |].
  - apply H; simpl; auto.
  - apply IH. intros j J; apply H; simpl; auto.
Qed.
(* One of several, each with the same chance: the mean and the mean square are averages. *)
Theorem moves_choice I O (law : I -> dist R O) X (mean variance : I -> R) l : l <> [] ->
  (forall i, In i l -> moves (law i) X (mean i) (variance i)) ->
  moves (rbind (map (fun i => (/ INR (length l), i)) l) law) X (total mean l / INR (length l))
    (total (fun i => variance i + mean i ^ 2) l / INR (length l) - (total mean l / INR (length l)) ^ 2).
Proof.
  intros NE H. assert (P : 0 < INR (length l)).
  { apply lt_0_INR. destruct l; [congruence|simpl; apply PeanoNat.Nat.lt_0_succ]. }
  assert (S : forall f, E (rbind (map (fun i => (/ INR (length l), i)) l) law) f = / INR (length l) * total (fun i => E (law i) f) l).
  { intros f. rewrite E_bind. generalize (/ INR (length l)) as c. clear. intros c.
    induction l as [|i l IH]; simpl; [lra|]. rewrite IH; lra. }
  split; [split|split].
  - unfold bind, nonnegative. rewrite Forall_flat_map, Forall_map. apply Forall_forall. intros i J. cbn [fst snd].
    unfold scale; rewrite Forall_map. destruct (H i J) as ((N & _) & _). revert N; apply Forall_impl. intros [q o] Q.
    cbn [fst] in *. apply Rmult_le_pos; [|exact Q]. left; now apply Rinv_0_lt_compat.
  - rewrite S, (total_ext_in _ (fun _ => 1)) by (intros i J; exact (proj2 (proj1 (H i J)))). rewrite total_const. field; lra.
  - rewrite S, (total_ext_in _ mean) by (intros i J; exact (proj1 (proj2 (H i J)))). field; lra.
  - rewrite S, (total_ext_in _ (fun i => variance i + mean i ^ 2)) by (intros i J; exact (proj2 (proj2 (H i J)))). field; lra.
Qed.
(* What is subtracted moves the mean, what is divided by changes both. *)
Theorem moves_affine O (d : dist R O) X m v a b : b <> 0 -> moves d X m v ->
  moves d (fun o => (X o - a) / b) ((m - a) / b) (v / b ^ 2).
Proof.
  intros B (L & M & V). split; [exact L|]. split.
  - rewrite (@E_ext _ d _ (fun o => / b * X o + (- a / b) * 1)) by (intros o; field; exact B).
    rewrite E_plus, !E_scal, M, (proj2 L). field; exact B.
  - rewrite (@E_ext _ d _ (fun o => (/ b) ^ 2 * (X o ^ 2) + (((-2 * a) * (/ b) ^ 2) * X o + (a / b) ^ 2 * 1))) by (intros o; field; exact B).
    rewrite !E_plus, !E_scal, M, V, (proj2 L). field; exact B.
Qed.
Theorem variance_of O (d : dist R O) X m v : moves d X m v -> E d (fun o => (X o - E d X) ^ 2) = v.
Proof.
  intros (L & M & V). rewrite M, (@E_ext _ d _ (fun o => X o ^ 2 + ((-2 * m) * X o + m ^ 2 * 1))) by (intros o; ring).
  rewrite !E_plus, !E_scal, M, V, (proj2 L). ring.
Qed.
Theorem error_of O (d : dist R O) X m v t : moves d X m v -> E d (fun o => (X o - t) ^ 2) = v + (m - t) ^ 2.
Proof.
  intros (L & M & V). rewrite (@E_ext _ d _ (fun o => X o ^ 2 + ((-2 * t) * X o + t ^ 2 * 1))) by (intros o; ring).
  rewrite !E_plus, !E_scal, M, V, (proj2 L). ring.
Qed.
