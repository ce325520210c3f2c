(* Bits of one drawn item: reports of sets of one item, whose quotients are those of one exchange. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Steps checker.Sums checker.Quantifiers checker.Readings checker.Comparisons checker.Users
  checker.Bits checker.Places checker.Vectors checker.Factors checker.Ratios checker.Drawn theorems.Expectations theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

(* Of a report of one item all counts, or what is seen of sensitive items; no bit of another item is 1 in what all items may show. *)
Definition wide (c : compared) : compared := match c with Marginal => Marginal | _ => Joint end.
Lemma key_wide c v : key (wide c) v = key c v. Proof. now destruct c. Qed.
Lemma chance_wide c law y : chance (wide c) law y = chance c law y. Proof. now destruct c. Qed.
Lemma single_set n x : (x < n)%nat -> In [x] (every n).
Proof.
  intros L. apply in_flat_map. exists 1%nat. split; [apply in_seq; lia|]. assert (I : In x (seq 0 n)) by (apply in_seq; lia).
  induction (seq 0 n) as [|y l IH]; [destruct I|]. cbn [parts]. apply in_or_app. destruct I as [->|I]; [left|right; now apply IH].
  apply in_map_iff. exists []. split; [reflexivity|]. destruct l; now left.
Qed.
(* Weights are >= 0, and no item is shown that is not held, but sensitive ones. *)
Definition nonnegative_weights (r : rows) : list Formulas.relation :=
  flat_map (fun k => [(Le, Cst 0, weight true (cells_of r k)); (Le, Cst 0, weight false (cells_of r k))]) [Sen1; Sen0; Non1; Non0].
Definition never_shown (r : rows) : list Formulas.relation := [(Eq, weight true (cells_of r Non0), Cst 0)].
(* The powers of one exchange. *)
Definition exchanges (l : rates) (alone : bool) : option (list nat) :=
  match ls l, gs l, ln l, gn l with
  | Some a, Some b, Some c, Some d => Some [(a + b)%nat; (a + d)%nat; (c + b)%nat; (c + d)%nat]
  | Some a, Some b, _, _ => if alone then Some [(a + b)%nat] else None
  | _, _, _, _ => None
  end.

(* What needs no factors of exchanges. *)
Section One.
  Variables (K M : nat) (w : positive -> R) (r : rows) (q : reading).
  Notation c := (relation q).
  Notation xs := (seq 0 (K + M)).
  Hypotheses (K_is : w 1%positive = INR K) (bits : of_bits r = true).
  Hypothesis weights_nonnegative : Forall (true_at w) (nonnegative_weights r).
  Hypothesis shown : c <> Marginal -> M <> 0%nat -> Forall (true_at w) (never_shown r).
  Lemma factor_nonnegative s x b : 0 <= factor (matters c K) (weights_of w K r s) x b.
  Proof.
    assert (W : forall k b, In k [Sen1; Sen0; Non1; Non0] -> 0 <= value w (weight b (cells_of r k))).
    { intros k b' I. rewrite Forall_forall in weights_nonnegative. specialize (weights_nonnegative (Le, Cst 0, weight b' (cells_of r k))).
      destruct weights_nonnegative as (_ & _ & G); [|cbn [related] in G; now rewrite value_Cst in G].
      apply in_flat_map. exists k. split; [exact I|]. destruct b'; cbn; tauto. }
    unfold factor, weights_of, weights. cbn [fst snd]. pose proof (W _ true (kind_is K x (is_held x s))). pose proof (W _ false (kind_is K x (is_held x s))).
    destruct (matters c K x), b; lra.
  Qed.
  Lemma factors_nonnegative s l : forall bs, 0 <= factors (matters c K) (weights_of w K r s) l bs.
  Proof.
    induction l as [|x l IH]; intros [|b bs]; cbn [factors]; try lra. apply Rmult_le_pos; [apply factor_nonnegative|apply IH].
  Qed.
  Lemma factors_none s l x b : forall bs, In (x, b) (combine l bs) -> factor (matters c K) (weights_of w K r s) x b = 0 ->
    factors (matters c K) (weights_of w K r s) l bs = 0.
  Proof.
    induction l as [|y l IH]; intros [|b' bs] I Z; cbn [combine] in I; try destruct I as [].
    - cbn [factors]. injection H as -> ->. rewrite Z. lra.
    - cbn [factors]. rewrite (IH bs H Z). lra.
  Qed.
  Lemma bits_chance bs a : length bs = length xs -> item_chance w K M (EachItems r) q (key c (report_of K xs bs)) a = factors (matters c K) (weights_of w K r [a]) xs bs.
  Proof. intros L. now apply chance_is_product. Qed.
  (* A report that shows an item which is not sensitive is possible if that one is drawn. *)
  Lemma bits_one bs z : length bs = length xs -> c <> Marginal -> (K <= z < K + M)%nat -> In (z, true) (combine xs bs) ->
    of_one_item w K M (EachItems r) q (report_of K xs bs).
  Proof.
    intros L D Z J. exists z. split; [exact Z|]. split; [|split].
    - apply beside_report. split; [exact J|lia].
    - rewrite bits_chance by exact L. apply factors_nonnegative.
    - intros a Ia E. rewrite bits_chance by exact L. apply (factors_none [a] xs z true bs J).
        assert (Mn : M <> 0%nat) by lia. pose proof (Forall_inv (shown D Mn)) as (_ & _ & G). cbn [related] in G. rewrite value_Cst in G.
        unfold factor, matters, weights_of, weights, bit_kind. assert (H : is_held z [a] = false).
        { cbn [is_held existsb]. destruct (Nat.eqb_spec z a); [congruence|reflexivity]. }
        rewrite H. assert (Kz : (z <? K)%nat = false) by (apply Nat.ltb_ge; lia). rewrite Kz. destruct c; try exact G. now destruct D.
  Qed.
End One.

Section Bits.
  Variables (w : positive -> R) (K M m : nat) (r : rows) (q : reading) (f : powers) (alone : bool) (n : nat) (sums : list nat).
  Notation c := (relation q).
  Notation xs := (seq 0 (K + M)).
  Hypotheses (K_is : w 1%positive = INR K) (bits : of_bits r = true) (Bs : Forall (true_at w) (basic f)) (none : alone = true -> M = 0%nat).
  Hypotheses (weights_nonnegative : Forall (true_at w) (nonnegative_weights r)) (bound : Forall (true_at w) (bounding (wide c) r f)).
  Hypotheses (shown : c <> Marginal -> M <> 0%nat -> Forall (true_at w) (never_shown r)).
  Hypothesis every_counts : nonempty q = false.
  Hypotheses (all : exchanges (rate_of f) alone = Some sums) (most : Forall (fun k => (k <= n)%nat) sums).
  Notation single x := (law over_R w (fun _ => []) K M (Push Blanked (EachItems r)) [x]).

  (* Two single items are an exchange. *)
  Lemma single_counts a b : (a < K + M)%nat -> (b < K + M)%nat -> a <> b ->
    let v := number_vector (place_of K [a] [b]) xs in
    (ls v + ln v = 1)%nat /\ (gs v + gn v = 1)%nat /\ (M = 0%nat -> ln v = 0%nat /\ gn v = 0%nat).
  Proof.
    intros A B N v. pose proof (size_count K M [a] [b] (single_set _ _ A)) as X. pose proof (size_count' K M [a] [b] (single_set _ _ B)) as Y.
    pose proof (other_count K M [a] [b]) as O. cbn [length] in X, Y.
    assert (Z : forall p, fst (snd p) = true -> snd (snd p) = true -> number (place_of K [a] [b]) xs p = 0%nat).
    { intros p P P'. apply number_none. intros x _ <-. unfold place_of in P, P'. cbn [fst snd] in P, P'. rewrite is_held_iff in P, P'.
      destruct P as [<-|[]], P' as [E|[]]. congruence. }
    rewrite (Z both_sen), (Z both_non) in X by reflexivity. rewrite (Z both_sen), (Z both_non) in Y by reflexivity.
    unfold v, number_vector. cbn [ls ln gs gn]. repeat split; lia.
  Qed.
  Lemma single_adds_up a b : (a < K + M)%nat -> (b < K + M)%nat -> a <> b ->
    let v := number_vector (place_of K [a] [b]) xs in adds_up (rate_of f) w (shift f) v /\ (total_rate (rate_of f) v <= n)%nat.
  Proof.
    intros A B N v. destruct (single_counts a b A B N) as (X & Y & Z). fold v in X, Y, Z. unfold exchanges in all. unfold adds_up, absent, total_rate.
    destruct (ls (rate_of f)) as [i|]; [|discriminate]. destruct (gs (rate_of f)) as [j|]; [|discriminate].
    destruct (ln (rate_of f)) as [k|], (gn (rate_of f)) as [l|];
      [injection all as <-|destruct alone eqn:E; [|discriminate]; injection all as <-; destruct (Z (none eq_refl)) as [Z1 Z2]..];
      rewrite ?Forall_cons_iff in most; cbn [rate]; (split; [repeat split; try (intros; discriminate); try (intros; lia); right; lia|]);
      destruct (ls v) as [|[|p]], (gs v) as [|[|p']]; try lia;
      repeat match goal with H : (_ + ?x = _)%nat |- _ => progress cbn [Nat.add] in H end; nia.
  Qed.
  Theorem bits_items x p v : 1 <= w (base f) -> (x < K + M)%nat -> In (p, v) (single x) ->
    bounded_items w K M (EachItems r) q (w (base f) ^ n) v \/ (nonempty q = false /\ c <> Marginal /\ of_one_item w K M (EachItems r) q v).
  Proof.
    intros one X I. destruct (reports_of_bits w K M r bits [x] p v I) as (bs & L & ->).
    assert (PR : forall a, item_chance w K M (EachItems r) q (key c (report_of K xs bs)) a = factors (matters c K) (weights_of w K r [a]) xs bs)
      by (intros a; now apply chance_is_product).
    assert (P : forall i, 1 <= w (base f) ^ i) by (intros i; now apply pow_R1_Rle).
    assert (A : (forall z b, In (z, b) (combine xs bs) -> c = Marginal \/ (z < K)%nat \/ b = false)
      \/ (c <> Marginal /\ exists z, (K <= z < K + M)%nat /\ In (z, true) (combine xs bs))).
    { destruct (existsb (fun z => snd z && (K <=? fst z)%nat) (combine xs bs)) eqn:S.
      - apply existsb_exists in S as ([z b] & J & S). cbn [fst snd] in S. apply andb_prop in S as [-> S]. apply Nat.leb_le in S.
        assert (Z : (z < K + M)%nat) by (apply in_combine_l, in_seq in J; lia).
        assert (D : c = Marginal \/ c <> Marginal) by (destruct c; (now left) || (right; discriminate)). destruct D as [D|D]; [left|right].
        + intros y b _. now left.
        + split; [exact D|]. now exists z.
      - left. intros z b J. right. destruct b; [|now right]. left. destruct (Nat.ltb_spec z K) as [G|G]; [exact G|].
        assert (S' : existsb (fun z => snd z && (K <=? fst z)%nat) (combine xs bs) = true).
        { apply existsb_exists. exists (z, true). split; [exact J|]. cbn [fst snd andb]. now apply Nat.leb_le. }
        congruence. }
    destruct A as [A|(D & z & Z & J)].
    - left. intros a b Ia Ib. rewrite !PR. pose proof (factors_nonnegative K w r q weights_nonnegative [b] xs bs) as N. destruct (Nat.eq_dec a b) as [->|E].
      + rewrite <- (Rmult_1_l (factors (matters c K) (weights_of w K r [b]) xs bs)) at 1. apply Rmult_le_compat_r; [exact N|apply P].
      + destruct (single_adds_up a b Ia Ib E) as [Ad T].
        assert (Q : factors (matters (wide c) K) (weights_of w K r [a]) xs bs
          <= multiple (fun x => multiple_at w f (place_of K [a] [b] x)) xs * factors (matters (wide c) K) (weights_of w K r [b]) xs bs).
        { apply (factors_at_most w K M r (wide c) f Bs [a] [b] bs bound L). intros y b' J. split.
          - apply (places_occur w K M f [a] [b] Ad). now apply in_combine_l in J.
          - destruct (A y b' J) as [G|[G| ->]]; [now rewrite G| |]; unfold admissible; destruct (wide c) eqn:Wc; try reflexivity; unfold place_of; cbn [fst snd].
            + apply Nat.ltb_lt in G. now rewrite G.
            + now rewrite orb_true_r. }
        rewrite (multiple_is_power w K M f Bs [a] [b] Ad) in Q.
        assert (same : matters (wide c) K = matters c K) by (now destruct c). rewrite same in Q.
        apply Rle_trans with (1 := Q). apply Rmult_le_compat_r; [exact N|]. now apply Rle_pow.
    - right. split; [exact every_counts|]. split; [exact D|]. now apply (bits_one K M w r q K_is bits weights_nonnegative shown bs z).
  Qed.
End Bits.
