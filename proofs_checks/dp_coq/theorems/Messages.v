(* The bound of the card blanket, for shuffled reports with a blanket and for randomized response: the mean, over those
   of the others who send messages of the law U, of the expected positive part of a sum of gains. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles
  theorems.Binomials theorems.Convexity theorems.Halves theorems.Blanket theorems.Exchanges.
Import ListNotations.
Open Scope R_scope.

(* Of N messages one is the report; each gains a number of the law G. *)
Definition expected_gain (G : dist R R) (N : nat) : R := E (sum_law G N) (Rmax 0) / INR N.
(* What a message of the law U gains, if reports have r and r' times its chances. *)
Definition gains_of (U : dist R nat) (r r' : nat -> R) (a : R) : dist R R := push over_R (fun y => r y - a * r' y) U.

Lemma total_of_draws w g n f : E (shuffled (repeat w n)) (fun l => f (total g l)) = E (sum_law (push over_R g w) n) f.
Proof.
  revert f. induction n as [|n IH]; intros f; [cbn [repeat sum_law]; now rewrite E_shuffled_none, E_point|].
  cbn [repeat]. rewrite E_shuffled, E_sum_S, E_push. apply E_ext. intros y.
  rewrite <- (IH (fun s => f (g y + s))). apply E_ext. intros l. now rewrite total_insert.
Qed.
Lemma sums_same d e n : (forall f, E d f = E e f) -> forall f, E (sum_law d n) f = E (sum_law e n) f.
Proof.
  intros H. induction n as [|n IH]; intros f; [reflexivity|]. rewrite !E_sum_S, H. apply E_ext. intros x. apply IH.
Qed.
Lemma gain_same d e N : (forall f, E d f = E e f) -> expected_gain d N = expected_gain e N.
Proof. intros H. unfold expected_gain. now rewrite (sums_same d e N H). Qed.
Lemma gain_apart d e N : nonnegative d -> nonnegative e -> apart d e -> expected_gain d (S N) <= expected_gain e (S N).
Proof.
  intros D P H. unfold expected_gain, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, lt_0_INR; lia|].
  apply (sums_are_apart d e (S N) D P H), convex_positive_part.
Qed.

Lemma gain_scaled c d N : 0 <= c -> expected_gain (push over_R (Rmult c) d) N = c * expected_gain d N.
Proof.
  intros C. unfold expected_gain. rewrite E_sum_scaled. rewrite (E_ext _ (fun s => Rmax 0 (c * s)) (fun s => c * Rmax 0 s)).
  - rewrite E_scal. unfold Rdiv. lra.
  - intros s. rewrite <- RmaxRmult by exact C. now rewrite Rmult_0_r.
Qed.

(* Among N messages of the law U, and whatever else the others send. *)
Theorem among_others l U a d d' r r' extra others : is_law U -> 0 <= l <= 1 -> Forall (blanket l U) others ->
  times_as_likely r U d -> times_as_likely r' U d' ->
  divergence a (E (binomial_law l (length others)) (fun b => expected_gain (gains_of U r r' a) (S (extra + b))))
    (shuffled (d :: others ++ repeat U extra)) (shuffled (d' :: others ++ repeat U extra)).
Proof.
  intros L C B H H'. apply (every_data_set l U a (fun b => expected_gain (gains_of U r r' a) (S b))); [exact C|exact B|].
  intros b. apply (divergence_is_expected_gain U d d' r r' a _ b L H H').
  unfold expected_gain, gains_of. rewrite <- total_of_draws. lra.
Qed.

(* Two labels have values of their own. *)
Lemma fold_but_two x x' c g g' h m : NoDup m -> In x m -> In x' m -> x <> x' ->
  fold_right (fun y total => c * (if (y =? x)%nat then g else if (y =? x')%nat then g' else h) + total) 0 m
  = c * (g + g' + (INR (length m) - 2) * h).
Proof.
  intros N I I' D.
  assert (G : forall m, NoDup m ->
    fold_right (fun y total => c * (if (y =? x)%nat then g else if (y =? x')%nat then g' else h) + total) 0 m
    = c * (INR (length m) * h + (if existsb (Nat.eqb x) m then g - h else 0) + (if existsb (Nat.eqb x') m then g' - h else 0))).
  { clear - D. induction 1 as [|y m O _ IH]; [simpl; lra|]. cbn [fold_right existsb length]. rewrite IH, S_INR.
    assert (absent : forall z, y = z -> existsb (Nat.eqb z) m = false).
    { intros z ->. apply Bool.not_true_is_false. intros T. apply existsb_exists in T as (v & V & Q).
      apply PeanoNat.Nat.eqb_eq in Q. now subst. }
    rewrite (PeanoNat.Nat.eqb_sym x y), (PeanoNat.Nat.eqb_sym x' y).
    destruct (PeanoNat.Nat.eqb_spec y x) as [Q|Q], (PeanoNat.Nat.eqb_spec y x') as [Q'|Q']; cbn [orb].
    - congruence.
    - rewrite (absent x Q). destruct (existsb (Nat.eqb x') m); lra.
    - rewrite (absent x' Q'). destruct (existsb (Nat.eqb x) m); lra.
    - lra. }
  rewrite G by exact N.
  assert (there : forall z, In z m -> existsb (Nat.eqb z) m = true)
    by (intros z Z; apply existsb_exists; exists z; split; [exact Z|apply PeanoNat.Nat.eqb_refl]).
  rewrite !there by assumption. lra.
Qed.

(* The gains of uniform messages on k labels, where a report has the chance p of its own label and q of every other one. *)
Definition response_gains (k : nat) (p q a : R) : dist R R :=
  gains (/ INR k) (INR k * (p - a * q)) (INR k * (q - a * p)) (INR k * ((1 - a) * q)).
Definition likely (k : nat) (p q : R) (x y : nat) : R := INR k * (if (y =? x)%nat then p else q).
Lemma response_is_likely k q x : (0 < k)%nat -> times_as_likely (likely k (1 - (INR k - 1) * q) q x) (uniform k) (response k q x).
Proof.
  intros K f. unfold response, uniform, likely. rewrite !E_listed. assert (N : INR k <> 0) by (apply not_0_INR; lia).
  induction (seq 0 k) as [|y m IH]; [reflexivity|]. cbn [fold_right]. rewrite IH. f_equal. destruct (y =? x)%nat; field; exact N.
Qed.
Lemma gains_of_labels k p q a x x' f : (x < k)%nat -> (x' < k)%nat -> x <> x' ->
  E (gains_of (uniform k) (likely k p q x) (likely k p q x') a) f = E (response_gains k p q a) f.
Proof.
  intros X X' D. assert (N : INR k <> 0) by (apply not_0_INR; lia). unfold gains_of. rewrite E_push. unfold uniform.
  rewrite (E_listed _ (fun _ => / INR k)).
  transitivity (fold_right (fun y total => / INR k * (if (y =? x)%nat then f (INR k * (p - a * q))
    else if (y =? x')%nat then f (INR k * (q - a * p)) else f (INR k * ((1 - a) * q))) + total) 0 (seq 0 k)).
  - unfold likely. induction (seq 0 k) as [|y m IH]; [reflexivity|]. cbn [fold_right]. rewrite IH. do 2 f_equal.
    destruct (PeanoNat.Nat.eqb_spec y x) as [->|Q]; [replace (x =? x')%nat with false by (symmetry; now apply PeanoNat.Nat.eqb_neq)|
      destruct (y =? x')%nat]; f_equal; lra.
  - rewrite fold_but_two; [|apply seq_NoDup|apply in_seq; lia|apply in_seq; lia|exact D]. rewrite seq_length.
    unfold response_gains, gains. cbn [E]. field. exact N.
Qed.
(* The bound for randomized response, whatever the others hold. *)
Theorem response_bound k q a x x' extra others : Forall (fun z => (z < k)%nat) (x :: x' :: others) -> x <> x' ->
  0 <= q -> INR k * q <= 1 ->
  divergence a (E (binomial_law (INR k * q) (length others))
      (fun b => expected_gain (response_gains k (1 - (INR k - 1) * q) q a) (S (extra + b))))
    (shuffled (map (response k q) (x :: others) ++ repeat (uniform k) extra))
    (shuffled (map (response k q) (x' :: others) ++ repeat (uniform k) extra)).
Proof.
  intros B D Q C. inversion_clear B as [|? ? X B']. inversion_clear B' as [|? ? X' O].
  apply (every_data_set_of_response k q a (fun b => expected_gain (response_gains k (1 - (INR k - 1) * q) q a) (S b)));
    [exact O|exact Q|exact C|].
  intros b. assert (K : (0 < k)%nat) by lia.
  apply (divergence_is_expected_gain (uniform k) _ _ _ _ a _ b (uniform_is_law k K) (response_is_likely k q x K) (response_is_likely k q x' K)).
  rewrite <- (gain_same _ _ _ (fun f => gains_of_labels k _ q a x x' f X X' D)).
  unfold expected_gain, gains_of. rewrite <- total_of_draws. lra.
Qed.
(* The same without dummies: n draws, which are sometimes none of the uniform messages. *)
Theorem without_dummies G l n : 0 < l ->
  E (binomial_law l n) (fun b => expected_gain G (S (0 + b))) = expected_gain (sometimes l G) (S n) / l.
Proof.
  intros L. cbn [Nat.add]. unfold expected_gain. rewrite (mean_of_some l G n (Rmax 0)); [|apply Rmax_left; lra|exact L].
  field. split; [apply not_0_INR; lia|lra].
Qed.
(* More messages gain less, on average. *)
Theorem gains_fall k q a x x' b : (x < k)%nat -> (x' < k)%nat -> x <> x' ->
  let G := response_gains k (1 - (INR k - 1) * q) q a in expected_gain G (S (S b)) <= expected_gain G (S b).
Proof.
  intros X X' D G. assert (K : (0 < k)%nat) by lia.
  assert (gain : forall t n, divergence a t (hidden (uniform k) (response k q x) n) (hidden (uniform k) (response k q x') n)
    <-> expected_gain G (S n) <= t).
  { intros t n. unfold G. rewrite <- (gain_same _ _ (S n) (fun f => gains_of_labels k _ q a x x' f X X' D)). unfold expected_gain, gains_of.
    rewrite <- total_of_draws.
    exact (divergence_is_expected_gain _ _ _ _ _ a t n (uniform_is_law k K) (response_is_likely k q x K) (response_is_likely k q x' K)). }
  apply gain. apply (more_messages (uniform k)); [now apply uniform_is_law|]. apply gain. apply Rle_refl.
Qed.

(* With other labels that gain nothing it is no less. *)
Definition increasing (f : R -> R) : Prop := forall x y, x <= y -> f x <= f y.
Lemma sums_are_larger d e n : nonnegative d -> nonnegative e -> (forall f, increasing f -> E d f <= E e f) ->
  forall f, increasing f -> E (sum_law d n) f <= E (sum_law e n) f.
Proof.
  intros D P H. induction n as [|n IH]; intros f I; [apply Rle_refl|]. rewrite !E_sum_S.
  apply Rle_trans with (E d (fun x => E (sum_law e n) (fun s => f (x + s)))).
  - apply E_le; [exact D|]. intros x. apply IH. intros s u L. apply I. lra.
  - apply H. intros x y L. apply E_le; [now apply sums_nonnegative|]. intros s. apply I. lra.
Qed.
Theorem without_other_labels k q a n : (2 <= k)%nat -> 0 < q -> INR k * q <= 1 -> 1 <= a ->
  let p := 1 - (INR k - 1) * q in
  E (binomial_law (INR k * q) n) (fun b => expected_gain (response_gains k p q a) (S (0 + b)))
  <= expected_gain (gains q ((p - a * q) / q) ((q - a * p) / q) 0) (S n).
Proof.
  intros K Q C A p. assert (N : 2 <= INR k) by (apply (le_INR 2); exact K).
  assert (L : 0 < INR k * q) by (apply Rmult_lt_0_compat; lra).
  assert (twice : 2 * q <= INR k * q) by (apply Rmult_le_compat_r; lra).
  rewrite without_dummies by exact L. apply Rmult_le_reg_r with (INR k * q); [exact L|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite (Rmult_comm (expected_gain (gains _ _ _ _) _)), <- gain_scaled by lra.
  unfold expected_gain, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, lt_0_INR; lia|].
  assert (I : 0 < / INR k) by (apply Rinv_0_lt_compat; lra). assert (I2 : 2 * / INR k <= 1).
  { apply Rmult_le_reg_r with (INR k); [lra|]. rewrite Rmult_assoc, Rinv_l; lra. }
  apply sums_are_larger.
  - unfold sometimes, response_gains, gains, scale, nonnegative. cbn [map app fst snd mul over_R].
    repeat (apply Forall_cons; [cbn [fst]; try apply Rmult_le_pos; lra|]). apply Forall_nil.
  - unfold push, gains, nonnegative. cbn [map fst snd]. repeat (apply Forall_cons; [cbn [fst]; lra|]). apply Forall_nil.
  - intros f M. rewrite E_sometimes, E_push. unfold response_gains, gains. cbn [E].
    replace (INR k * q * ((p - a * q) * / q)) with (INR k * (p - a * q)) by (field; lra).
    replace (INR k * q * ((q - a * p) * / q)) with (INR k * (q - a * p)) by (field; lra). rewrite Rmult_0_r.
    assert (F : f (INR k * ((1 - a) * q)) <= f 0).
    { apply M. assert (0 <= INR k * ((a - 1) * q)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra. }
    apply (Rmult_le_compat_l (INR k * q - 2 * q)) in F; [|lra].
    replace (INR k * q * (/ INR k * f (INR k * (p - a * q)) + (/ INR k * f (INR k * (q - a * p)) + ((1 - 2 * / INR k) * f (INR k * ((1 - a) * q)) + 0))))
      with (q * f (INR k * (p - a * q)) + q * f (INR k * (q - a * p)) + (INR k * q - 2 * q) * f (INR k * ((1 - a) * q))) by (field; lra).
    lra.
  - intros s u S. apply Rle_max_compat_l. exact S.
Qed.
