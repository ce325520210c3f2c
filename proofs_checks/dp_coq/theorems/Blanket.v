(* Every data set of shuffled reports. Users send what they hold with chance 1 - l, else a message that does not depend on
   it, of a law U; `extra` more messages of this law are added, and all are shuffled. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles.
Import ListNotations.
Open Scope R_scope.

Definition report (l : R) (U : dist R nat) (x : nat) : dist R nat := scale over_R l U ++ [(1 - l, x)].
(* How many of n users send a message of the law U. *)
Fixpoint binomial_law (l : R) (n : nat) : dist R nat :=
  match n with
  | O => point over_R 0%nat
  | S n => scale over_R (1 - l) (binomial_law l n) ++ scale over_R l (push over_R S (binomial_law l n))
  end.
(* A report among b messages of the law U. *)
Definition hidden (l : R) (U : dist R nat) (x b : nat) : dist R (list nat) := shuffled (report l U x :: repeat U b).

Lemma E_report l U x f : E (report l U x) f = l * E U f + (1 - l) * f x.
Proof. unfold report. rewrite E_app, E_scale. simpl; lra. Qed.

Lemma others_one_by_one l U a x x' : 0 <= l <= 1 -> forall others t b,
  (forall b, divergence a (t b) (hidden l U x b) (hidden l U x' b)) ->
  divergence a (E (binomial_law l (length others)) (fun j => t (b + j)%nat))
    (shuffled (report l U x :: repeat U b ++ map (report l U) others))
    (shuffled (report l U x' :: repeat U b ++ map (report l U) others)).
Proof.
  intros chance others. induction others as [|c others IH]; intros t b D f pos; cbn [length binomial_law map].
  - rewrite !app_nil_r, E_point, PeanoNat.Nat.add_0_r. now apply D.
  - rewrite E_app, !E_scale, E_push. set (rest := map (report l U) others) in *.
    assert (step : forall z, E (shuffled (report l U z :: repeat U b ++ report l U c :: rest)) f
      = l * E (shuffled (report l U z :: repeat U (S b) ++ rest)) f
        + (1 - l) * E (shuffled (report l U z :: repeat U b ++ rest)) (fun s => f (insert c s))).
    { intros z. rewrite app_comm_cons, E_shuffled_middle, E_shuffled, E_report. f_equal.
      change (repeat U (S b) ++ rest) with (U :: repeat U b ++ rest).
      pose proof (E_shuffled_middle U [report l U z] (repeat U b ++ rest) f) as M. cbn [app] in M. now rewrite M, E_shuffled. }
    rewrite !step.
    pose proof (IH t (S b) D f pos) as I1.
    pose proof (IH t b D (fun s => f (insert c s)) (fun s => pos (insert c s))) as I2.
    rewrite (E_ext (binomial_law l (length others)) (fun o => t (b + S o)%nat) (fun j => t (S b + j)%nat))
      by (intros o; f_equal; lia).
    apply (Rmult_le_compat_l l) in I1; [|lra]. apply (Rmult_le_compat_l (1 - l)) in I2; [|lra]. lra.
Qed.

(* Whatever the other users hold, the shuffled messages of two inputs of one user are at most as far apart as they are on
   average when B of the others, B binomial, send messages of the law U, and the rest of them nothing. *)
Theorem every_data_set l U a t x x' extra others : 0 <= l <= 1 ->
  (forall b, divergence a (t b) (hidden l U x b) (hidden l U x' b)) ->
  divergence a (E (binomial_law l (length others)) (fun b => t (extra + b)%nat))
    (shuffled (map (report l U) (x :: others) ++ repeat U extra)) (shuffled (map (report l U) (x' :: others) ++ repeat U extra)).
Proof.
  intros chance D. pose proof (others_one_by_one l U a x x' chance others t extra D) as H.
  assert (move : forall z ds f, E (shuffled (report l U z :: ds ++ repeat U extra)) f
    = E (shuffled (report l U z :: repeat U extra ++ ds)) f).
  { intros z ds f. rewrite !E_shuffled. apply E_ext; intros y. generalize (fun s => f (insert y s)). clear f.
    induction ds as [|d ds IH]; intros f; [now rewrite app_nil_r|].
    cbn [app]. rewrite E_shuffled_middle, !E_shuffled. apply E_ext; intros o. apply IH. }
  eapply delta_same; [intros f; apply move|intros f; apply move|exact H].
Qed.

(* More messages hide more. *)
Theorem more_messages l U a t x x' b : is_law U ->
  divergence a t (hidden l U x b) (hidden l U x' b) -> divergence a t (hidden l U x (S b)) (hidden l U x' (S b)).
Proof.
  intros law_U D f pos. unfold hidden; cbn [repeat].
  assert (step : forall z, E (shuffled (report l U z :: U :: repeat U b)) f
      = E U (fun y => E (hidden l U z b) (fun s => f (insert y s)))).
  { intros z. pose proof (E_shuffled_middle U [report l U z] (repeat U b) f) as M. cbn [app] in M. now rewrite M, E_shuffled. }
  rewrite !step.
  apply Rle_trans with (E U (fun y => a * E (hidden l U x' b) (fun s => f (insert y s)) + t)).
  - apply E_le; [exact (proj1 law_U)|]. intros y; apply D; intros s; apply pos.
  - rewrite E_plus, E_scal, (E_const U t (proj2 law_U)). lra.
Qed.

(* Randomized response on k labels, with chance q for each of the wrong ones, is such a report: l = k q, and U is uniform. *)
Definition uniform (k : nat) : dist R nat := map (fun y => (/ INR k, y)) (seq 0 k).
Definition response (k : nat) (q : R) (x : nat) : dist R nat :=
  map (fun y => (if (y =? x)%nat then 1 - (INR k - 1) * q else q, y)) (seq 0 k).
Lemma E_listed m (p : nat -> R) f : E (map (fun y => (p y, y)) m) f = fold_right (fun y total => p y * f y + total) 0 m.
Proof. induction m as [|y m IH]; simpl; rewrite ?IH; reflexivity. Qed.
Lemma uniform_is_law k : (0 < k)%nat -> is_law (uniform k).
Proof.
  intros K. assert (0 < INR k) by now apply lt_0_INR. split.
  - unfold nonnegative, uniform. rewrite Forall_map. apply Forall_forall; intros; simpl. left; now apply Rinv_0_lt_compat.
  - unfold uniform. rewrite (E_listed _ (fun _ => / INR k)).
    assert (G : forall m, fold_right (fun (y : nat) total => / INR k * 1 + total) 0 m = INR (length m) * / INR k).
    { induction m as [|y m IH]; [simpl; lra|]. cbn [fold_right length]. rewrite IH, S_INR. lra. }
    rewrite G, seq_length. field; lra.
Qed.
Lemma response_is_report k q x f : (x < k)%nat -> E (response k q x) f = E (report (INR k * q) (uniform k) x) f.
Proof.
  intros L. rewrite E_report. unfold response, uniform. rewrite E_listed, (E_listed _ (fun _ => / INR k)).
  assert (K : INR k <> 0) by (apply not_0_INR; lia).
  assert (G : forall m, NoDup m ->
    fold_right (fun y total => (if (y =? x)%nat then 1 - (INR k - 1) * q else q) * f y + total) 0 m
    = INR k * q * fold_right (fun y total => / INR k * f y + total) 0 m + (if existsb (Nat.eqb x) m then 1 - INR k * q else 0) * f x).
  { induction 1 as [|y m N D IH]; simpl; [lra|]. rewrite IH.
    replace (INR k * q * (/ INR k * f y + fold_right (fun y total => / INR k * f y + total) 0 m))
      with (q * f y + INR k * q * fold_right (fun y total => / INR k * f y + total) 0 m) by (field; auto).
    rewrite (PeanoNat.Nat.eqb_sym x y). destruct (PeanoNat.Nat.eqb_spec y x) as [->|]; simpl; [|lra].
    replace (existsb (Nat.eqb x) m) with false; [lra|].
    symmetry; apply Bool.not_true_is_false; intros T; apply existsb_exists in T as (z & I & Q).
    apply PeanoNat.Nat.eqb_eq in Q; now subst. }
  rewrite G by apply seq_NoDup. replace (existsb (Nat.eqb x) (seq 0 k)) with true; [lra|].
  symmetry; apply existsb_exists; exists x; split; [apply in_seq; lia|apply PeanoNat.Nat.eqb_refl].
Qed.

(* For all numbers of users and labels, and whatever the other users hold: the card's bound for every data set. *)
Theorem every_data_set_of_response k q a t x x' extra others :
  Forall (fun z => (z < k)%nat) (x :: x' :: others) -> 0 <= q -> INR k * q <= 1 ->
  (forall b, divergence a (t b) (hidden (INR k * q) (uniform k) x b) (hidden (INR k * q) (uniform k) x' b)) ->
  divergence a (E (binomial_law (INR k * q) (length others)) (fun b => t (extra + b)%nat))
    (shuffled (map (response k q) (x :: others) ++ repeat (uniform k) extra))
    (shuffled (map (response k q) (x' :: others) ++ repeat (uniform k) extra)).
Proof.
  intros B Q C D. inversion_clear B as [|? ? X B']. inversion_clear B' as [|? ? X' O].
  assert (same : forall z, (z < k)%nat -> forall f,
    E (shuffled (map (response k q) (z :: others) ++ repeat (uniform k) extra)) f
    = E (shuffled (map (report (INR k * q) (uniform k)) (z :: others) ++ repeat (uniform k) extra)) f).
  { intros z Z. apply shuffled_same, Forall2_app.
    - assert (H : Forall (fun y => (y < k)%nat) (z :: others)) by (constructor; assumption).
      induction H as [|y m Y _ IH]; cbn [map]; constructor; [|exact IH]. intros f. now apply response_is_report.
    - induction extra; cbn [repeat]; constructor; auto. }
  eapply delta_same; [apply same, X|apply same, X'|].
  apply every_data_set; [|exact D]. split; [|exact C]. apply Rmult_le_pos; [apply pos_INR|exact Q].
Qed.

(* Two labels, wrong with chance 1 / 4: at a = 1 the messages of two inputs are 1 / 2 apart, whatever the others hold. *)
Lemma two_labels b : divergence 1 (1 / 2) (hidden (INR 2 * (1 / 4)) (uniform 2) 0 b) (hidden (INR 2 * (1 / 4)) (uniform 2) 1 b).
Proof.
  induction b as [|b IH]; [|apply more_messages; [apply uniform_is_law; lia|exact IH]].
  intros f P. unfold hidden. cbn [repeat]. rewrite !E_shuffled, !E_report, !E_shuffled_none. unfold uniform. simpl.
  pose proof (P [0%nat]). pose proof (P [1%nat]). lra.
Qed.
Example of_two_labels others extra : Forall (fun z => (z < 2)%nat) others ->
  divergence 1 (E (binomial_law (INR 2 * (1 / 4)) (length others)) (fun _ => 1 / 2))
    (shuffled (map (response 2 (1 / 4)) (0%nat :: others) ++ repeat (uniform 2) extra))
    (shuffled (map (response 2 (1 / 4)) (1%nat :: others) ++ repeat (uniform 2) extra)).
Proof.
  intros B. apply (every_data_set_of_response 2 (1 / 4) 1 (fun _ => 1 / 2)); [|lra|simpl; lra|exact two_labels].
  constructor; [lia|]. constructor; [lia|exact B].
Qed.
(* A message without others shows which of the two it is more often than by 1 / 3. *)
Example not_a_third : ~ divergence 1 (1 / 3) (hidden (INR 2 * (1 / 4)) (uniform 2) 0 0) (hidden (INR 2 * (1 / 4)) (uniform 2) 1 0).
Proof.
  intros H. specialize (H (fun l => match l with [0%nat] => 1 | _ => 0 end)). cbv beta in H.
  assert (P : forall l : list nat, 0 <= match l with [0%nat] => 1 | _ => 0 end <= 1) by (intros [|[|] [|]]; lra).
  specialize (H P). revert H. unfold hidden. cbn [repeat]. rewrite !E_shuffled, !E_report, !E_shuffled_none. unfold uniform. simpl. lra.
Qed.
