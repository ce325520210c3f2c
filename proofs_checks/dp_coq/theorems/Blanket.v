(* Every data set of shuffled reports. With chance l a user sends a message of a law U that does not depend on what is held,
   whatever the rest of the law may be; `extra` more messages of this law are added, and all are shuffled. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles
  theorems.Binomials.
Import ListNotations.
Open Scope R_scope.

Definition blanket (l : R) (U d : dist R nat) : Prop :=
  exists T, nonnegative T /\ E T (fun _ => 1) = 1 - l /\ forall f, E d f = l * E U f + E T f.
(* A report among b messages of the law U. *)
Definition hidden (U d : dist R nat) (b : nat) : dist R (list nat) := shuffled (d :: repeat U b).

Lemma one_more d S ds es f : E (shuffled (d :: ds ++ S :: es)) f = E S (fun y => E (shuffled (d :: ds ++ es)) (fun s => f (insert y s))).
Proof. pose proof (E_shuffled_middle S (d :: ds) es f) as M. cbn [app] in M. now rewrite M, E_shuffled. Qed.
(* More messages hide more, of any law that does not depend on the input. *)
Theorem more_messages S a t d d' ds : is_law S ->
  divergence a t (shuffled (d :: ds)) (shuffled (d' :: ds)) -> divergence a t (shuffled (d :: S :: ds)) (shuffled (d' :: S :: ds)).
Proof.
  intros L D f pos.
  assert (step : forall z, E (shuffled (z :: S :: ds)) f = E S (fun y => E (shuffled (z :: ds)) (fun s => f (insert y s))))
    by (intros z; apply (one_more z S [])).
  rewrite !step.
  apply Rle_trans with (E S (fun y => a * E (shuffled (d' :: ds)) (fun s => f (insert y s)) + t)).
  - apply E_le; [exact (proj1 L)|]. intros y; apply D; intros s; apply pos.
  - rewrite E_plus, E_scal, (E_const S t (proj2 L)). lra.
Qed.
Lemma others_one_by_one l U a d d' others : 0 <= l <= 1 -> Forall (blanket l U) others -> forall t b,
  (forall b, divergence a (t b) (hidden U d b) (hidden U d' b)) ->
  divergence a (E (binomial_law l (length others)) (fun j => t (b + j)%nat))
    (shuffled (d :: repeat U b ++ others)) (shuffled (d' :: repeat U b ++ others)).
Proof.
  intros chance blankets. induction blankets as [|S others (T & T_pos & T_is & S_is) _ IH]; intros t b D f pos; cbn [length].
  - cbn [binomial_law]. rewrite !app_nil_r, E_point, PeanoNat.Nat.add_0_r. now apply D.
  - rewrite E_binomial_S.
    assert (step : forall z, E (shuffled (z :: repeat U b ++ S :: others)) f
      = l * E (shuffled (z :: repeat U (1 + b) ++ others)) f
        + E T (fun c => E (shuffled (z :: repeat U b ++ others)) (fun s => f (insert c s)))).
    { intros z. rewrite one_more, S_is. cbn [Nat.add repeat app]. f_equal. f_equal. symmetry. apply (one_more z U []). }
    rewrite !step. pose proof (IH t (1 + b)%nat D f pos) as I1.
    assert (I2 : E T (fun c => E (shuffled (d :: repeat U b ++ others)) (fun s => f (insert c s)))
      <= a * E T (fun c => E (shuffled (d' :: repeat U b ++ others)) (fun s => f (insert c s)))
         + (1 - l) * E (binomial_law l (length others)) (fun j => t (b + j)%nat)).
    { set (mean := E (binomial_law l (length others)) (fun j => t (b + j)%nat)).
      apply Rle_trans with (E T (fun c => a * E (shuffled (d' :: repeat U b ++ others)) (fun s => f (insert c s)) + mean)).
      - apply E_le; [exact T_pos|]. intros c. apply (IH t b D). intros s. apply pos.
      - rewrite E_plus, E_scal, (E_ext T (fun _ => mean) (fun _ => mean * 1)) by (intros; lra). rewrite E_scal, T_is. lra. }
    rewrite (E_ext (binomial_law l (length others)) (fun o => t (b + Datatypes.S o)%nat) (fun j => t (1 + b + j)%nat))
      by (intros o; f_equal; lia).
    apply (Rmult_le_compat_l l) in I1; [|lra]. lra.
Qed.

(* Whatever the other users hold, the shuffled messages of two inputs of one user are at most as far apart as they are on
   average when B of the others, B binomial, send messages of the law U, and the rest of them nothing. *)
Theorem every_data_set l U a t d d' extra others : 0 <= l <= 1 -> Forall (blanket l U) others ->
  (forall b, divergence a (t b) (hidden U d b) (hidden U d' b)) ->
  divergence a (E (binomial_law l (length others)) (fun b => t (extra + b)%nat))
    (shuffled (d :: others ++ repeat U extra)) (shuffled (d' :: others ++ repeat U extra)).
Proof.
  intros chance B D. pose proof (others_one_by_one l U a d d' others chance B t extra D) as H.
  assert (move : forall z ds f, E (shuffled (z :: ds ++ repeat U extra)) f = E (shuffled (z :: repeat U extra ++ ds)) f).
  { intros z ds f. rewrite !E_shuffled. apply E_ext; intros y. generalize (fun s => f (insert y s)). clear f.
    induction ds as [|e ds IH]; intros f; [now rewrite app_nil_r|].
    cbn [app]. rewrite E_shuffled_middle, !E_shuffled. apply E_ext; intros o. apply IH. }
  eapply delta_same; [intros f; apply move|intros f; apply move|exact H].
Qed.

(* Randomized response on k labels, with chance q for each of the wrong ones, has a uniform blanket: l = k q. *)
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
(* One label has a chance of its own. *)
Lemma fold_but_one x p q f m : NoDup m ->
  fold_right (fun y total => (if (y =? x)%nat then p else q) * f y + total) 0 m
  = fold_right (fun y total => q * f y + total) 0 m + (if existsb (Nat.eqb x) m then p - q else 0) * f x.
Proof.
  induction 1 as [|y m N D IH]; simpl; [lra|]. rewrite IH.
  rewrite (PeanoNat.Nat.eqb_sym x y). destruct (PeanoNat.Nat.eqb_spec y x) as [->|]; simpl; [|lra].
  replace (existsb (Nat.eqb x) m) with false; [lra|].
  symmetry; apply Bool.not_true_is_false; intros T; apply existsb_exists in T as (z & I & Q).
  apply PeanoNat.Nat.eqb_eq in Q; now subst.
Qed.
Lemma is_below x k : (x < k)%nat -> existsb (Nat.eqb x) (seq 0 k) = true.
Proof. intros L. apply existsb_exists; exists x; split; [apply in_seq; lia|apply PeanoNat.Nat.eqb_refl]. Qed.
Lemma E_response k q x f : (x < k)%nat -> E (response k q x) f = INR k * q * E (uniform k) f + (1 - INR k * q) * f x.
Proof.
  intros L. assert (K : INR k <> 0) by (apply not_0_INR; lia).
  unfold response, uniform. rewrite !E_listed, fold_but_one, is_below by auto using seq_NoDup.
  assert (G : forall m, fold_right (fun y total => q * f y + total) 0 m = INR k * q * fold_right (fun y total => / INR k * f y + total) 0 m).
  { induction m as [|y m IH]; simpl; [lra|]. rewrite IH. field. exact K. }
  rewrite G. lra.
Qed.
Lemma response_has_blanket k q x : INR k * q <= 1 -> (x < k)%nat -> blanket (INR k * q) (uniform k) (response k q x).
Proof.
  intros Q L. exists [(1 - INR k * q, x)]. split; [|split].
  - apply Forall_cons; [simpl; lra|apply Forall_nil].
  - simpl. lra.
  - intros f. rewrite E_response by exact L. simpl. lra.
Qed.

(* For all numbers of users and labels, and whatever the other users hold: the card's bound for every data set. *)
Theorem every_data_set_of_response k q a t x x' extra others : Forall (fun z => (z < k)%nat) others ->
  0 <= q -> INR k * q <= 1 ->
  (forall b, divergence a (t b) (hidden (uniform k) (response k q x) b) (hidden (uniform k) (response k q x') b)) ->
  divergence a (E (binomial_law (INR k * q) (length others)) (fun b => t (extra + b)%nat))
    (shuffled (map (response k q) (x :: others) ++ repeat (uniform k) extra))
    (shuffled (map (response k q) (x' :: others) ++ repeat (uniform k) extra)).
Proof.
  intros B Q C D. rewrite <- (map_length (response k q) others). apply every_data_set; [| |exact D].
  - split; [|exact C]. apply Rmult_le_pos; [apply pos_INR|exact Q].
  - apply Forall_map. revert B. apply Forall_impl. intros z. now apply response_has_blanket.
Qed.

(* Two labels, wrong with chance 1 / 4: at a = 1 the messages of two inputs are 1 / 2 apart, whatever the others hold. *)
Lemma two_labels b : divergence 1 (1 / 2) (hidden (uniform 2) (response 2 (1 / 4) 0) b) (hidden (uniform 2) (response 2 (1 / 4) 1) b).
Proof.
  induction b as [|b IH]; [|apply more_messages; [apply uniform_is_law; lia|exact IH]].
  intros f P. unfold hidden. cbn [repeat]. rewrite !E_shuffled. unfold response. cbn [seq map E Nat.eqb]. rewrite !E_shuffled_none. simpl.
  pose proof (P [0%nat]). pose proof (P [1%nat]). lra.
Qed.
Example of_two_labels others extra : Forall (fun z => (z < 2)%nat) others ->
  divergence 1 (E (binomial_law (INR 2 * (1 / 4)) (length others)) (fun _ => 1 / 2))
    (shuffled (map (response 2 (1 / 4)) (0%nat :: others) ++ repeat (uniform 2) extra))
    (shuffled (map (response 2 (1 / 4)) (1%nat :: others) ++ repeat (uniform 2) extra)).
Proof. intros B. apply (every_data_set_of_response 2 (1 / 4) 1 (fun _ => 1 / 2)); [exact B|lra|simpl; lra|exact two_labels]. Qed.
(* A message without others shows which of the two it is more often than by 1 / 3. *)
Example not_a_third : ~ divergence 1 (1 / 3) (hidden (uniform 2) (response 2 (1 / 4) 0) 0) (hidden (uniform 2) (response 2 (1 / 4) 1) 0).
Proof.
  intros H. specialize (H (fun l => match l with [0%nat] => 1 | _ => 0 end)). cbv beta in H.
  assert (P : forall l : list nat, 0 <= match l with [0%nat] => 1 | _ => 0 end <= 1) by (intros [|[|] [|]]; lra).
  specialize (H P). revert H. unfold hidden. cbn [repeat]. rewrite !E_shuffled. unfold response. cbn [seq map E Nat.eqb]. rewrite !E_shuffled_none. simpl. lra.
Qed.
