(* The smallest constant of the label, or of the bits, of one drawn item. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Quantifiers checker.Readings checker.Comparisons checker.Users checker.Bits checker.Places
  checker.Vectors checker.Drawn checker.DrawnBits checker.DrawnRows checker.Weights theorems.Expectations theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

Lemma shown_of_one z s : NoDup s -> shown_of (fun x => (x =? z)%nat) s = if is_held z s then 1%nat else 0%nat.
Proof.
  intros D. unfold shown_of. induction D as [|x s N D IH]; [reflexivity|]. cbn [filter is_held existsb]. fold (is_held z s). rewrite (Nat.eqb_sym z x).
  destruct (Nat.eqb_spec x z) as [->|E]; cbn [orb length]; rewrite IH; [|reflexivity].
  destruct (is_held z s) eqn:H; [apply is_held_iff in H; contradiction|reflexivity].
Qed.
Lemma shown_of_fewer Y Z s : (forall x, In x s -> Y x = true -> Z x = true) -> (shown_of Y s <= shown_of Z s)%nat.
Proof.
  unfold shown_of. induction s as [|x s IH]; intros H; [apply le_n|]. cbn [filter]. specialize (IH (fun y I => H y (or_intror I))).
  destruct (Y x) eqn:E; [rewrite (H x (or_introl eq_refl) E); cbn [length]; lia|]. destruct (Z x); cbn [length]; lia.
Qed.
Lemma number_some g xs p : number g xs p <> 0%nat -> exists x, In x xs /\ g x = p.
Proof.
  unfold number. intros N. destruct (filter (fun x => same_place (g x) p) xs) as [|x l] eqn:F; [now destruct N|].
  assert (I : In x (filter (fun x => same_place (g x) p) xs)) by (rewrite F; now left). apply filter_In in I as [I S]. exists x. split; [exact I|]. now apply same_place_iff.
Qed.

Lemma bits_differ (x : nat) l : NoDup l -> forall bs : list bool, In (x, true) (combine l bs) -> In (x, false) (combine l bs) -> False.
Proof.
  intros D. induction D as [|y l N D IH]; intros [|b bs]; cbn [combine]; try (intros []; fail). intros [I|I] [J|J].
  - congruence.
  - injection I as -> _. apply N. now apply in_combine_l in J.
  - injection J as -> _. apply N. now apply in_combine_l in I.
  - exact (IH bs I J).
Qed.

(* Labels: the item is shown, or not. *)
Definition other_labels (r : rows) : list Formulas.relation := [(Eq, sum_of shows_other (cells_of r Non), sum_of shows_other (cells_of r Sen))].
Section Labels.
  Variables (w : positive -> R) (K M m : nat) (r : rows) (q : reading) (alone : bool).
  Notation c := (relation q).
  Hypotheses (K_is : w 1%positive = INR K) (labels : of_labels r = true) (none : alone = true -> M = 0%nat).
  Hypothesis alike : alone = true \/ Forall (true_at w) (other_labels r).
  Notation a := (value w (sum_of shows_own (cells_of r Sen))).
  Notation b := (value w (sum_of shows_other (cells_of r Sen))).
  Lemma label_weighted z : (z < K)%nat -> weighted w K M (Row r) q a b (label_report K z) 1 (fun x => (x =? z)%nat).
  Proof.
    intros L. split; [lra|]. split; [intros x E; apply Nat.eqb_eq in E; now subst|]. intros x X.
    rewrite (item_label w K M r q alone K_is labels none x z (or_introl L)), (label_hits K r labels x z L). unfold label_sum.
    destruct (x =? z)%nat; [lra|]. destruct (Nat.ltb_spec x K) as [Lx|Lx]; [lra|]. destruct alike as [A|A]; [specialize (none A); lia|].
    apply Forall_inv in A as (_ & _ & A). cbn [related] in A. rewrite A. lra.
  Qed.
  Lemma label_shows z : (z < K)%nat -> shows_item m (label_report K z) = true.
  Proof.
    intros L. unfold shows_item, label_report, apply. cbn [seen blank]. apply Nat.ltb_lt in L. rewrite L. apply negb_true_iff, not_true_iff_false.
    intros E. apply existsb_exists in E as (d & I & E). apply equal_iff in E. unfold blanks in I. apply in_flat_map in I as (k & _ & I).
    apply in_map_iff in I as (l & <- & _). cbn [shown] in E. rewrite count_is in E. discriminate.
  Qed.
  Lemma label_beside z : (z < K)%nat -> beside (label_report K z) = [].
  Proof.
    intros L. unfold label_report, apply, beside. rewrite flat_items. cbn [flat filter]. replace (K <=? z)%nat with false; [reflexivity|].
    symmetry. apply Nat.leb_gt. exact L.
  Qed.
End Labels.

(* Bits: quotients of the chances of a bit of the drawn item and of one that is not drawn. *)
Definition high_bit (r : rows) : expr := Div (weight true (cells_of r Sen1)) (weight true (cells_of r Sen0)).
Definition low_bit (r : rows) : expr := Div (weight false (cells_of r Sen1)) (weight false (cells_of r Sen0)).
Definition positive_bits (r : rows) : list Formulas.relation := [(Lt, Cst 0, weight true (cells_of r Sen0)); (Lt, Cst 0, weight false (cells_of r Sen0))].
Definition other_bits (r : rows) : list Formulas.relation :=
  [(Lt, Cst 0, weight false (cells_of r Non0)); (Eq, Div (weight false (cells_of r Non1)) (weight false (cells_of r Non0)), low_bit r)].
Section Bits.
  Variables (w : positive -> R) (K M : nat) (r : rows) (q : reading) (alone : bool).
  Notation c := (relation q).
  Notation xs := (seq 0 (K + M)).
  Hypotheses (K_is : w 1%positive = INR K) (bits : of_bits r = true) (none : alone = true -> M = 0%nat).
  Hypotheses (weights_nonnegative : Forall (true_at w) (nonnegative_weights r)) (positive : Forall (true_at w) (positive_bits r)).
  Hypothesis others : alone = true \/ (c <> Marginal /\ Forall (true_at w) (other_bits r)).
  Lemma all_matter x : (x < K + M)%nat -> matters c K x = true.
  Proof.
    intros L. unfold matters. destruct c eqn:E; try reflexivity. destruct others as [A|[A _]]; [|congruence]. specialize (none A). apply Nat.ltb_lt. lia.
  Qed.
  (* The factor of a bit of an item that is not drawn. *)
  Lemma base_factor x b' : (x < K + M)%nat -> (b' = true -> (x < K)%nat) ->
    0 < factor (matters c K) (weights_of w K r []) x b'
    /\ factor (matters c K) (weights_of w K r [x]) x b' = factor (matters c K) (weights_of w K r []) x b' * value w (if b' then high_bit r else low_bit r).
  Proof.
    intros X B. pose proof (Forall_inv positive) as (_ & _ & P1). pose proof (Forall_inv (Forall_inv_tail positive)) as (_ & _ & P2).
    cbn [related] in P1, P2. rewrite value_Cst in P1, P2. assert (V : forall x y, value w (Div x y) = value w x / value w y) by reflexivity.
    unfold factor. rewrite all_matter by exact X. unfold weights_of, weights, bit_kind. cbn [is_held existsb fst snd]. rewrite Nat.eqb_refl. cbn [orb].
    destruct (Nat.ltb_spec x K) as [L|L].
    - destruct b'; (split; [assumption|]); unfold high_bit, low_bit; rewrite V; field; lra.
    - destruct b'; [specialize (B eq_refl); lia|]. destruct others as [A|[_ A]]; [specialize (none A); lia|].
      pose proof (Forall_inv A) as (_ & _ & P3). pose proof (Forall_inv (Forall_inv_tail A)) as (_ & _ & P4). cbn [related] in P3, P4.
      rewrite value_Cst in P3. split; [exact P3|]. rewrite <- P4, V. field. lra.
  Qed.
  Lemma factors_absent x l : ~ In x l -> forall bs, factors (matters c K) (weights_of w K r [x]) l bs = factors (matters c K) (weights_of w K r []) l bs.
  Proof.
    induction l as [|y l IH]; intros N [|b' bs]; try reflexivity. cbn [factors]. rewrite IH by (intros I; apply N; now right). f_equal.
    unfold factor, weights_of. cbn [is_held existsb]. destruct (Nat.eqb_spec y x) as [->|]; [destruct N; now left|reflexivity].
  Qed.
  Lemma factors_single x b' l : NoDup l -> (x < K + M)%nat -> (b' = true -> (x < K)%nat) -> forall bs, In (x, b') (combine l bs) ->
    factors (matters c K) (weights_of w K r [x]) l bs = factors (matters c K) (weights_of w K r []) l bs * value w (if b' then high_bit r else low_bit r).
  Proof.
    intros D X B. induction D as [|y l N D IH]; intros [|a bs]; cbn [combine]; try (intros []; fail). intros I. cbn [factors].
    destruct I as [I|I].
    - injection I as -> ->. rewrite (factors_absent x l N bs), (proj2 (base_factor x b' X B)). ring.
    - rewrite (IH bs I). assert (E : factor (matters c K) (weights_of w K r [x]) y a = factor (matters c K) (weights_of w K r []) y a); [|rewrite E; ring].
      unfold factor, weights_of. cbn [is_held existsb]. destruct (Nat.eqb_spec y x) as [->|]; [|reflexivity]. destruct N. now apply in_combine_l in I.
  Qed.
  Definition shows_bit (bs : list bool) (x : nat) : bool := existsb (fun z : nat * bool => snd z && (fst z =? x)%nat) (combine xs bs).
  Lemma bit_exists (l : list nat) (x : nat) : forall bs : list bool, length bs = length l -> In x l -> exists b', In (x, b') (combine l bs).
  Proof.
    induction l as [|y l IH]; intros [|b' bs] L I; try discriminate; [destruct I|]. cbn [combine]. destruct I as [->|I]; [exists b'; now left|].
    injection L as L. destruct (IH bs L I) as (a & J). exists a. now right.
  Qed.
  Lemma shows_bit_is bs x b' : length bs = length xs -> In (x, b') (combine xs bs) -> shows_bit bs x = b'.
  Proof.
    intros L I. unfold shows_bit. destruct b'; [apply existsb_exists; exists (x, true); split; [exact I|cbn; apply Nat.eqb_refl]|].
    apply not_true_iff_false. intros S. apply existsb_exists in S as ([y b'] & J & S). cbn [fst snd] in S. apply andb_prop in S as [-> S]. apply Nat.eqb_eq in S as ->.
    exact (bits_differ x xs (seq_NoDup _ _) bs J I).
  Qed.
  (* Where no other item is shown, the chances of a report are one number for items that it shows, one for others. *)
  Lemma bits_weighted bs : length bs = length xs -> (forall x, In (x, true) (combine xs bs) -> (x < K)%nat) ->
    weighted w K M (EachItems r) q (value w (high_bit r)) (value w (low_bit r)) (report_of K xs bs) (factors (matters c K) (weights_of w K r []) xs bs) (shows_bit bs).
  Proof.
    intros L B. split; [now apply factors_nonnegative|]. split.
    - intros x S. apply existsb_exists in S as ([y b'] & J & S). cbn [fst snd] in S. apply andb_prop in S as [-> S]. apply Nat.eqb_eq in S as ->. exact (B x J).
    - intros x X. rewrite (bits_chance K M w r q K_is bits bs x L). assert (I : In x xs) by (apply in_seq; lia).
      destruct (bit_exists xs x bs L I) as (b' & J). rewrite (shows_bit_is bs x b' L J).
      rewrite (factors_single x b' xs (seq_NoDup _ _) X); [destruct b'; reflexivity| |exact J]. intros ->. exact (B x J).
  Qed.
  Lemma base_positive bs : length bs = length xs -> (forall x, In (x, true) (combine xs bs) -> (x < K)%nat) ->
    0 < factors (matters c K) (weights_of w K r []) xs bs.
  Proof.
    intros L. assert (S : forall x, In x xs -> (x < K + M)%nat) by (intros x I; apply in_seq in I; lia). revert bs L S.
    induction xs as [|x l IH]; intros [|b' bs] L S B; try discriminate; cbn [factors]; [lra|]. injection L as L. apply Rmult_lt_0_compat.
    - apply base_factor; [apply S; now left|]. intros ->. apply B. now left.
    - apply IH; [exact L|intros y I; apply S; now right|intros y I; apply B; now right].
  Qed.
End Bits.
