(* Convex order: a law lies further apart than another one if every convex function has a larger mean under it. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions theorems.Expectations theorems.Binomials.
Import ListNotations.
Open Scope R_scope.

Definition convex (f : R -> R) : Prop := forall x y t, 0 <= t <= 1 -> f (t * x + (1 - t) * y) <= t * f x + (1 - t) * f y.
Definition apart (d e : dist R R) : Prop := forall f, convex f -> E d f <= E e f.

Lemma convex_positive_part : convex (Rmax 0).
Proof.
  intros x y t T. pose proof (Rmax_l 0 x). pose proof (Rmax_r 0 x). pose proof (Rmax_l 0 y). pose proof (Rmax_r 0 y).
  assert (0 <= t * Rmax 0 x) by (apply Rmult_le_pos; lra). assert (0 <= (1 - t) * Rmax 0 y) by (apply Rmult_le_pos; lra).
  assert (t * x <= t * Rmax 0 x) by (apply Rmult_le_compat_l; lra).
  assert ((1 - t) * y <= (1 - t) * Rmax 0 y) by (apply Rmult_le_compat_l; lra).
  apply Rmax_lub; lra.
Qed.
Lemma convex_shift f s : convex f -> convex (fun x => f (s + x)).
Proof. intros C x y t T. replace (s + (t * x + (1 - t) * y)) with (t * (s + x) + (1 - t) * (s + y)) by lra. now apply C. Qed.
Lemma convex_shift_left f s : convex f -> convex (fun x => f (x + s)).
Proof. intros C x y t T. replace (t * x + (1 - t) * y + s) with (t * (x + s) + (1 - t) * (y + s)) by lra. now apply C. Qed.
Lemma convex_scale f c : convex f -> convex (fun x => f (c * x)).
Proof. intros C x y t T. replace (c * (t * x + (1 - t) * y)) with (t * (c * x) + (1 - t) * (c * y)) by lra. now apply C. Qed.
Lemma convex_mean (d : dist R R) (f : R -> R -> R) :
  nonnegative d -> (forall s, convex (f s)) -> convex (fun x => E d (fun s => f s x)).
Proof.
  intros P C x y t T. rewrite <- !E_scal, <- E_plus. apply E_le; [exact P|]. intros s. now apply C.
Qed.
(* Between its ends a convex function lies below the line through them. *)
Lemma below_the_line f a b x : convex f -> b < a -> b <= x <= a -> f x <= ((x - b) * f a + (a - x) * f b) / (a - b).
Proof.
  intros C L B. pose proof (C a b ((x - b) / (a - b))) as H. set (t := (x - b) / (a - b)) in *.
  assert (T : 0 <= t <= 1).
  { unfold t. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (a - b); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  specialize (H T). replace (t * a + (1 - t) * b) with x in H by (unfold t; field; lra).
  replace (((x - b) * f a + (a - x) * f b) / (a - b)) with (t * f a + (1 - t) * f b) by (unfold t; field; lra). exact H.
Qed.
(* Weights on two points, and the same weight with the same mean between them. *)
Theorem spread_of_two f a b c d u v : convex f -> b <= c <= a -> b <= d <= a -> 0 <= u -> 0 <= v ->
  u + v = 2 -> u * c + v * d = a + b -> u * f c + v * f d <= f a + f b.
Proof.
  intros C Bc Bd U V W M. destruct (Req_dec a b) as [->|N].
  - replace c with b by lra. replace d with b by lra. rewrite <- Rmult_plus_distr_r, W. lra.
  - assert (L : b < a) by lra.
    assert (v = 2 - u) by lra. subst v.
    pose proof (below_the_line f a b c C L Bc) as Hc. pose proof (below_the_line f a b d C L Bd) as Hd.
    apply (Rmult_le_compat_l u) in Hc; [|exact U]. apply (Rmult_le_compat_l (2 - u)) in Hd; [|exact V].
    replace (f a + f b) with (u * (((c - b) * f a + (a - c) * f b) / (a - b)) + (2 - u) * (((d - b) * f a + (a - d) * f b) / (a - b))); [lra|].
    apply Rmult_eq_reg_r with (a - b); [|lra].
    replace ((u * (((c - b) * f a + (a - c) * f b) / (a - b)) + (2 - u) * (((d - b) * f a + (a - d) * f b) / (a - b))) * (a - b))
      with ((u * c + (2 - u) * d - 2 * b) * f a + (2 * a - (u * c + (2 - u) * d)) * f b) by (field; lra).
    replace (u * c + (2 - u) * d) with (a + b) by lra. lra.
Qed.
(* Sums of independent draws keep the order. *)
Theorem sums_are_apart d e n : nonnegative d -> nonnegative e -> apart d e -> apart (sum_law d n) (sum_law e n).
Proof.
  intros D P H. induction n as [|n IH]; intros f C; [apply Rle_refl|]. rewrite !E_sum_S.
  apply Rle_trans with (E d (fun x => E (sum_law e n) (fun s => f (x + s)))).
  - apply E_le; [exact D|]. intros x. apply IH. now apply convex_shift.
  - apply H. apply (convex_mean (sum_law e n) (fun s x => f (x + s))); [now apply sums_nonnegative|].
    intros s. now apply convex_shift_left.
Qed.

(* 1 or -1 lie further apart than 0, and not the other way round. *)
Example coin_or_nothing : apart [(1, 0)] [(1 / 2, 1); (1 / 2, -1)].
Proof. intros f C. pose proof (C 1 (-1) (1 / 2)) as H. replace (1 / 2 * 1 + (1 - 1 / 2) * -1) with 0 in H by lra. simpl. lra. Qed.
Example not_nothing : ~ apart [(1 / 2, 1); (1 / 2, -1)] [(1, 0)].
Proof.
  intros H. specialize (H (Rmax 0) convex_positive_part). simpl in H.
  rewrite (Rmax_right 0 1), (Rmax_left 0 (-1)), (Rmax_left 0 0) in H; lra.
Qed.
