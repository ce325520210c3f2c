(* The exchange vector: how many items, sensitive or not, are held by one of two sets, by the other, by both. *)
From Coq Require Import Reals List Lra Lia ZArith Bool ZifyBool.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws meaning.Sentences checker.Quantifiers checker.Readings checker.Comparisons theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

(* Whether an item is sensitive, whether the one set has it, whether the other one has. *)
Definition place : Type := bool * (bool * bool).
Definition places : list place :=
  [(true, (true, false)); (false, (true, false)); (true, (false, true)); (false, (false, true));
   (true, (true, true)); (false, (true, true)); (true, (false, false)); (false, (false, false))].
Definition same_place (p q : place) : bool := Bool.eqb (fst p) (fst q) && (Bool.eqb (fst (snd p)) (fst (snd q)) && Bool.eqb (snd (snd p)) (snd (snd q))).
Lemma same_place_iff p q : same_place p q = true <-> p = q.
Proof. destruct p as [[] [[] []]], q as [[] [[] []]]; cbn; split; congruence. Qed.
Lemma in_places p : In p places.
Proof. destruct p as [[] [[] []]]; cbn; tauto. Qed.

Section Counts.
  Variables (g : nat -> place) (xs : list nat).
  Definition number (p : place) : nat := length (filter (fun x => same_place (g x) p) xs).
  Lemma number_none p : (forall x, In x xs -> g x <> p) -> number p = 0%nat.
  Proof.
    unfold number. intros H. replace (filter _ xs) with (@nil nat); [reflexivity|]. symmetry.
    induction xs as [|x l IH]; [reflexivity|]. cbn [filter]. rewrite IH by (intros y I; apply H; now right).
    destruct (same_place (g x) p) eqn:S; [|reflexivity]. apply same_place_iff in S. destruct (H x (or_introl eq_refl) S).
  Qed.
End Counts.
(* What depends on places only is counted by them. *)
Lemma number_where g (h : place -> bool) xs :
  length (filter (fun x => h (g x)) xs) = list_sum (map (fun p => if h p then number g xs p else 0%nat) places).
Proof.
  unfold number. induction xs as [|x l IH]; cbn [filter].
  - cbn. now repeat (match goal with |- context [if ?b then 0%nat else 0%nat] => destruct b end).
  - assert (S : forall p, length (if same_place (g x) p then x :: filter (fun y => same_place (g y) p) l else filter (fun y => same_place (g y) p) l)
      = ((if same_place (g x) p then 1 else 0) + length (filter (fun y => same_place (g y) p) l))%nat) by (intros p; now destruct (same_place (g x) p)).
    transitivity ((if h (g x) then 1 else 0) + length (filter (fun y => h (g y)) l))%nat; [now destruct (h (g x))|]. rewrite IH.
    cbn [places map list_sum fold_right]. rewrite !S. destruct (g x) as [[] [[] []]]; cbn [same_place fst snd Bool.eqb andb];
      cbn [Nat.add]; match goal with |- context [if h ?p then 1%nat else _] => destruct (h p) end; lia.
Qed.
Definition powers_of (g : nat -> place) (xs : list nat) (m : place -> R) : R := fold_right (fun p t => m p ^ number g xs p * t) 1 places.
Lemma multiple_of_places g (m : place -> R) xs : multiple (fun x => m (g x)) xs = powers_of g xs m.
Proof.
  unfold powers_of, number. induction xs as [|x l IH]; [cbn; lra|]. cbn [multiple fold_right]. fold (multiple (fun x => m (g x)) l). rewrite IH.
  cbn [filter places fold_right].
  assert (S : forall p, m p ^ length (if same_place (g x) p then x :: filter (fun y => same_place (g y) p) l else filter (fun y => same_place (g y) p) l)
    = (if same_place (g x) p then m p else 1) * m p ^ length (filter (fun y => same_place (g y) p) l)).
  { intros p. destruct (same_place (g x) p); cbn [length pow]; lra. }
  rewrite !S. destruct (g x) as [[] [[] []]]; cbn [same_place fst snd Bool.eqb andb]; ring.
Qed.

Lemma filter_and {A} (p q : A -> bool) l : filter p (filter q l) = filter (fun x => q x && p x) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [filter]. destruct (q x); cbn [andb filter]; [|exact IH]. destruct (p x); now rewrite IH. Qed.
Lemma is_held_iff x s : is_held x s = true <-> In x s.
Proof. unfold is_held. rewrite existsb_exists. split; [intros (y & I & E); apply Nat.eqb_eq in E; now subst|intros I; exists x; split; [exact I|apply Nat.eqb_refl]]. Qed.
Lemma held_by_part xs : NoDup xs -> forall k s, In s (parts k xs) -> filter (fun x => is_held x s) xs = s.
Proof.
  intros D. induction D as [|x xs N D IH]; intros [|k] s; cbn [parts].
  - now intros [<-|[]].
  - intros [].
  - intros [<-|[]]. clear. cbn [filter is_held existsb]. induction xs as [|y l IH]; [reflexivity|]. exact IH.
  - intros I. apply in_app_or in I as [I|I].
    + apply in_map_iff in I as (s' & <- & I). cbn [filter]. assert (H : is_held x (x :: s') = true) by (apply is_held_iff; now left). rewrite H. f_equal.
      transitivity (filter (fun y => is_held y s') xs); [|exact (IH k s' I)]. apply filter_ext_in. intros y J. unfold is_held. cbn [existsb].
      destruct (Nat.eqb_spec y x) as [->|]; [now destruct N|reflexivity].
    + cbn [filter]. destruct (is_held x s) eqn:H; [|exact (IH (S k) s I)]. apply is_held_iff in H. apply in_parts in I as [I _]. now apply I in H.
Qed.
Lemma held_by_set n s : In s (every n) -> filter (fun x => is_held x s) (seq 0 n) = s.
Proof. intros I. apply in_flat_map in I as (k & _ & I). exact (held_by_part _ (seq_NoDup _ _) k s I). Qed.
Lemma filter_is_part {A} (p : A -> bool) l : In (filter p l) (parts (length (filter p l)) l).
Proof.
  induction l as [|x l IH]; [now left|]. cbn [filter]. destruct (p x); cbn [length parts].
  - apply in_or_app. left. now apply in_map.
  - destruct (length (filter p l)) eqn:L; [|apply in_or_app; right; exact IH]. left. symmetry. now apply length_zero_iff_nil.
Qed.
Lemma filter_is_set p n : In (filter p (seq 0 n)) (every n).
Proof.
  apply in_flat_map. exists (length (filter p (seq 0 n))). split; [|apply filter_is_part]. apply in_seq. split; [lia|].
  pose proof (seq_length n 0) as L. rewrite <- L at 2. cbn. apply Nat.lt_succ_r. clear. induction (seq 0 n) as [|x l IH]; [apply le_n|]. cbn [filter length].
  destruct (p x); cbn [length]; lia.
Qed.

Section Sets.
  Variables (K M : nat) (s s' : list nat).
  Notation xs := (seq 0 (K + M)).
  Definition place_of (x : nat) : place := ((x <? K)%nat, (is_held x s, is_held x s')).
  Notation num p := (number place_of xs p).
  Definition lost_sen : place := (true, (true, false)).
  Definition lost_non : place := (false, (true, false)).
  Definition gained_sen : place := (true, (false, true)).
  Definition gained_non : place := (false, (false, true)).
  Definition both_sen : place := (true, (true, true)).
  Definition both_non : place := (false, (true, true)).
  Definition no_sen : place := (true, (false, false)).
  Definition no_non : place := (false, (false, false)).
  Ltac counted := rewrite (number_where place_of); cbn [places map list_sum fold_right fst snd negb andb].
  Lemma sensitive_count : (num lost_sen + num gained_sen + num both_sen + num no_sen = K)%nat.
  Proof.
    transitivity (length (filter (fun x => fst (place_of x)) xs)); [counted; unfold lost_sen, gained_sen, both_sen, no_sen; lia|].
    unfold place_of. cbn [fst]. rewrite seq_app, filter_app, app_length.
    rewrite (filter_ext_in _ (fun _ => true)) by (intros x I; apply in_seq in I; lia). cbn [plus].
    rewrite (filter_ext_in _ (fun _ => false) (seq K M)) by (intros x I; apply in_seq in I; lia).
    assert (T : forall l : list nat, filter (fun _ => true) l = l) by (induction l; cbn; congruence).
    assert (F : forall l : list nat, filter (fun _ => false) l = []) by (induction l; cbn; congruence).
    rewrite T, F, seq_length. cbn. lia.
  Qed.
  Lemma other_count : (num lost_non + num gained_non + num both_non + num no_non = M)%nat.
  Proof.
    assert (A : (length (filter (fun x => (fun _ => true) (place_of x)) xs) = K + M)%nat).
    { replace (filter _ xs) with xs; [apply seq_length|]. induction xs as [|x l IH]; [reflexivity|]. cbn [filter]. f_equal. exact IH. }
    pose proof sensitive_count as S. rewrite (number_where place_of) in A. cbn [places map list_sum fold_right] in A.
    unfold lost_sen, gained_sen, both_sen, no_sen, lost_non, gained_non, both_non, no_non in *. lia.
  Qed.
  Hypotheses (set : In s (every (K + M))) (set' : In s' (every (K + M))).
  Lemma size_count : length s = (num lost_sen + num lost_non + num both_sen + num both_non)%nat.
  Proof.
    rewrite <- (held_by_set _ _ set) at 1. change (fun x => is_held x s) with (fun x => (fun p : place => fst (snd p)) (place_of x)).
    counted. unfold lost_sen, lost_non, both_sen, both_non. lia.
  Qed.
  Lemma size_count' : length s' = (num gained_sen + num gained_non + num both_sen + num both_non)%nat.
  Proof.
    rewrite <- (held_by_set _ _ set') at 1. change (fun x => is_held x s') with (fun x => (fun p : place => snd (snd p)) (place_of x)).
    counted. unfold gained_sen, gained_non, both_sen, both_non. lia.
  Qed.
  Lemma lost_count : length (lost s s') = (num lost_sen + num lost_non)%nat.
  Proof.
    unfold lost. rewrite <- (held_by_set _ _ set) at 1. rewrite filter_and.
    change (fun x => is_held x s && negb (is_held x s')) with (fun x => (fun p : place => fst (snd p) && negb (snd (snd p))) (place_of x)).
    counted. unfold lost_sen, lost_non. lia.
  Qed.
  Lemma lost_count' : length (lost s' s) = (num gained_sen + num gained_non)%nat.
  Proof.
    unfold lost. rewrite <- (held_by_set _ _ set') at 1. rewrite filter_and.
    change (fun x => is_held x s' && negb (is_held x s)) with (fun x => (fun p : place => snd (snd p) && negb (fst (snd p))) (place_of x)).
    counted. unfold gained_sen, gained_non. lia.
  Qed.
  Lemma lost_sensitive_count : length (filter (fun x => (x <? K)%nat) (lost s s')) = num lost_sen.
  Proof.
    unfold lost. rewrite <- (held_by_set _ _ set) at 1. rewrite !filter_and.
    change (fun x => is_held x s && (negb (is_held x s') && (x <? K)%nat)) with (fun x => (fun p : place => fst (snd p) && (negb (snd (snd p)) && fst p)) (place_of x)).
    counted. unfold lost_sen. lia.
  Qed.
  Lemma differ_iff : differ s s' = true <-> s <> s'.
  Proof.
    unfold differ. rewrite negb_true_iff. rewrite <- not_true_iff_false. now rewrite equal_sets.
  Qed.
  (* What a pair that is compared exchanges. *)
  Theorem compared_counts c : compares c K s s' = true ->
    match c with
    | Deniability => num lost_sen = 1%nat /\ num lost_non = 0%nat /\ (num gained_sen + num gained_non = 1)%nat
    | Samenon => num lost_non = 0%nat /\ num gained_non = 0%nat
    | _ => True
    end.
  Proof.
    destruct c; cbn [compares]; try exact (fun _ => I); intros H.
    - apply andb_prop in H as [H1 H]. apply andb_prop in H as [H2 H3]. apply Nat.eqb_eq in H1, H2.
      pose proof lost_sensitive_count as L. pose proof lost_count as C. rewrite <- lost_count', H2.
      destruct (lost s s') as [|x [|y l]]; try discriminate. cbn [hd filter length] in *.
      destruct (Nat.ltb_spec x K) as [X|X]; cbn [length] in L; [lia|]. apply negb_true_iff, Nat.leb_gt in H3. lia.
    - apply andb_prop in H as [_ H]. apply equal_sets in H.
      assert (S : forall x, (K <= x)%nat -> (is_held x s = true <-> is_held x s' = true)).
      { intros x L. rewrite !is_held_iff. assert (O : forall a, In x (others K a) <-> In x a).
        { intros a. unfold others. rewrite filter_In, Nat.leb_le. tauto. }
        now rewrite <- (O s), <- (O s'), H. }
      split; apply number_none; intros x _ G; unfold place_of in G; injection G as G1 G2 G3; apply Nat.ltb_ge in G1; specialize (S x G1);
        rewrite G2, G3 in S; destruct S as [S1 S2]; [specialize (S1 eq_refl)|specialize (S2 eq_refl)]; discriminate.
  Qed.
End Sets.

(* Sets with these numbers. *)
Section Witness.
  Variables (K M a b c d g h : nat).   (* lost, lost and not sensitive, gained, gained and not sensitive, in both, in both and not sensitive *)
  Hypotheses (room : (a + c + g <= K)%nat) (room' : (b + d + h <= M)%nat).
  Notation xs := (seq 0 (K + M)).
  Definition in_one (x : nat) : bool := ((x <? g + a)%nat || ((K <=? x)%nat && (x <? K + h + b)%nat)).
  Definition in_other (x : nat) : bool :=
    ((x <? g)%nat || ((g + a <=? x)%nat && (x <? g + a + c)%nat) || ((K <=? x)%nat && (x <? K + h)%nat)
     || ((K + h + b <=? x)%nat && (x <? K + h + b + d)%nat)).
  Definition one_set : list nat := filter in_one xs.
  Definition other_set : list nat := filter in_other xs.
  Lemma held_in (p : nat -> bool) x : In x xs -> is_held x (filter p xs) = p x.
  Proof. intros I. apply eq_true_iff_eq. rewrite is_held_iff, filter_In. tauto. Qed.
  Lemma count_between lo n : (lo + n <= K + M)%nat -> length (filter (fun x => (lo <=? x)%nat && (x <? lo + n)%nat) xs) = n.
  Proof.
    intros L. replace (K + M)%nat with (lo + (n + (K + M - lo - n)))%nat by lia. rewrite !seq_app, !filter_app, !app_length. cbn [plus].
    assert (T : forall l : list nat, filter (fun _ => true) l = l) by (induction l; cbn; congruence).
    assert (F : forall l : list nat, filter (fun _ => false) l = []) by (induction l; cbn; congruence).
    rewrite (filter_ext_in _ (fun _ => false) (seq 0 lo)) by (intros x I; apply in_seq in I; lia).
    rewrite (filter_ext_in _ (fun _ => true) (seq lo n)) by (intros x I; apply in_seq in I; lia).
    rewrite (filter_ext_in _ (fun _ => false) (seq (lo + n) _)) by (intros x I; apply in_seq in I; lia).
    rewrite !F, T, seq_length. cbn. lia.
  Qed.
  Notation at_ := (place_of K one_set other_set).
  Lemma place_in x : In x xs -> at_ x = ((x <? K)%nat, (in_one x, in_other x)).
  Proof. intros I. unfold place_of, one_set, other_set. now rewrite !held_in. Qed.
  Lemma number_is p lo n : (lo + n <= K + M)%nat ->
    (forall x, (x < K + M)%nat -> same_place ((x <? K)%nat, (in_one x, in_other x)) p = ((lo <=? x)%nat && (x <? lo + n)%nat)) -> number at_ xs p = n.
  Proof.
    intros L H. unfold number. etransitivity; [|exact (count_between lo n L)]. f_equal. apply filter_ext_in. intros x I. rewrite place_in by exact I.
    apply H. apply in_seq in I. lia.
  Qed.
  Theorem witness_counts :
    number at_ xs lost_sen = a /\ number at_ xs lost_non = b /\ number at_ xs gained_sen = c /\ number at_ xs gained_non = d
    /\ number at_ xs both_sen = g /\ number at_ xs both_non = h.
  Proof.
    repeat split; [apply number_is with g|apply number_is with (K + h)%nat|apply number_is with (g + a)%nat|apply number_is with (K + h + b)%nat
      |apply number_is with 0%nat|apply number_is with K]; try lia;
      intros x I; unfold same_place, in_one, in_other, lost_sen, lost_non, gained_sen, gained_non, both_sen, both_non; cbn [fst snd]; lia.
  Qed.
  Lemma sets_are_sets : In one_set (every (K + M)) /\ In other_set (every (K + M)).
  Proof. split; apply filter_is_set. Qed.
  (* They are compared where they exchange what such a pair does. *)
  Theorem witness_compared r : (0 < a + b + c + d)%nat ->
    match r with
    | Deniability => a = 1%nat /\ b = 0%nat /\ (c + d = 1)%nat
    | Samenon => b = 0%nat /\ d = 0%nat
    | _ => True
    end -> compares r K one_set other_set = true.
  Proof.
    intros P H. destruct sets_are_sets as [S S']. destruct witness_counts as (A & B & C & D & _).
    assert (N : differ one_set other_set = true).
    { apply differ_iff. intros E. assert (Z : forall p : place, fst (snd p) <> snd (snd p) -> number at_ xs p = 0%nat).
      { intros p Q. apply number_none. intros x _ <-. apply Q. unfold place_of. cbn [fst snd]. now rewrite E. }
      rewrite (Z lost_sen) in A by discriminate. rewrite (Z lost_non) in B by discriminate. rewrite (Z gained_sen) in C by discriminate.
      rewrite (Z gained_non) in D by discriminate. lia. }
    destruct r; cbn [compares]; try exact N.
    - destruct H as (Ha & Hb & Hc). pose proof (lost_count K M _ other_set S) as L. pose proof (lost_count' K M one_set _ S') as L'.
      pose proof (lost_sensitive_count K M _ other_set S) as Q. rewrite A in Q. rewrite A, B in L. rewrite C, D in L'.
      destruct (lost one_set other_set) as [|x [|y l]]; cbn [length] in L; try lia. cbn [length hd]. rewrite L', Hc. cbn [Nat.eqb andb].
      cbn [filter] in Q. destruct (Nat.ltb_spec x K) as [X|X]; cbn [length] in Q; [|lia]. apply negb_true_iff, Nat.leb_gt. exact X.
    - rewrite N. cbn [andb]. apply equal_sets. unfold others, one_set, other_set. rewrite !filter_and. apply filter_ext_in. intros x _.
      unfold in_one, in_other. destruct H as [-> ->]. lia.
  Qed.
End Witness.
