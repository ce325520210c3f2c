(* Every randomizer with ratios at most e, of the card blanket: shuffled among users of the same randomizer, whatever they
   hold, two inputs are at most as far apart as those of randomized response on two labels with this ratio. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles
  theorems.Binomials theorems.Convexity theorems.Halves theorems.Blanket theorems.Exchanges theorems.Messages.
Import ListNotations.
Open Scope R_scope.

Section Labels.
  Variable k : nat.
  (* A law on the labels below k. *)
  Definition listed (s : nat -> R) : dist R nat := map (fun y => (s y, y)) (seq 0 k).
  Definition sum (s : nat -> R) : R := fold_right (fun y total => s y + total) 0 (seq 0 k).
  (* Messages that say besides which of four parts they are of. *)
  Definition tagged (c0 c1 c2 c3 : nat -> R) : dist R nat :=
    flat_map (fun y => [(c0 y, 4 * y); (c1 y, 4 * y + 1); (c2 y, 4 * y + 2); (c3 y, 4 * y + 3)]%nat) (seq 0 k).
  Definition untag (z : nat) : nat := (z / 4)%nat.
  Definition by_tag {A} (u0 u1 u2 u3 : A) (z : nat) : A := match (z mod 4)%nat with 0 => u0 | 1 => u1 | 2 => u2 | _ => u3 end%nat.

  Lemma sum_plus s t : sum (fun y => s y + t y) = sum s + sum t.
  Proof. unfold sum. induction (seq 0 k) as [|y m IH]; simpl; [lra|]. rewrite IH. lra. Qed.
  Lemma sum_scal c s : sum (fun y => c * s y) = c * sum s.
  Proof. unfold sum. induction (seq 0 k) as [|y m IH]; simpl; [lra|]. rewrite IH. lra. Qed.
  Lemma sum_ext s t : (forall y, s y = t y) -> sum s = sum t.
  Proof. intros H. unfold sum. induction (seq 0 k) as [|y m IH]; simpl; [lra|]. now rewrite IH, H. Qed.
  Lemma sum_nonneg s : (forall y, 0 <= s y) -> 0 <= sum s.
  Proof. intros H. unfold sum. induction (seq 0 k) as [|y m IH]; simpl; [lra|]. specialize (H y). lra. Qed.
  Lemma sum_listed s : E (listed s) (fun _ => 1) = sum s.
  Proof. unfold listed, sum. rewrite E_listed. induction (seq 0 k) as [|y m IH]; simpl; rewrite ?IH; lra. Qed.
  Lemma E_tagged c0 c1 c2 c3 f : E (tagged c0 c1 c2 c3) f
    = sum (fun y => c0 y * f (4 * y)%nat + c1 y * f (4 * y + 1)%nat + c2 y * f (4 * y + 2)%nat + c3 y * f (4 * y + 3)%nat).
  Proof.
    unfold tagged, sum. induction (seq 0 k) as [|y m IH]; [reflexivity|]. cbn [flat_map fold_right]. rewrite E_app, IH.
    cbn [E]. lra.
  Qed.
  Lemma untagged y i : (i < 4)%nat -> untag (4 * y + i) = y.
  Proof. intros L. unfold untag. rewrite (PeanoNat.Nat.mul_comm 4 y), PeanoNat.Nat.div_add_l, PeanoNat.Nat.div_small; lia. Qed.
  Lemma tag_is y i : (i < 4)%nat -> ((4 * y + i) mod 4 = i)%nat.
  Proof. intros L. rewrite PeanoNat.Nat.add_comm, PeanoNat.Nat.mul_comm, PeanoNat.Nat.mod_add, PeanoNat.Nat.mod_small; lia. Qed.
  Lemma E_by_tag {A} (u0 u1 u2 u3 : A) c0 c1 c2 c3 (f : nat -> A -> R) :
    E (tagged c0 c1 c2 c3) (fun z => f z (by_tag u0 u1 u2 u3 z))
    = sum (fun y => c0 y * f (4 * y)%nat u0 + c1 y * f (4 * y + 1)%nat u1 + c2 y * f (4 * y + 2)%nat u2 + c3 y * f (4 * y + 3)%nat u3).
  Proof.
    rewrite E_tagged. apply sum_ext. intros y. unfold by_tag. rewrite !tag_is by lia.
    replace ((4 * y) mod 4)%nat with 0%nat; [reflexivity|]. pose proof (tag_is y 0). rewrite PeanoNat.Nat.add_0_r in H. symmetry. apply H. lia.
  Qed.
  Lemma E_untagged c0 c1 c2 c3 f : E (push over_R untag (tagged c0 c1 c2 c3)) f = sum (fun y => (c0 y + c1 y + c2 y + c3 y) * f y).
  Proof.
    rewrite E_push, E_tagged. apply sum_ext. intros y. rewrite !untagged by lia.
    pose proof (untagged y 0). rewrite PeanoNat.Nat.add_0_r in H. rewrite H by lia. lra.
  Qed.
  Lemma E_of_listed s f : E (listed s) f = sum (fun y => s y * f y).
  Proof. unfold listed, sum. now rewrite E_listed. Qed.
  Lemma tagged_nonneg c0 c1 c2 c3 : (forall y, 0 <= c0 y /\ 0 <= c1 y /\ 0 <= c2 y /\ 0 <= c3 y) -> nonnegative (tagged c0 c1 c2 c3).
  Proof.
    intros H. unfold nonnegative, tagged. apply Forall_flat_map, Forall_forall. intros y _. destruct (H y) as (? & ? & ? & ?).
    repeat (apply Forall_cons; [assumption|]). apply Forall_nil.
  Qed.
End Labels.

Section Randomizer.
  (* The chances of the labels under two inputs, with ratios at most e (beyond the labels they may be 0). *)
  Variables (k : nat) (e : R) (r r' : nat -> R).
  Definition within (s t : nat -> R) : Prop := forall y, s y <= e * t y.
  Hypotheses (above : 1 < e) (r_r' : within r r') (r'_r : within r' r).
  Hypotheses (r_is_law : is_law (listed k r)) (r'_is_law : is_law (listed k r')).

  (* r = e m0 + m1 + m2, and r' = m0 + e m1 + m2. *)
  Definition m0 (y : nat) : R := Rmax 0 (r y - r' y) / (e - 1).
  Definition m1 (y : nat) : R := Rmax 0 (r' y - r y) / (e - 1).
  Definition m2 (y : nat) : R := r y - e * m0 y - m1 y.
  Lemma three_parts y : 0 <= m0 y /\ 0 <= m1 y /\ 0 <= m2 y /\ r' y = m0 y + e * m1 y + m2 y.
  Proof.
    assert (I : 0 < / (e - 1)) by (apply Rinv_0_lt_compat; lra). pose proof (r_r' y). pose proof (r'_r y).
    assert (Z : forall u v, u / (e - 1) = v -> u = (e - 1) * v) by (intros u v <-; field; lra).
    assert (P : forall u, 0 <= u -> 0 <= u / (e - 1)) by (intros; apply Rmult_le_pos; lra).
    unfold m2, m0, m1. destruct (Rle_dec (r' y) (r y)).
    - rewrite (Rmax_right 0 (r y - r' y)), (Rmax_left 0 (r' y - r y)) by lra.
      pose proof (P (r y - r' y) ltac:(lra)). pose proof (Z _ _ (eq_refl ((r y - r' y) / (e - 1)))).
      pose proof (P (e * r' y - r y) ltac:(lra)). set (u := (r y - r' y) / (e - 1)) in *.
      replace ((e * r' y - r y) / (e - 1)) with (r y - e * u - 0 / (e - 1)) in * by (unfold u; field; lra).
      replace (0 / (e - 1)) with 0 in * by (field; lra). repeat split; lra.
    - rewrite (Rmax_left 0 (r y - r' y)), (Rmax_right 0 (r' y - r y)) by lra.
      pose proof (P (r' y - r y) ltac:(lra)). pose proof (Z _ _ (eq_refl ((r' y - r y) / (e - 1)))).
      pose proof (P (e * r y - r' y) ltac:(lra)). set (u := (r' y - r y) / (e - 1)) in *.
      replace ((e * r y - r' y) / (e - 1)) with (r y - e * (0 / (e - 1)) - u) in * by (unfold u; field; lra).
      replace (0 / (e - 1)) with 0 in * by (field; lra). repeat split; lra.
  Qed.
  (* Others send at least m0 + m1 + m2 / e. *)
  Lemma others_send s y : within r s -> within r' s -> m0 y + m1 y + m2 y / e <= s y.
  Proof.
    intros H H'. specialize (H y). specialize (H' y). destruct (three_parts y) as (P0 & P1 & P2 & R').
    apply Rmult_le_reg_l with e; [lra|]. replace (e * (m0 y + m1 y + m2 y / e)) with (e * m0 y + e * m1 y + m2 y) by (field; lra).
    assert (Z : m0 y = 0 \/ m1 y = 0).
    { unfold m0, m1. destruct (Rle_dec (r' y) (r y)); [right|left]; rewrite Rmax_left by lra; unfold Rdiv; lra. }
    assert (r y = e * m0 y + m1 y + m2 y) by (unfold m2; lra). destruct Z as [Z|Z]; rewrite Z in *; lra.
  Qed.

  Definition w : R := sum k m0.
  Definition shared : R := sum k m0 + sum k m1 + sum k m2 / e.
  Definition U : dist R nat := tagged k (fun y => m0 y / shared) (fun y => m1 y / shared) (fun y => m2 y / e / shared) (fun _ => 0).
  Lemma weights : sum k m1 = w /\ sum k m2 = 1 - (e + 1) * w /\ 0 <= w /\ 0 <= sum k m2 /\ 0 < shared <= 1.
  Proof.
    pose proof (proj2 r_is_law) as T. pose proof (proj2 r'_is_law) as T'. rewrite sum_listed in T, T'.
    assert (P : forall y, 0 <= m0 y) by (intros; apply three_parts). assert (P1 : forall y, 0 <= m1 y) by (intros; apply three_parts).
    assert (P2 : forall y, 0 <= m2 y) by (intros; apply three_parts).
    apply sum_nonneg with (k := k) in P. apply sum_nonneg with (k := k) in P1. apply sum_nonneg with (k := k) in P2.
    assert (S : sum k r = e * sum k m0 + sum k m1 + sum k m2).
    { rewrite <- sum_scal, <- !sum_plus. apply sum_ext. intros y. unfold m2. lra. }
    assert (S' : sum k r' = sum k m0 + e * sum k m1 + sum k m2).
    { rewrite <- sum_scal, <- !sum_plus. apply sum_ext. intros y. apply three_parts. }
    assert (W : sum k m1 = w). { apply Rmult_eq_reg_l with (e - 1); [|lra]. unfold w. lra. }
    unfold shared. fold w in *. rewrite W in *.
    assert (I : 0 < / e <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (0 <= sum k m2 * / e <= sum k m2).
    { split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r (sum k m2)) at 2. apply Rmult_le_compat_l; lra. }
    assert (w <= e * w) by (rewrite <- (Rmult_1_l w) at 1; apply Rmult_le_compat_r; lra).
    repeat split; try lra. unfold Rdiv.
    assert (0 < / e * (e * w + w + sum k m2)) by (apply Rmult_lt_0_compat; lra).
    assert (/ e * (e * w + w + sum k m2) = w + / e * w + sum k m2 * / e) by (field; lra).
    assert (/ e * w <= w) by (rewrite <- (Rmult_1_l w) at 2; apply Rmult_le_compat_r; lra). lra.
  Qed.

  (* Whatever the randomizer, the bound is that of the two labels: 1 / (e + 1) is the chance of the wrong one. *)
  Definition two_labels_gain (a : R) : dist R R := gains (/ (e + 1)) (e - a) (1 - a * e) 0.
  Lemma gains_are_apart a : 1 <= a <= e ->
    apart (sometimes shared (gains_of U (by_tag (e * shared) shared (e * shared) 0) (by_tag shared (e * shared) (e * shared) 0) a))
      (push over_R (Rmult shared) (two_labels_gain a)).
  Proof.
    intros A f C. destruct weights as (W1 & W2 & P & P2 & L). rewrite E_sometimes. unfold gains_of. rewrite !E_push.
    set (v := shared) in *.
    rewrite (E_ext U _ (fun z => f (by_tag (v * (e - a)) (v * (1 - a * e)) (v * (e * (1 - a))) 0 z))).
    2:{ intros z. unfold by_tag. destruct (z mod 4)%nat as [|[|[|]]]; f_equal; lra. }
    unfold U. fold v. rewrite (E_by_tag k _ _ _ _ _ _ _ _ (fun _ u => f u)).
    rewrite (sum_ext k _ (fun y => f (v * (e - a)) / v * m0 y + f (v * (1 - a * e)) / v * m1 y + f (v * (e * (1 - a))) / e / v * m2 y))
      by (intros y; field; lra).
    rewrite !sum_plus, !sum_scal, W1. fold w. unfold two_labels_gain, gains. cbn [E].
    assert (gap : 0 <= / (e + 1) - w).
    { apply Rmult_le_reg_l with (e + 1); [lra|]. rewrite Rmult_0_r, Rmult_minus_distr_l, Rinv_r by lra. lra. }
    assert (M : forall u u', u <= u' -> v * u <= v * u') by (intros; apply Rmult_le_compat_l; lra).
    assert (a * 1 <= a * e) by (apply Rmult_le_compat_l; lra).
    assert (I : 0 < / e <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    pose proof (spread_of_two f (v * (e - a)) (v * (1 - a * e)) (v * (e * (1 - a))) (v * 0) (1 + / e) (1 - / e) C) as S2.
    assert (B : (1 + / e) * f (v * (e * (1 - a))) + (1 - / e) * f (v * 0) <= f (v * (e - a)) + f (v * (1 - a * e))).
    { apply S2; try lra; [split; apply M; lra|split; apply M; lra|].
      transitivity (v * ((1 + / e) * e * (1 - a))); [lra|]. replace ((1 + / e) * e) with (e + 1) by (field; lra). lra. }
    rewrite Rmult_0_r in *.
    apply (Rmult_le_compat_l (/ (e + 1) - w)) in B; [|exact gap].
    assert (V : v = 2 * w + sum k m2 / e) by (unfold v, shared; rewrite W1; fold w; lra).
    assert (C2 : sum k m2 / e = (/ (e + 1) - w) * (1 + / e)) by (rewrite W2; field; lra).
    assert (G : forall u x, v * (u / v * x) = u * x) by (intros; field; lra).
    rewrite !Rmult_plus_distr_l, !G.
    replace (f (v * (e * (1 - a))) / e * sum k m2) with (f (v * (e * (1 - a))) * (sum k m2 / e)) by (field; lra).
    rewrite C2. replace (1 - v) with (1 - 2 * / (e + 1) + (/ (e + 1) - w) * (1 - / e)) by (rewrite V, C2; lra). lra.
  Qed.

  Lemma bound_of_two_labels a others : 1 <= a <= e ->
    Forall (fun s => within r s /\ within r' s /\ is_law (listed k s)) others ->
    divergence a (expected_gain (two_labels_gain a) (S (length others)))
      (shuffled (map (listed k) (r :: others))) (shuffled (map (listed k) (r' :: others))).
  Proof.
    intros A O. destruct weights as (W1 & W2 & P & P2 & L).
    set (told s := tagged k m0 m1 (fun y => m2 y / e) (fun y => s y - (m0 y + m1 y + m2 y / e))).
    set (d := tagged k (fun y => e * m0 y) m1 m2 (fun _ => 0)). set (d' := tagged k m0 (fun y => e * m1 y) m2 (fun _ => 0)).
    assert (untold : forall z zs, (forall f, E (listed k z) f = E (push over_R untag zs) f) -> forall f,
      E (shuffled (map (listed k) (z :: others))) f = E (push over_R (fun l => isort (map untag l)) (shuffled (zs :: map told others))) f).
    { intros z zs H f. rewrite E_push, <- shuffled_push. revert f. apply shuffled_same. cbn [map]. constructor; [exact H|].
      clear H. induction others as [|s ss IH]; cbn [map]; constructor; [|apply IH; now inversion_clear O].
      intros f. unfold told. rewrite E_untagged, E_of_listed. apply sum_ext. intros y. lra. }
    eapply delta_same.
    { apply (untold r d). intros f. unfold d. rewrite E_untagged, E_of_listed. apply sum_ext. intros y. f_equal. unfold m2. lra. }
    { apply (untold r' d'). intros f. unfold d'. rewrite E_untagged, E_of_listed. apply sum_ext. intros y.
      rewrite (proj2 (proj2 (proj2 (three_parts y)))). lra. }
    apply delta_push.
    assert (U_law : is_law U).
    { split.
      - assert (share : forall u v, 0 <= u -> 0 < v -> 0 <= u / v).
        { intros u v ? ?. assert (0 < / v) by now apply Rinv_0_lt_compat. apply Rmult_le_pos; lra. }
        apply tagged_nonneg. intros y. destruct (three_parts y) as (? & ? & ? & _).
        repeat split; [| | |lra]; apply share; try lra. apply share; lra.
      - unfold U. rewrite E_tagged.
        rewrite (sum_ext k _ (fun y => / shared * (m0 y + m1 y + / e * m2 y))) by (intros y; field; lra).
        rewrite sum_scal, !sum_plus, sum_scal.
        replace (sum k m0 + sum k m1 + / e * sum k m2) with shared by (unfold shared; lra). field. lra. }
    apply delta_weaken with (t := E (binomial_law shared (length (map told others))) (fun b => expected_gain
      (gains_of U (by_tag (e * shared) shared (e * shared) 0) (by_tag shared (e * shared) (e * shared) 0) a) (S (0 + b)))).
    - rewrite map_length, without_dummies by lra.
      apply Rmult_le_reg_r with shared; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with (expected_gain (push over_R (Rmult shared) (two_labels_gain a)) (S (length others))).
      + apply gain_apart; [| |now apply gains_are_apart].
        * unfold sometimes. apply Forall_app. split; [|apply Forall_cons; [simpl; lra|apply Forall_nil]].
          unfold scale, gains_of, push. apply Forall_map, Forall_map. generalize (proj1 U_law). apply Forall_impl. intros [p y] Y. cbn in *.
          apply Rmult_le_pos; lra.
        * assert (0 < / (e + 1) <= / 2) by (split; [apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]).
          unfold push, two_labels_gain, gains. cbn [map fst snd]. repeat (apply Forall_cons; [simpl; lra|]). apply Forall_nil.
      + rewrite gain_scaled by lra. right. apply Rmult_comm.
    - pose proof (among_others shared U a d d' (by_tag (e * shared) shared (e * shared) 0) (by_tag shared (e * shared) (e * shared) 0)
        0 (map told others) U_law ltac:(lra)) as M. cbn [repeat] in M. rewrite app_nil_r in M. apply M.
      + apply Forall_map. revert O. apply Forall_impl. intros s (H & H' & law_s).
        exists (tagged k (fun _ => 0) (fun _ => 0) (fun _ => 0) (fun y => s y - (m0 y + m1 y + m2 y / e))). split; [|split].
        * apply tagged_nonneg. intros y. pose proof (others_send s y H H'). repeat split; lra.
        * rewrite E_tagged. pose proof (proj2 law_s) as T. rewrite sum_listed in T.
          rewrite (sum_ext k _ (fun y => s y + -1 * (m0 y + m1 y + / e * m2 y))) by (intros y; field; lra).
          rewrite sum_plus, sum_scal, !sum_plus, sum_scal. unfold shared. lra.
        * intros f. unfold told, U. rewrite !E_tagged, <- sum_scal, <- sum_plus. apply sum_ext. intros y. field. lra.
      + intros f. unfold U, d. rewrite (E_by_tag k _ _ _ _ _ _ _ _ (fun z u => u * f z)), E_tagged. apply sum_ext. intros y. field. lra.
      + intros f. unfold U, d'. rewrite (E_by_tag k _ _ _ _ _ _ _ _ (fun z u => u * f z)), E_tagged. apply sum_ext. intros y. field. lra.
  Qed.
End Randomizer.

(* Two inputs, whatever the other users hold. *)
Theorem every_randomizer k e r r' a others : 1 < e -> 1 <= a <= e ->
  is_law (listed k r) -> is_law (listed k r') -> within e r r' -> within e r' r ->
  Forall (fun s => within e r s /\ within e r' s /\ is_law (listed k s)) others ->
  divergence a (expected_gain (two_labels_gain e a) (S (length others)))
    (shuffled (map (listed k) (r :: others))) (shuffled (map (listed k) (r' :: others))).
Proof. intros L A P P' W W'. now apply bound_of_two_labels. Qed.

(* It is the bound of randomized response on two labels, whose wrong one has the chance q = 1 / (e + 1). *)
Theorem two_labels_are_worst e a n : 1 < e -> let q := / (e + 1) in
  E (binomial_law (INR 2 * q) n) (fun b => expected_gain (response_gains 2 (1 - (INR 2 - 1) * q) q a) (S (0 + b)))
  = expected_gain (two_labels_gain e a) (S n).
Proof.
  intros L q. assert (Q : 0 < q) by (apply Rinv_0_lt_compat; lra). assert (P : 1 - q = e * q) by (unfold q; field; lra).
  rewrite without_dummies by (simpl; lra).
  rewrite (gain_same _ (push over_R (Rmult (2 * q)) (two_labels_gain e a))).
  - rewrite gain_scaled by lra. simpl. field. lra.
  - intros f. rewrite E_sometimes, E_push. unfold response_gains, two_labels_gain, gains. fold q. cbn [E].
    replace (INR 2) with 2 by (simpl; lra). replace (1 - (2 - 1) * q) with (e * q) by lra.
    replace (2 * (e * q - a * q)) with (2 * q * (e - a)) by lra. replace (2 * (q - a * (e * q))) with (2 * q * (1 - a * e)) by lra.
    rewrite Rmult_0_r. field_simplify. lra.
Qed.

(* Randomized response with 3 : 1 has ratios at most 3, and not at most 2. *)
Definition three_to_one (x y : nat) : R := if Nat.eqb y x then 3 / 4 else 1 / 4.
Example within_three : within 3 (three_to_one 0) (three_to_one 1).
Proof. intros y. unfold three_to_one. destruct (Nat.eqb y 0), (Nat.eqb y 1); lra. Qed.
Example not_within_two : ~ within 2 (three_to_one 0) (three_to_one 1).
Proof. intros H. specialize (H 0%nat). unfold three_to_one in H. simpl in H. lra. Qed.
