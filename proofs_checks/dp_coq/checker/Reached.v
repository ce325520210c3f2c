(* "The limit is the smallest" for reports of one drawn item; and the check of a ratio, or a smallest constant, of any of these laws. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Points checker.Steps checker.Powers checker.Sums checker.Quantifiers checker.Readings
  checker.Comparisons checker.Users checker.Bits checker.Places checker.Vectors checker.Factors checker.Ratios checker.Smallest checker.Drawn
  checker.DrawnBits checker.DrawnRows checker.Linear checker.Weights checker.Extremes checker.DrawnExtremes theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

Definition check_reached (t : law_sentence) (x : ratio_proof) : bool :=
  let d := sizes_of t in
  let p := bound_proof x in
  let q := about p in
  let alone := no_others d in
  inside_Q d (at_point x)
  && (if sentence_dec (what t) (ratio_text (rows_of t) q) then true else false)
  && readable d (rows_of t) p && smallest q && (negb (is_ldp (relation q)) || alone)
  && match term_of t with
     | Push Blanked (Drawn (Row r)) =>
         let own := sum_of shows_own (cells_of r Sen) in
         let other := sum_of shows_other (cells_of r Sen) in
         extreme d p own other true && of_labels r && plainly d (possible_labels r) && (alone || plainly d (other_labels r))
         && (negb (is_marginal (relation q)) || nonempty q || alone) && check_cases q (at_extreme p own other true) d (reach_cases x)
     | Push Blanked (Drawn (EachItems r)) =>
         extreme d p (high_bit r) (low_bit r) false && of_bits r && negb (nonempty q) && plainly d (nonnegative_weights r) && plainly d (positive_bits r)
         && (alone || (negb (is_marginal (relation q)) && plainly d (other_bits r) && plainly d (never_shown r)))
         && check_cases q (at_extreme p (high_bit r) (low_bit r) false) d (reach_cases x)
     | _ => false
     end.

(* Orders of items, as they are used below. *)
Lemma not_both (k n : nat) : (k < n)%nat -> (n <= k)%nat -> False. Proof. lia. Qed.
Lemma no_room (k n i : nat) : (k < n + i)%nat -> (n <= k)%nat -> i = 0%nat -> False. Proof. lia. Qed.
Lemma at_most_one (b : bool) : ((if b then 1 else 0) <= 1)%nat. Proof. destruct b; lia. Qed.
Lemma in_items k n : In k (seq 0 n) <-> (k < n)%nat. Proof. rewrite in_seq. lia. Qed.

Lemma filter_none {A} (f : A -> bool) l : (forall y, In y l -> f y = false) -> filter f l = [].
Proof.
  intros H. induction l as [|y l IH]; [reflexivity|]. cbn [filter]. rewrite (H y (or_introl eq_refl)). apply IH. intros k I. apply H. now right.
Qed.

Section Sound.
  Variables (d : domain) (T : positive) (p : derived) (x : ratio_proof) (w : positive -> R).
  Notation q := (about p).
  Notation c := (relation q).
  Notation K := (Z.to_nat (Int_part (w 1%positive))).
  Notation M := (Z.to_nat (Int_part (w 2%positive))).
  Notation m := (Z.to_nat (Int_part (w 3%positive))).
  Notation L := (value w (limit q)).
  Hypotheses (here : inside d w) (ready : readable d T p = true) (ldp : negb (is_ldp c) || no_others d = true).
  Lemma none_others : no_others d = true -> M = 0%nat.
  Proof. destruct (ready_sound d T p w here ready) as (_ & _ & M_is & _). exact (no_others_sound d w M here M_is). Qed.
  Lemma none_in_all : c = Ldp -> M = 0%nat.
  Proof. intros E. rewrite E in ldp. cbn [is_ldp negb orb] in ldp. exact (none_others ldp). Qed.
  Definition limit_is_smallest (t0 : term) : Prop :=
    let law := law over_R w (fun _ => []) K M (Push Blanked (Drawn t0)) in
    (forall s s' v, compared_pair w K M q s s' -> subject w K M m (Push Blanked (Drawn t0)) q s s' v -> chance c (law s) (key c v) <= L * chance c (law s') (key c v))
    /\ exists s s' v, compared_pair w K M q s s' /\ subject w K M m (Push Blanked (Drawn t0)) q s s' v /\ chance c (law s) (key c v) = L * chance c (law s') (key c v).

  (* Labels. *)
  Section Labels.
    Variable r : rows.
    Notation own := (sum_of shows_own (cells_of r Sen)).
    Notation other := (sum_of shows_other (cells_of r Sen)).
    Hypotheses (weights : extreme d p own other true = true) (labels : of_labels r = true) (possible : plainly d (possible_labels r) = true).
    Hypotheses (alike : no_others d || plainly d (other_labels r) = true) (count : negb (is_marginal c) || nonempty q || no_others d = true).
    Hypothesis cases_checked : check_cases q (at_extreme p own other true) d (reach_cases x) = true.
    Theorem labels_smallest : limit_is_smallest (Row r).
    Proof.
      destruct (ready_sound d T p w here ready) as (_ & K_is & M_is & _).
      assert (A : no_others d = true \/ Forall (true_at w) (other_labels r)).
      { apply orb_prop in alike as [A|A]; [now left|right; exact (plainly_sound d w here _ A)]. }
      pose proof (label_weighted w K M r q (no_others d) K_is labels none_others A) as W.
      assert (single : forall z l, In l (every (K + M)) -> (shown_of (fun y => (y =? z)%nat) l <= 1)%nat).
      { intros z l I. rewrite shown_of_one; [apply at_most_one|]. exact (sets_without_repetition K M l I). }
      split.
      - intros s s' v pair. apply (extreme_bounded d T p own other true w (Row r) here ready weights); [|exact none_in_all|exact pair].
        intros y z v' Y J N. destruct (outcome_label w K M r (no_others d) labels none_others y z v' J) as (k & -> & Z). destruct (Nat.ltb_spec k K) as [B|B].
        + left. exists 1, (fun y => (y =? k)%nat). split; [now apply W|]. intros l l' I I'. unfold most_lost, lost.
          apply Nat.le_trans with (shown_of (fun y => (y =? k)%nat) l); [|now apply single]. unfold shown_of. rewrite filter_and.
          apply (shown_of_fewer (fun y => negb (is_held y l') && (y =? k)%nat) (fun y => (y =? k)%nat)). intros a _ H. now apply andb_prop in H.
        + destruct Z as [Z| ->]; [destruct (not_both _ _ Z B)|]. destruct (nonempty q) eqn:Ne.
          { specialize (N eq_refl). rewrite (shows_none K M m r (no_others d) labels none_others y B) in N. discriminate. }
          right. assert (D : c <> Marginal).
          { intros E. rewrite E in count. cbn [is_marginal negb orb] in count. exact (no_room _ _ _ Y B (none_others count)). }
          split; [exact D|]. apply (label_one_item w K M r q (no_others d) K_is labels none_others y (plainly_sound d w here _ possible)); [exact (conj B Y)|exact D].
      - destruct (cases_sound q _ w K M K_is M_is (reach_cases x) d here cases_checked) as (v & n & are & Tr & P & F).
        destruct (witness_pair q w K M n Tr P) as (s & s' & pair & N). exists s, s'.
        destruct (extreme_numbers p own other true w s s' v n are N F) as [S H].
        destruct (number_some _ _ _ S) as (z & Iz & Pz). unfold place_of, lost_sen in Pz. injection Pz as Pz1 Pz2 Pz3. apply Nat.ltb_lt in Pz1.
        pose proof pair as (I & I' & _). apply filter_In in I as [I _]. apply filter_In in I' as [I' _].
        destruct (extreme_reached d T p own other true w (Row r) here ready weights s s' pair (label_report K z) 1 (fun y => (y =? z)%nat) (W z Pz1)) as (v' & Sub & Eq);
          [exact Rlt_0_1|rewrite shown_of_one; [now rewrite Pz3|exact (sets_without_repetition K M s' I')]|rewrite shown_of_one; [now rewrite Pz2|exact (sets_without_repetition K M s I)]|exact H| |].
        + intros v' Ky (z' & J). destruct (drawn_shape w K M _ s z' v' J) as (a & l & ->). unfold label_report, apply in Ky. split.
          * unfold counts_in. destruct c eqn:Ec; try reflexivity. apply same_beside in Ky; [|discriminate].
            pose proof (label_beside K z Pz1) as B. unfold label_report, apply, beside in B. rewrite flat_items in B. unfold beside. rewrite flat_items, Ky, B. reflexivity.
          * intros _. pose proof (label_shows K m z Pz1) as B. apply same_seen in Ky. unfold shows_item in *. cbn [seen]. rewrite Ky. exact B.
        + now exists v'.
    Qed.
  End Labels.

  (* Bits. *)
  Section Bits.
    Variable r : rows.
    Hypotheses (weights : extreme d p (high_bit r) (low_bit r) false = true) (bits : of_bits r = true) (count : nonempty q = false).
    Hypotheses (nonnegative : plainly d (nonnegative_weights r) = true) (positive : plainly d (positive_bits r) = true).
    Hypothesis others : no_others d || (negb (is_marginal c) && plainly d (other_bits r) && plainly d (never_shown r)) = true.
    Hypothesis cases_checked : check_cases q (at_extreme p (high_bit r) (low_bit r) false) d (reach_cases x) = true.
    Theorem bits_smallest : limit_is_smallest (EachItems r).
    Proof.
      destruct (ready_sound d T p w here ready) as (_ & K_is & M_is & _).
      assert (A : no_others d = true \/ (c <> Marginal /\ Forall (true_at w) (other_bits r))).
      { apply orb_prop in others as [A|A]; [now left|right]. apply andb_prop in A as [A _]. apply andb_prop in A as [A B].
        split; [intros E; rewrite E in A; discriminate|exact (plainly_sound d w here _ B)]. }
      assert (S : c <> Marginal -> M <> 0%nat -> Forall (true_at w) (never_shown r)).
      { intros _ N. apply orb_prop in others as [B|B]; [destruct (N (none_others B))|]. apply andb_prop in B as [_ B]. exact (plainly_sound d w here _ B). }
      pose proof (plainly_sound d w here _ nonnegative) as Nn. pose proof (plainly_sound d w here _ positive) as Ps.
      pose proof (bits_weighted w K M r q (no_others d) K_is bits none_others Nn Ps A) as W.
      set (xs := seq 0 (K + M)) in *. split.
      - intros s s' v pair. apply (extreme_bounded d T p (high_bit r) (low_bit r) false w (EachItems r) here ready weights); [|exact none_in_all|exact pair].
        intros y z v' Y J _. destruct (reports_of_bits w K M r bits [y] z v' J) as (bs & Lb & ->). fold xs in Lb |- *.
        destruct (existsb (fun z : nat * bool => snd z && (K <=? fst z)%nat) (combine xs bs)) eqn:E.
        + apply existsb_exists in E as ([k b] & Jk & E). cbn [fst snd] in E. apply andb_prop in E as [-> E]. apply Nat.leb_le in E.
          assert (Zk : (k < K + M)%nat) by (apply in_items; exact (in_combine_l _ _ _ _ Jk)). right.
          assert (D : c <> Marginal) by (destruct A as [A|[A _]]; [destruct (no_room _ _ _ Zk E (none_others A))|exact A]). split; [exact D|].
          exact (bits_one K M w r q K_is bits Nn S bs k Lb D (conj E Zk) Jk).
        + left. assert (B : forall k, In (k, true) (combine xs bs) -> (k < K)%nat).
          { intros k Jk. destruct (Nat.ltb_spec k K) as [G|G]; [exact G|]. assert (E' : existsb (fun z : nat * bool => snd z && (K <=? fst z)%nat) (combine xs bs) = true).
            { apply existsb_exists. exists (k, true). split; [exact Jk|]. cbn [fst snd andb]. now apply Nat.leb_le. }
            congruence. }
          pose proof (W bs Lb B) as Wb. eexists _, _. split; [exact Wb|]. intros l l' I I'. unfold most_lost. rewrite <- (lost_sensitive_count K M l l' I).
          apply shown_of_fewer. intros a _ H. destruct Wb as (_ & Q & _). apply Nat.ltb_lt. exact (Q a H).
      - destruct (cases_sound q _ w K M K_is M_is (reach_cases x) d here cases_checked) as (v & n & are & Tr & P & F).
        destruct (witness_pair q w K M n Tr P) as (s & s' & pair & N). exists s, s'.
        destruct (extreme_numbers p (high_bit r) (low_bit r) false w s s' v n are N F) as [S0 H].
        pose proof pair as (I & I' & _). apply filter_In in I as [I _]. apply filter_In in I' as [I' _].
        set (gone := fun y => same_place (place_of K s s' y) lost_sen). set (bs := map gone xs). assert (Lb : length bs = length xs) by apply map_length.
        assert (In_bs : forall y b, In (y, b) (combine xs bs) -> In y xs /\ b = gone y).
        { unfold bs. clear. induction xs as [|k l IH]; intros y b J; [destruct J|]. cbn [map combine] in J. destruct J as [J|J].
          - injection J as -> <-. split; [now left|reflexivity].
          - destruct (IH y b J) as [J1 J2]. split; [now right|exact J2]. }
        assert (G : forall y, gone y = true <-> (y < K)%nat /\ is_held y s = true /\ is_held y s' = false).
        { intros y. unfold gone. rewrite same_place_iff. unfold place_of, lost_sen. split.
          - intros E. injection E as E1 E2 E3. apply Nat.ltb_lt in E1. now repeat split.
          - intros (E1 & E2 & E3). apply Nat.ltb_lt in E1. now rewrite E1, E2, E3. }
        assert (B : forall y, In (y, true) (combine xs bs) -> (y < K)%nat) by (intros y J; destruct (In_bs y true J) as [_ J2]; symmetry in J2; now apply G in J2).
        assert (Sb : forall y, (y < K + M)%nat -> shows_bit K M bs y = gone y).
        { intros y Y. assert (Iy : In y xs) by (apply in_items; exact Y). destruct (bit_exists xs y bs Lb Iy) as (b & J).
          rewrite (shows_bit_is K M bs y b Lb J). now apply In_bs in J. }
        assert (items_of : forall l y, In l (every (K + M)) -> In y l -> (y < K + M)%nat) by (intros l y Il Iy; apply in_items; exact (in_every _ l Il y Iy)).
        destruct (extreme_reached d T p (high_bit r) (low_bit r) false w (EachItems r) here ready weights s s' pair (report_of K xs bs) _ _ (W bs Lb B)) as (v' & Sub & Eq).
        + now apply (base_positive w K M r q (no_others d) bits none_others Ps A).
        + unfold shown_of. apply length_zero_iff_nil. assert (Z : forall y, In y s' -> shows_bit K M bs y = false).
          { intros y Iy. rewrite (Sb y (items_of s' y I' Iy)). apply not_true_iff_false. rewrite G. intros (_ & _ & Q). apply is_held_iff in Iy. congruence. }
          exact (filter_none _ _ Z).
        + unfold shown_of, most_lost. rewrite <- (lost_sensitive_count K M s s' I). unfold lost. rewrite filter_and. f_equal. apply filter_ext_in. intros y Iy.
          rewrite (Sb y (items_of s y I Iy)). apply eq_true_iff_eq. rewrite G, andb_true_iff, negb_true_iff, Nat.ltb_lt. apply is_held_iff in Iy. tauto.
        + exact H.
        + intros v' Ky (z' & J). destruct (drawn_shape w K M _ s z' v' J) as (a & l & ->). split; [|congruence].
          unfold counts_in. destruct c eqn:Ec; try reflexivity. unfold report_of, apply in Ky. apply same_beside in Ky; [|discriminate].
          assert (Z : beside (report_of K xs bs) = []).
          { destruct (beside (report_of K xs bs)) as [|y l'] eqn:E; [reflexivity|]. assert (J' : In y (beside (report_of K xs bs))) by (rewrite E; now left).
            apply beside_report in J' as [J' J'']. destruct (not_both _ _ (B y J') J''). }
          unfold report_of, apply, beside in Z. rewrite flat_items in Z. unfold beside. rewrite flat_items, Ky, Z. reflexivity.
        + now exists v'.
    Qed.
  End Bits.
End Sound.
(* What is checked of the smallest constant of a drawn item holds. *)
Theorem check_reached_sound t x : check_reached t x = true -> law_sentence_holds t.
Proof.
  unfold check_reached. intros H. apply andb_prop in H as [H C]. apply andb_prop in H as [H ldp]. apply andb_prop in H as [H small]. apply andb_prop in H as [H ready].
  apply andb_prop in H as [I W]. destruct (sentence_dec _ _) as [text|]; [|discriminate]. set (p := bound_proof x) in *.
  apply (reading_holds t p); [exists (fun y => Q2R (point (at_point x) y)); now apply inside_Q_sound|exact text|exact ready|]. intros w here. cbv zeta.
  destruct (term_of t) as [| | | | | | | |fn u] eqn:term; try discriminate. destruct fn; try discriminate. destruct u as [| | |t0| | | | |]; try discriminate.
  destruct t0 as [r| |r| | | | | |]; try discriminate.
  - apply andb_prop in C as [C Cs]. apply andb_prop in C as [C Ct]. apply andb_prop in C as [C Al]. apply andb_prop in C as [C Po]. apply andb_prop in C as [Ex La].
    destruct (extreme_sound _ _ _ _ _ w here Ex) as (_ & _ & _ & _ & _ & _ & D & E & _).
    destruct (labels_smallest (sizes_of t) (rows_of t) p x w here ready ldp r Ex La Po Al Ct Cs) as [B R].
    split; [exact D|]. split; [exact E|]. split; [exact (drawn_shape w _ _ _)|]. split; [exact B|intros _; exact R].
  - apply andb_prop in C as [C Cs]. apply andb_prop in C as [C Ot]. apply andb_prop in C as [C Po]. apply andb_prop in C as [C Nn]. apply andb_prop in C as [C Ne]. apply andb_prop in C as [Ex bits].
    apply negb_true_iff in Ne. destruct (extreme_sound _ _ _ _ _ w here Ex) as (_ & _ & _ & _ & _ & _ & D & E & _).
    destruct (bits_smallest (sizes_of t) (rows_of t) p x w here ready ldp r Ex bits Ne Nn Po Ot Cs) as [B R].
    split; [exact D|]. split; [exact E|]. split; [exact (drawn_shape w _ _ _)|]. split; [exact B|intros _; exact R].
Qed.
(* A ratio, or a smallest constant. *)
Definition check_ratio (t : law_sentence) (x : ratio_proof) : bool :=
  if Smallest.check_ratio t x then true else if check_drawn t x then true else check_reached t x.
Theorem check_ratio_sound t x : check_ratio t x = true -> law_sentence_holds t.
Proof.
  unfold check_ratio. destruct (Smallest.check_ratio t x) eqn:E; [intros _; exact (Smallest.check_ratio_sound t x E)|].
  destruct (check_drawn t x) eqn:F; intros H; [exact (check_drawn_sound t x F)|exact (check_reached_sound t x H)].
Qed.
