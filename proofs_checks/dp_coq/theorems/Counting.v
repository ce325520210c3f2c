(* The card counting: a k-subset of D items is the report with probability hit if it meets the set s of m items, and with
   probability miss if not. *)
From Coq Require Import Reals List Lra Lia Bool.
From DP Require Import meaning.Distributions meaning.Laws meaning.Sentences theorems.Expectations theorems.Ratios theorems.Subsets.
Import ListNotations.
Open Scope R_scope.

Definition subset_law (D k : nat) (hit miss : R) (s : list nat) : dist R (list nat) :=
  map (fun o => (if misses s o then miss else hit, o)) (parts k (seq 0 D)).
(* A set of m of D items. *)
Definition set_of (D m : nat) (s : list nat) : Prop := NoDup s /\ length s = m /\ incl s (seq 0 D).

Lemma prob_subset D k hit miss s p : prob (subset_law D k hit miss s) p
  = hit * INR (number p (parts k (seq 0 D)))
    + (miss - hit) * INR (number (fun o => misses s o && p o) (parts k (seq 0 D))).
Proof.
  unfold prob, subset_law, number. induction (parts k (seq 0 D)) as [|o l IH]; [simpl; lra|].
  cbn [map E filter]. rewrite IH. destruct (misses s o), (p o); cbn [andb length]; rewrite ?S_INR; lra.
Qed.
(* choose (D - m) k subsets miss s, and the other ones meet it. *)
Theorem subsets_that_miss D m k s : set_of D m s ->
  INR (number (misses s) (parts k (seq 0 D))) = choose (D - m) k
  /\ INR (number (fun o => negb (misses s o)) (parts k (seq 0 D))) = choose D k - choose (D - m) k.
Proof.
  intros (N & L & I). assert (H : INR (number (misses s) (parts k (seq 0 D))) = choose (D - m) k).
  { unfold number, misses. rewrite parts_of_a_kind, number_of_parts, items_not_held, seq_length, L; auto using seq_NoDup. }
  split; [exact H|]. pose proof (number_split (misses s) (parts k (seq 0 D))) as T. apply (f_equal INR) in T.
  rewrite plus_INR, H, number_of_parts, seq_length in T. lra.
Qed.
(* So these are the probabilities of a law where they sum to 1. *)
Theorem subsets_are_a_law D m k hit miss s : set_of D m s -> 0 <= hit -> 0 <= miss ->
  hit * (choose D k - choose (D - m) k) + miss * choose (D - m) k = 1 -> is_law (subset_law D k hit miss s).
Proof.
  intros S H M T. split.
  - unfold nonnegative, subset_law. rewrite Forall_map. apply Forall_forall. intros o _. cbn. now destruct (misses s o).
  - change (prob (subset_law D k hit miss s) (fun _ => true) = 1). rewrite prob_subset.
    rewrite (number_same (fun o => misses s o && true) (misses s)) by (intros; apply andb_true_r).
    rewrite (proj1 (subsets_that_miss D m k s S)), number_of_all, number_of_parts, seq_length. lra.
Qed.
(* The chance of an item of s to be in the report, and that of another one. *)
Theorem chance_of_a_held_item D m k hit miss s x : set_of D m s -> In x s ->
  prob (subset_law D (S k) hit miss s) (is_held x) = hit * choose (D - 1) k.
Proof.
  intros (N & L & I) X. rewrite prob_subset, parts_with_an_item, seq_length by auto using seq_NoDup.
  rewrite (number_none (fun o => misses s o && is_held x o)); [simpl; lra|]. intros o _. apply not_true_is_false. intros H.
  apply andb_prop in H as [M H]. apply is_held_in in H. unfold misses in M. rewrite forallb_forall in M.
  specialize (M x H). apply is_held_in in X. rewrite X in M. discriminate.
Qed.
Theorem chance_of_another_item D m k hit miss s x : set_of D m s -> (x < D)%nat -> ~ In x s ->
  prob (subset_law D (S k) hit miss s) (is_held x)
  = hit * (choose (D - 1) k - choose (D - m - 1) k) + miss * choose (D - m - 1) k.
Proof.
  intros (N & L & I) B X. assert (J : In x (seq 0 D)) by (apply in_seq; lia).
  rewrite prob_subset, parts_with_an_item, seq_length by auto using seq_NoDup.
  rewrite number_and. unfold misses. rewrite parts_of_a_kind, parts_with_an_item.
  - rewrite items_not_held, seq_length, L by auto using seq_NoDup. lra.
  - apply NoDup_filter, seq_NoDup.
  - apply filter_In. split; [exact J|]. apply negb_true_iff, not_true_is_false. now rewrite is_held_in.
Qed.

(* Where hit = c miss, c bounds the ratios of all reports. *)
Theorem subsets_ratio D k c miss s s' : 0 <= miss -> 1 <= c ->
  ratio c (subset_law D k (c * miss) miss s) (subset_law D k (c * miss) miss s').
Proof.
  intros M C f P. unfold subset_law. induction (parts k (seq 0 D)) as [|o l IH]; cbn [map E]; [lra|].
  rewrite Rmult_plus_distr_l. apply Rplus_le_compat; [|exact IH]. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply P|].
  assert (0 <= (c - 1) * miss) by (apply Rmult_le_pos; lra).
  assert (0 <= c * ((c - 1) * miss)) by (apply Rmult_le_pos; lra).
  destruct (misses s o), (misses s' o); lra.
Qed.
(* ... and is reached, by every report that meets s and misses s'. *)
Theorem subsets_reach D k c miss s s' o : 0 < miss -> In o (parts k (seq 0 D)) -> misses s o = false -> misses s' o = true ->
  attained c (subset_law D k (c * miss) miss s) (subset_law D k (c * miss) miss s').
Proof.
  intros M O H H'. exists (fun q => negb (misses s q) && misses s' q). rewrite !prob_subset.
  set (all := parts k (seq 0 D)) in *. set (p := fun q => negb (misses s q) && misses s' q).
  rewrite (number_none (fun q => misses s q && p q)).
  2:{ intros q _. unfold p. now destruct (misses s q). }
  rewrite (number_same (fun q => misses s' q && p q) p).
  2:{ intros q _. unfold p. destruct (misses s q), (misses s' q); reflexivity. }
  assert (0 < INR (number p all)).
  { apply lt_0_INR. unfold number. assert (J : In o (filter p all)) by (apply filter_In; unfold p; rewrite H, H'; auto).
    destruct (filter p all); [destruct J|cbn; lia]. }
  split; [|simpl; lra]. replace (c * miss * INR (number p all) + (miss - c * miss) * INR (number p all))
    with (miss * INR (number p all)) by ring. now apply Rmult_lt_0_compat.
Qed.
Lemma a_subset_that_misses D m k s : set_of D m s -> (1 <= k <= D - m)%nat ->
  exists x o, In (x :: o) (parts k (seq 0 D)) /\ misses s (x :: o) = true.
Proof.
  intros (N & L & I) K. destruct (parts_exist (filter (fun x => negb (is_held x s)) (seq 0 D)) k) as (o & O).
  { rewrite items_not_held, seq_length, L by auto using seq_NoDup. lia. }
  pose proof (parts_have_length _ _ _ O) as H. rewrite <- parts_of_a_kind in O. apply filter_In in O as [O M].
  destruct o as [|x o]; [cbn in H; lia|]. now exists x, o.
Qed.
(* Sets of m items: from every one c is reached, so that it is the smallest constant. *)
Theorem smallest_for_sets D m k c miss s' : (1 <= m)%nat -> (1 <= k <= D - m)%nat -> 0 < miss -> set_of D m s' ->
  exists s, set_of D m s /\ attained c (subset_law D k (c * miss) miss s) (subset_law D k (c * miss) miss s').
Proof.
  intros Hm K M S. destruct (a_subset_that_misses D m k s' S K) as (x & o & O & H). destruct S as (N & L & I).
  cbn [misses forallb] in H. apply andb_prop in H as [X H]. apply negb_true_iff in X.
  destruct s' as [|y s']; [cbn in L; lia|]. exists (x :: s'). split.
  - inversion_clear N as [|? ? Y N']. repeat split.
    + constructor; [|exact N']. intros J. apply (or_intror (A := y = x)) in J. change (In x (y :: s')) in J.
      apply is_held_in in J. congruence.
    + exact L.
    + apply incl_cons; [apply (parts_inside _ _ _ O); now left|]. intros z Z. apply I. now right.
  - apply subsets_reach with (x :: o); [exact M|exact O| |].
    + cbn [misses forallb]. unfold is_held at 1. cbn [existsb]. now rewrite PeanoNat.Nat.eqb_refl.
    + cbn [misses forallb]. rewrite X. exact H.
Qed.
(* Sets of at most m items are completed to m by the first of m items that nobody holds, K to K + m - 1. *)
Definition completed (K m : nat) (s : list nat) : list nat := s ++ seq K (m - length s).
Definition holdable (D K m x : nat) : Prop := In x (seq 0 D) /\ ~ In x (seq K m).
Theorem completed_is_set D K m s : (K + m <= D)%nat -> NoDup s -> Forall (holdable D K m) s -> (length s <= m)%nat ->
  set_of D m (completed K m s).
Proof.
  intros B N H L. assert (P : incl (seq K (m - length s)) (seq K m)) by (intros z; rewrite !in_seq; lia).
  repeat split; unfold completed.
  - generalize (seq_NoDup (m - length s) K). revert P. generalize (seq K (m - length s)). intros t P T. clear L.
    induction H as [|x s [_ X] H IH]; [exact T|]. inversion_clear N as [|? ? Y N']. cbn [app]. constructor; [|now apply IH].
    rewrite in_app_iff. intros [J|J]; [exact (Y J)|exact (X (P x J))].
  - rewrite app_length, seq_length. lia.
  - apply incl_app; [|intros z; rewrite !in_seq; lia]. rewrite Forall_forall in H. intros z Z. now apply H.
Qed.
(* c is reached from the empty set, by a set of one item. *)
Theorem smallest_for_completed_sets D K m k c miss : (K + m <= D)%nat -> (1 <= m)%nat -> (1 <= k <= D - m)%nat -> 0 < miss ->
  exists x, holdable D K m x
    /\ attained c (subset_law D k (c * miss) miss (completed K m [x])) (subset_law D k (c * miss) miss (completed K m [])).
Proof.
  intros B Hm L M. assert (S : set_of D m (completed K m [])).
  { apply completed_is_set; [exact B|constructor|constructor|cbn; lia]. }
  destruct (a_subset_that_misses D m k _ S L) as (x & o & O & H). exists x. pose proof H as X.
  cbn [misses forallb] in X. apply andb_prop in X as [X _]. apply negb_true_iff in X. split.
  - split; [apply (parts_inside _ _ _ O); now left|]. intros J. unfold completed in X. cbn [app length] in X. rewrite PeanoNat.Nat.sub_0_r in X.
    apply is_held_in in J. congruence.
  - apply subsets_reach with (x :: o); [exact M|exact O| |exact H].
    cbn [misses forallb completed app]. unfold is_held at 1. cbn [existsb]. now rewrite PeanoNat.Nat.eqb_refl.
Qed.

(* One of three items, the own one with probability 1 / 2, each other one with 1 / 4. *)
Example one_of_three : is_law (subset_law 3 1 (2 * (1 / 4)) (1 / 4) [0%nat]).
Proof. split; [repeat constructor; simpl; lra|simpl; lra]. Qed.
Example its_constant_is_2 : exists s, set_of 3 1 s
  /\ attained 2 (subset_law 3 1 (2 * (1 / 4)) (1 / 4) s) (subset_law 3 1 (2 * (1 / 4)) (1 / 4) [0%nat]).
Proof.
  apply smallest_for_sets; [lia|cbn; lia|lra|]. repeat split; [repeat constructor; intros []|].
  apply incl_cons; [cbn; tauto|apply incl_nil_l].
Qed.
(* With probability 1 / 2 for each of them it is no law. *)
Example no_law_of_three : ~ is_law (subset_law 3 1 (1 / 2) (1 / 2) [0%nat]).
Proof. intros [_ H]. simpl in H. lra. Qed.
