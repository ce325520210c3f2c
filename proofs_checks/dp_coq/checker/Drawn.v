(* One of the held items is drawn: the chance of a report is the average of its chances for every held item, so that the largest quotient of
   these bounds it; a report that shows another item has a chance under that item only. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Quantifiers checker.Readings checker.Comparisons checker.Places theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

Definition total (g : nat -> R) (s : list nat) : R := fold_right (fun x t => g x + t) 0 s.
Definition average (g : nat -> R) (s : list nat) : R := total g s / INR (length s).
Lemma total_at_most g b s : (forall x, In x s -> g x <= b) -> total g s <= INR (length s) * b.
Proof.
  intros H. induction s as [|x s IH]; [cbn; lra|]. cbn [total fold_right length]. fold (total g s). rewrite S_INR.
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun y I => H y (or_intror I))). lra.
Qed.
Lemma total_at_least g b s : (forall x, In x s -> b <= g x) -> INR (length s) * b <= total g s.
Proof.
  intros H. induction s as [|x s IH]; [cbn; lra|]. cbn [total fold_right length]. fold (total g s). rewrite S_INR.
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun y I => H y (or_intror I))). lra.
Qed.
Lemma total_scaled g b s : total (fun x => b * g x) s = b * total g s.
Proof. induction s as [|x s IH]; [cbn; lra|]. cbn [total fold_right]. unfold total in IH. rewrite IH. lra. Qed.
(* If no value under the one list is larger than a multiple of one under the other, no average is. *)
Theorem average_bounded g b s s' : s <> [] -> s' <> [] -> (forall x y, In x s -> In y s' -> g x <= b * g y) -> average g s <= b * average g s'.
Proof.
  intros N N' H. assert (L : forall l : list nat, l <> [] -> 0 < INR (length l)).
  { intros [|x l] Q; [congruence|]. cbn [length]. apply lt_0_INR. lia. }
  pose proof (L s N) as P. pose proof (L s' N') as P'.
  assert (A : INR (length s') * total g s <= INR (length s) * (b * total g s')).
  { replace (INR (length s) * (b * total g s')) with (total (fun y => INR (length s) * (b * g y)) s')
      by (now rewrite (total_scaled (fun y => b * g y)), total_scaled).
    apply total_at_least with (g := fun y => INR (length s) * (b * g y)). intros y J. apply total_at_most. intros x I. now apply H. }
  unfold average. apply Rmult_le_reg_l with (1 := P'). apply Rmult_le_reg_l with (1 := P).
  replace (INR (length s) * (INR (length s') * (total g s / INR (length s)))) with (INR (length s') * total g s) by (field; lra).
  replace (INR (length s) * (INR (length s') * (b * (total g s' / INR (length s'))))) with (INR (length s) * (b * total g s')) by (field; lra).
  exact A.
Qed.
Lemma total_of_one g z s : NoDup s -> (forall x, In x s -> x <> z -> g x = 0) -> total g s = if is_held z s then g z else 0.
Proof.
  intros D H. induction D as [|x s N D IH]; [reflexivity|]. cbn [total fold_right is_held existsb]. fold (total g s). fold (is_held z s).
  rewrite IH by (intros y I; apply H; now right). destruct (Nat.eqb_spec z x) as [->|E]; cbn [orb].
  - destruct (is_held x s) eqn:I; [apply is_held_iff in I; contradiction|lra].
  - rewrite (H x (or_introl eq_refl)) by congruence. lra.
Qed.

Section Law.
  Variables (w : positive -> R) (K M m : nat) (t0 : term) (q : reading).
  Notation c := (relation q).
  Notation drawn := (law over_R w (fun _ => []) K M (Push Blanked (Drawn t0))).
  Notation law_of x := (law over_R w (fun _ => []) K M (Push Blanked t0) [x]).
  Definition item_chance (y : datum over_R) (x : nat) : R := chance c (law_of x) y.
  Theorem chance_drawn s y : chance c (drawn s) y = average (item_chance y) s.
  Proof.
    unfold chance at 1. cbn [law]. rewrite E_push, E_bind. unfold average.
    assert (G : forall a l, E (map (fun x => (a, x)) l) (fun x => E (law over_R w (fun _ => []) K M t0 [x]) (fun v => if equal over_R (key c (apply Blanked K v)) y then 1 else 0))
      = a * total (item_chance y) l).
    { intros a. induction l as [|x l IH]; [cbn; lra|]. cbn [map E total fold_right]. fold (total (item_chance y) l). rewrite IH.
      unfold item_chance at 2, chance. cbn [law]. rewrite E_push. lra. }
    rewrite G. unfold integer. cbn [div of_Q over_R]. rewrite !Q2R_integer, <- INR_IZR_INZ. unfold Rdiv. ring.
  Qed.
  Lemma outcome_drawn s p v : In (p, v) (drawn s) -> exists x, In x s /\ exists p', In (p', v) (law_of x).
  Proof.
    cbn [law]. unfold push, bind. intros I. apply in_map_iff in I as ([a v0] & E & I). cbn [fst snd] in E. injection E as _ <-.
    apply in_flat_map in I as ([b x] & J & I). apply in_map_iff in J as (x' & J & X). injection J as _ ->. exists x. split; [exact X|].
    unfold scale in I. apply in_map_iff in I as ([a' v1] & E & I). cbn [fst snd] in E, I. injection E as _ ->. exists a'.
    apply in_map_iff. exists (a', v0). now split.
  Qed.

  Variable L : R.
  (* Of a report: no item gives it a larger chance than a multiple of what another one gives; or it shows an item that is not sensitive, and only that one gives it. *)
  Definition bounded_items (v : val) : Prop := forall a b, (a < K + M)%nat -> (b < K + M)%nat -> item_chance (key c v) a <= L * item_chance (key c v) b.
  Definition of_one_item (v : val) : Prop :=
    exists z, (K <= z < K + M)%nat /\ In z (beside v) /\ 0 <= item_chance (key c v) z /\ forall a, (a < K + M)%nat -> a <> z -> item_chance (key c v) a = 0.
  Lemma sizes_of_set s : In s (compared_sets w K M q) -> In s (every (K + M)) /\ value w (least q) <= INR (length s) <= value w (most q).
  Proof.
    intros I. apply filter_In in I as [I S]. split; [exact I|]. unfold sized in S. cbn [at_most over_R] in S.
    destruct (Rle_dec (value w (least q)) (INR (length s))); [|discriminate]. destruct (Rle_dec (INR (length s)) (value w (most q))); [|discriminate]. lra.
  Qed.
  Lemma set_items s x : In s (every (K + M)) -> In x s -> (x < K + M)%nat.
  Proof. intros I J. apply in_every in I. apply I, in_seq in J. lia. Qed.
  Hypotheses (large : 1 <= L) (some : 1 <= value w (least q)).
  Theorem one_item_bounded s s' v : compared_pair w K M q s s' -> counts_in c s s' v = true -> c <> Marginal -> of_one_item v ->
    least q = most q -> (c = Ldp -> M = 0%nat) -> chance c (drawn s) (key c v) <= L * chance c (drawn s') (key c v).
  Proof.
    intros (I & I' & C) A notm (z & Kz & Bz & P & O) E El. destruct (sizes_of_set s I) as [S Z]. destruct (sizes_of_set s' I') as [S' Z'].
    rewrite !chance_drawn.
    assert (D : forall l, In l (every (K + M)) -> NoDup l).
    { intros l Il. rewrite <- (held_by_set _ _ Il). apply NoDup_filter, seq_NoDup. }
    assert (T : forall l, In l (every (K + M)) -> total (item_chance (key c v)) l = if is_held z l then item_chance (key c v) z else 0).
    { intros l Il. apply total_of_one; [now apply D|]. intros a Ia. apply O. now apply (set_items l). }
    unfold average. rewrite (T s S), (T s' S'). assert (Len : INR (length s) = INR (length s')) by (rewrite E in *; lra). rewrite <- Len.
    assert (Pos : 0 < INR (length s)) by lra.
    assert (Z0 : 0 <= item_chance (key c v) z / INR (length s)) by (unfold Rdiv; apply Rmult_le_pos; [exact P|left; now apply Rinv_0_lt_compat]).
    destruct (is_held z s) eqn:H.
    + assert (H' : is_held z s' = true); [|rewrite H'; nra].
      pose proof (compared_counts K M s s' S S' c C) as F. destruct (is_held z s') eqn:H'; [reflexivity|].
      assert (lost_one : number (place_of K s s') (seq 0 (K + M)) lost_non <> 0%nat).
      { unfold number. intros Q. apply length_zero_iff_nil in Q. assert (W : In z (filter (fun y => same_place (place_of K s s' y) lost_non) (seq 0 (K + M)))).
        { apply filter_In. split; [apply in_seq; lia|]. apply same_place_iff. unfold place_of, lost_non. rewrite H, H'. f_equal. apply Nat.ltb_ge. lia. }
        rewrite Q in W. exact W. }
      destruct c eqn:Ec; try lia.
      * specialize (El eq_refl). lia.
      * cbn [counts_in] in A. rewrite forallb_forall in A. specialize (A z Bz). rewrite H' in A. now rewrite andb_false_r in A.
      * congruence.
    + destruct (is_held z s'); unfold Rdiv in *; [nra|rewrite !Rmult_0_l; lra].
  Qed.
  Hypothesis items : forall x p v, (x < K + M)%nat -> In (p, v) (law_of x) -> (nonempty q = true -> shows_item m v = true) ->
    bounded_items v \/ (nonempty q = false /\ c <> Marginal /\ of_one_item v).
  Hypothesis alike_sizes : nonempty q = false -> c <> Marginal -> (least q = most q \/ M = 0%nat) /\ (c = Ldp -> M = 0%nat).
  Theorem drawn_bounded s s' v : compared_pair w K M q s s' -> subject w K M m (Push Blanked (Drawn t0)) q s s' v ->
    chance c (drawn s) (key c v) <= L * chance c (drawn s') (key c v).
  Proof.
    intros (I & I' & C) ((p & _ & J) & N & A). destruct (sizes_of_set s I) as [S Z]. destruct (sizes_of_set s' I') as [S' Z'].
    destruct (outcome_drawn s p v J) as (x & X & p' & X').
    destruct (items x p' v (set_items s x S X) X' N) as [B|[every_counts [notm O]]].
    - rewrite !chance_drawn. apply average_bounded.
      + intros ->. cbn in Z. lra.
      + intros ->. cbn in Z'. lra.
      + intros a b Ia Ib. apply B; [now apply (set_items s)|now apply (set_items s')].
    - destruct (alike_sizes every_counts notm) as [[E|E] El].
      + apply one_item_bounded; try assumption. now repeat split.
      + destruct O as (z & Kz & _). lia.
  Qed.
End Law.
