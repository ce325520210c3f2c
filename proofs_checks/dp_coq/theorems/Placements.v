(* Reports of items, each the item itself more often than another label by a factor x, shuffled: what their law is compared
   with the one where no item is, x = 1. *)
From Coq Require Import Reals List Lra Lia Permutation.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles.
Import ListNotations.
Open Scope R_scope.

(* Every item of a list, with the weight 1. *)
Definition every (l : list nat) : dist R nat := map (fun y => (1, y)) l.
(* All labels with weight c, and the item itself with (x - 1) c more. *)
Definition biased (labels : list nat) (c x : R) (a : nat) : dist R nat := map (fun y => (c, y)) labels ++ [((x - 1) * c, a)].
(* The sum of f over all multisets of n labels, as often as they are drawn. *)
Definition blind (labels : list nat) (n : nat) (f : list nat -> R) : R := E (shuffled (repeat (every labels) n)) f.
(* The sum of these over all parts of i items of s, which are placed; beside them are n labels. *)
Fixpoint placed (labels : list nat) (i : nat) (s : list nat) (n : nat) (f : list nat -> R) : R :=
  match s, i with
  | _, O => blind labels n f
  | [], S _ => 0
  | a :: s, S j => placed labels j s n (fun l => f (insert a l)) + placed labels i s n f
  end.
(* ... over all sequences of i items of s. *)
Fixpoint arranged (labels : list nat) (i : nat) (s : list nat) (n : nat) (f : list nat -> R) : R :=
  match i with
  | O => blind labels n f
  | S j => E (every s) (fun a => arranged labels j s n (fun l => f (insert a l)))
  end.
(* 1 + (x - 1) + ... + (x - 1)^A / A!. *)
Definition truncated (x : R) (A : nat) : R := sum_f_R0 (fun i => (x - 1) ^ i / INR (fact i)) A.

Section Placements.
  Variables (labels : list nat) (c x : R).
  Notation "f ^^ a" := (fun l => f (insert a l)) (at level 30).
  Notation law_of s := (shuffled (map (biased labels c x) s)).

  Lemma E_every_cons a l f : E (every (a :: l)) f = f a + E (every l) f.
  Proof. simpl. lra. Qed.
  Lemma every_nonnegative l : nonnegative (every l).
  Proof. unfold nonnegative, every. rewrite Forall_map. apply Forall_forall. intros; simpl; lra. Qed.
  Lemma E_biased a f : E (biased labels c x a) f = c * (E (every labels) f + (x - 1) * f a).
  Proof.
    unfold biased, every. rewrite E_app. replace (E (map (fun y => (c, y)) labels) f) with (c * E (map (fun y => (1, y)) labels) f).
    - simpl. lra.
    - induction labels as [|y l IH]; simpl; [lra|]. rewrite <- IH. lra.
  Qed.
  Lemma blind_next n f : blind labels (S n) f = E (every labels) (fun y => blind labels n (f ^^ y)).
  Proof. unfold blind. cbn [repeat]. now rewrite E_shuffled. Qed.
  Lemma blind_ext n f g : (forall l, f l = g l) -> blind labels n f = blind labels n g.
  Proof. apply E_ext. Qed.
  Lemma blind_nonnegative n f : (forall l, 0 <= f l) -> 0 <= blind labels n f.
  Proof.
    revert f. induction n as [|n IH]; intros f P; [unfold blind; rewrite E_shuffled_none; auto|].
    rewrite blind_next. apply E_nonneg; [apply every_nonnegative|]. intros y. apply IH. intros l. apply P.
  Qed.
  Lemma placed_none s n f : placed labels 0 s n f = blind labels n f.
  Proof. now destruct s. Qed.
  Lemma placed_ext s : forall i n f g, (forall l, f l = g l) -> placed labels i s n f = placed labels i s n g.
  Proof.
    induction s as [|a s IH]; intros [|i] n f g H; cbn [placed]; try (now apply blind_ext); [reflexivity|].
    f_equal; apply IH; intros; apply H.
  Qed.
  Lemma arranged_ext s : forall i n f g, (forall l, f l = g l) -> arranged labels i s n f = arranged labels i s n g.
  Proof.
    induction i as [|i IH]; intros n f g H; cbn [arranged]; [now apply blind_ext|].
    apply E_ext. intros a. apply IH. intros; apply H.
  Qed.
  Lemma arranged_nonnegative s : forall i n f, (forall l, 0 <= f l) -> 0 <= arranged labels i s n f.
  Proof.
    induction i as [|i IH]; intros n f P; cbn [arranged]; [now apply blind_nonnegative|].
    apply E_nonneg; [apply every_nonnegative|]. intros a. apply IH. intros; apply P.
  Qed.
  Lemma arranged_zero s : forall i n f, (forall l, f l = 0) -> arranged labels i s n f = 0.
  Proof.
    induction i as [|i IH]; intros n f Z; cbn [arranged].
    - unfold blind. rewrite (E_ext _ f (fun _ => 0)) by exact Z. apply E_zero.
    - rewrite (E_ext _ _ (fun _ => 0)); [apply E_zero|]. intros a. apply IH. intros; apply Z.
  Qed.
  Lemma placed_too_many s : forall i n f, (length s < i)%nat -> placed labels i s n f = 0.
  Proof.
    induction s as [|a s IH]; intros [|i] n f L; cbn [length] in L; try lia; cbn [placed]; [reflexivity|].
    rewrite !IH by lia. lra.
  Qed.
  (* One label more, drawn first. *)
  Lemma placed_beside_one_more s : forall i n f, E (every labels) (fun y => placed labels i s n (f ^^ y)) = placed labels i s (S n) f.
  Proof.
    induction s as [|a s IH]; intros [|i] n f; cbn [placed]; try (symmetry; apply blind_next); [apply E_zero|].
    rewrite E_plus, <- !IH. f_equal. apply E_ext. intros y. apply placed_ext. intros l. now rewrite insert_comm.
  Qed.
  (* The law is a sum over all parts of s: of these items, which are reported as themselves, and of labels beside them. *)
  Theorem reports_by_placements s : forall f,
    E (law_of s) f = c ^ length s * sum_f_R0 (fun i => (x - 1) ^ i * placed labels i s (length s - i) f) (length s).
  Proof.
    induction s as [|a s IH]; intros f; cbn [map length].
    - unfold sum_f_R0, placed, blind. simpl. lra.
    - rewrite E_shuffled, E_biased.
      rewrite (E_ext (every labels) _ (fun y => c ^ length s * sum_f_R0 (fun i => (x - 1) ^ i * placed labels i s (length s - i) (f ^^ y)) (length s)))
        by (intros y; apply IH).
      rewrite E_scal, IH. set (n := length s).
      assert (D : E (every labels) (fun y => sum_f_R0 (fun i => (x - 1) ^ i * placed labels i s (n - i) (f ^^ y)) n)
        = sum_f_R0 (fun i => (x - 1) ^ i * placed labels i s (S n - i) f) n).
      { assert (G : forall k, (k <= n)%nat -> E (every labels) (fun y => sum_f_R0 (fun i => (x - 1) ^ i * placed labels i s (n - i) (f ^^ y)) k)
          = sum_f_R0 (fun i => (x - 1) ^ i * placed labels i s (S n - i) f) k); [|now apply G].
        induction k as [|k IHk]; intros L; cbn [sum_f_R0].
        - now rewrite E_scal, placed_beside_one_more, !PeanoNat.Nat.sub_0_r.
        - rewrite E_plus, IHk, E_scal, placed_beside_one_more by lia. now replace (S (n - S k)) with (S n - S k)%nat by lia. }
      rewrite D. rewrite (decomp_sum (fun i => (x - 1) ^ i * placed labels i (a :: s) (S n - i) f) (S n)) by lia. cbn [pred].
      rewrite (sum_eq (fun i => (x - 1) ^ S i * placed labels (S i) (a :: s) (S n - S i) f)
        (fun i => (x - 1) ^ i * placed labels i s (n - i) (f ^^ a) * (x - 1) + (x - 1) ^ S i * placed labels (S i) s (n - i) f)).
      2:{ intros i _. cbn [placed]. change (S n - S i)%nat with (n - i)%nat. cbn [pow]. ring. }
      rewrite plus_sum, <- scal_sum, placed_none, !PeanoNat.Nat.sub_0_r.
      assert (T : sum_f_R0 (fun i => (x - 1) ^ i * placed labels i s (S n - i) f) n
        = blind labels (S n) f + sum_f_R0 (fun i => (x - 1) ^ S i * placed labels (S i) s (n - i) f) n).
      { assert (N : length s = n) by reflexivity. clearbody n. clear D. destruct n as [|n].
        - cbn [sum_f_R0]. rewrite placed_none, (placed_too_many s 1) by lia. simpl. lra.
        - rewrite decomp_sum by lia. cbn [pred]. rewrite placed_none, PeanoNat.Nat.sub_0_r.
          rewrite (tech5 (fun i => (x - 1) ^ S i * placed labels (S i) s (S n - i) f)).
          rewrite (placed_too_many s (S (S n))) by lia.
          rewrite (sum_eq _ (fun i => (x - 1) ^ S i * placed labels (S i) s (S n - i) f)) by (intros i _; reflexivity). simpl. lra. }
      rewrite T. cbn [pow]. ring.
  Qed.

  (* Sequences of items of a longer list: those without the new item, and those that have it once. *)
  Lemma arranged_longer a s : forall i n f, (forall l, 0 <= f l) ->
    arranged labels i s n f + match i with O => 0 | S j => INR i * arranged labels j s n (f ^^ a) end <= arranged labels i (a :: s) n f.
  Proof.
    induction i as [|i IH]; intros n f P; [cbn [arranged]; lra|]. cbn [arranged]. rewrite E_every_cons.
    pose proof (IH n (f ^^ a) (fun l => P _)) as H.
    assert (G : E (every s) (fun t => arranged labels i s n (f ^^ t)) + INR i * arranged labels i s n (f ^^ a)
      <= E (every s) (fun t => arranged labels i (a :: s) n (f ^^ t))).
    { replace (INR i * arranged labels i s n (f ^^ a))
        with (E (every s) (fun t => match i with O => 0 | S j => INR i * arranged labels j s n (fun l => f (insert t (insert a l))) end)).
      - rewrite <- E_plus. apply E_le; [apply every_nonnegative|]. intros t. apply (IH n (f ^^ t)). intros l; apply P.
      - destruct i as [|j]; [rewrite E_zero; simpl; lra|]. rewrite E_scal. f_equal. cbn [arranged].
        apply E_ext. intros t. apply arranged_ext. intros l. now rewrite insert_comm. }
    assert (0 <= match i with O => 0 | S j => INR i * arranged labels j s n (fun l => f (insert a (insert a l))) end).
    { destruct i; [lra|]. apply Rmult_le_pos; [apply pos_INR|]. apply arranged_nonnegative. intros l; apply P. }
    rewrite S_INR. cbn beta in *. lra.
  Qed.
  (* Every part of i items is i! sequences, or fewer than there are. *)
  Lemma placed_below_arranged s : forall i n f, (forall l, 0 <= f l) -> INR (fact i) * placed labels i s n f <= arranged labels i s n f.
  Proof.
    induction s as [|a s IH]; intros [|i] n f P; cbn [placed]; try (simpl; lra).
    pose proof (arranged_longer a s (S i) n f P) as L. cbn beta iota in L.
    pose proof (IH i n (f ^^ a) (fun l => P _)) as A. pose proof (IH (S i) n f P) as B.
    apply (Rmult_le_compat_l (INR (S i))) in A; [|apply pos_INR].
    rewrite fact_simpl, mult_INR in *. lra.
  Qed.
  Lemma arranged_below_blind s : NoDup s -> incl s labels -> forall i n f, (forall l, 0 <= f l) -> arranged labels i s n f <= blind labels (n + i) f.
  Proof.
    intros N I. assert (M : forall g, (forall y, 0 <= g y) -> E (every s) g <= E (every labels) g).
    { intros g P. revert labels I. induction N as [|a s A N IH]; intros labels' I.
      - rewrite <- (E_zero (every [])) at 1. simpl. apply E_nonneg; [apply every_nonnegative|exact P].
      - destruct (in_split a labels' (I a (or_introl eq_refl))) as (u & v & ->).
        assert (J : incl s (u ++ v)).
        { intros y Y. pose proof (I y (or_intror Y)) as Z. rewrite in_app_iff in *. destruct Z as [Z|[->|Z]]; auto. contradiction. }
        specialize (IH (u ++ v) J). unfold every in *. rewrite map_app in *. cbn [map] in *. rewrite E_app in *. cbn [E] in *. lra. }
    induction i as [|i IH]; intros n f P; [rewrite PeanoNat.Nat.add_0_r; cbn [arranged]; lra|].
    cbn [arranged]. rewrite <- plus_n_Sm, blind_next. eapply Rle_trans; [|apply M].
    - apply E_le; [apply every_nonnegative|]. intros a. apply IH. intros l; apply P.
    - intros y. apply blind_nonnegative. intros l; apply P.
  Qed.
  (* What is placed is at most 1 / i! of all. *)
  Theorem placed_at_most s i n f : NoDup s -> incl s labels -> (forall l, 0 <= f l) ->
    placed labels i s n f <= blind labels (n + i) f / INR (fact i).
  Proof.
    intros N I P. pose proof (placed_below_arranged s i n f P) as A. pose proof (arranged_below_blind s N I i n f P) as B.
    pose proof (INR_fact_lt_0 i) as F. apply Rmult_le_reg_l with (INR (fact i)); [exact F|].
    replace (INR (fact i) * (blind labels (n + i) f / INR (fact i))) with (blind labels (n + i) f) by (field; lra). lra.
  Qed.

  Hypothesis c_positive : 0 <= c.
  Hypothesis x_large : 1 <= x.
  Lemma biased_nonnegative a : nonnegative (biased labels c x a).
  Proof.
    unfold nonnegative, biased. apply Forall_app. split; [rewrite Forall_map; apply Forall_forall; intros; exact c_positive|].
    constructor; [|constructor]. cbn [fst]. apply Rmult_le_pos; lra.
  Qed.
  Lemma reports_at_least_blind s : forall f, (forall l, 0 <= f l) -> c ^ length s * blind labels (length s) f <= E (law_of s) f.
  Proof.
    induction s as [|a s IH]; intros f P; cbn [map length]; [unfold blind; simpl; lra|].
    rewrite E_shuffled, E_biased, blind_next. cbn [pow]. rewrite Rmult_assoc, <- E_scal. apply Rmult_le_compat_l; [exact c_positive|].
    assert (0 <= (x - 1) * E (law_of s) (f ^^ a)).
    { apply Rmult_le_pos; [lra|]. eapply Rle_trans; [|apply IH; intros l; apply P].
      apply Rmult_le_pos; [now apply pow_le|]. apply blind_nonnegative. intros l; apply P. }
    assert (E (every labels) (fun y => c ^ length s * blind labels (length s) (f ^^ y)) <= E (every labels) (fun y => E (law_of s) (f ^^ y))); [|lra].
    apply E_le; [apply every_nonnegative|]. intros y. apply IH. intros l; apply P.
  Qed.
  Lemma reports_at_most s f : NoDup s -> incl s labels -> (forall l, 0 <= f l) ->
    E (law_of s) f <= truncated x (length s) * (c ^ length s * blind labels (length s) f).
  Proof.
    intros N I P. rewrite reports_by_placements.
    replace (truncated x (length s) * (c ^ length s * blind labels (length s) f))
      with (c ^ length s * (blind labels (length s) f * truncated x (length s))) by ring.
    apply Rmult_le_compat_l; [now apply pow_le|]. unfold truncated. rewrite scal_sum. apply sum_Rle. intros i L.
    pose proof (placed_at_most s i (length s - i) f N I P) as H. replace (length s - i + i)%nat with (length s) in H by lia.
    assert (0 <= (x - 1) ^ i) by (apply pow_le; lra). apply (Rmult_le_compat_l ((x - 1) ^ i)) in H; [|assumption].
    unfold Rdiv in *. lra.
  Qed.
  Lemma truncated_positive A : 0 < truncated x A.
  Proof.
    unfold truncated. induction A as [|A IH]; cbn [sum_f_R0]; [simpl; lra|].
    assert (0 <= (x - 1) ^ S A / INR (fact (S A))); [|lra].
    apply Rmult_le_pos; [apply pow_le; lra|left; apply Rinv_0_lt_compat, INR_fact_lt_0].
  Qed.
  Lemma truncated_grows A B : (A <= B)%nat -> truncated x A <= truncated x B.
  Proof.
    induction 1 as [|B _ IH]; [lra|]. unfold truncated in *. cbn [sum_f_R0].
    assert (0 <= (x - 1) ^ S B / INR (fact (S B))); [|lra].
    apply Rmult_le_pos; [apply pow_le; lra|left; apply Rinv_0_lt_compat, INR_fact_lt_0].
  Qed.
  Lemma order_of_items s t : Permutation s t -> forall f, E (law_of s) f = E (law_of t) f.
  Proof.
    induction 1 as [|a s t _ IH|a b s|s t u _ IH _ JH]; intros f; cbn [map].
    - reflexivity.
    - rewrite !E_shuffled. apply E_ext. intros y. apply IH.
    - rewrite !E_shuffled, (E_ext (biased labels c x b) _ (fun y => E (biased labels c x a) (fun z => E (law_of s) (fun l => f (insert y (insert z l)))))).
      2:{ intros y. now rewrite E_shuffled. }
      rewrite E_swap. apply E_ext. intros z. rewrite E_shuffled. apply E_ext. intros y. apply E_ext. intros l. now rewrite insert_comm.
    - now rewrite IH.
  Qed.
  (* Where a function is 0 if it sees an item of u, that item is reported as a label that is drawn without looking. *)
  Definition hides (u : list nat) (f : list nat -> R) : Prop := forall a l, In a u -> In a l -> f l = 0.
  Lemma in_insert b y l : In b (insert y l) <-> b = y \/ In b l.
  Proof.
    induction l as [|z l IH]; [cbn; intuition congruence|]. cbn [insert].
    destruct (PeanoNat.Nat.leb y z); cbn [In]; rewrite ?IH; intuition congruence.
  Qed.
  Lemma hides_after u f y : hides u f -> hides u (f ^^ y).
  Proof. intros H a l A L. apply (H a); [exact A|]. apply in_insert. now right. Qed.
  Lemma hidden_reports_at_most u s : NoDup s -> incl s labels -> forall f, hides u f -> (forall l, 0 <= f l) ->
    E (law_of (u ++ s)) f <= truncated x (length s) * (c ^ length (u ++ s) * blind labels (length (u ++ s)) f).
  Proof.
    intros N I. induction u as [|a u IH]; intros f H P; [now apply reports_at_most|].
    cbn [app map length pow]. rewrite E_shuffled, E_biased, blind_next.
    rewrite (E_ext (law_of (u ++ s)) (f ^^ a) (fun _ => 0)) by (intros l; apply (H a); [now left|apply in_insert; now left]).
    rewrite E_zero, Rmult_0_r, Rplus_0_r.
    replace (truncated x (length s) * (c * c ^ length (u ++ s) * E (every labels) (fun y => blind labels (length (u ++ s)) (f ^^ y))))
      with (c * E (every labels) (fun y => truncated x (length s) * (c ^ length (u ++ s) * blind labels (length (u ++ s)) (f ^^ y))))
      by (rewrite !E_scal; ring).
    apply Rmult_le_compat_l; [exact c_positive|]. apply E_le; [apply every_nonnegative|]. intros y. apply IH.
    - intros b l B L. apply (H b); [now right|]. apply in_insert. now right.
    - intros l; apply P.
  Qed.
  (* Two sets with the same common items w: as many others in each, of which those of u are not seen. *)
  Lemma ratio_beside_common w u s t : NoDup s -> incl s labels -> length (u ++ s) = length t ->
    forall f, hides u f -> (forall l, 0 <= f l) -> E (law_of (w ++ u ++ s)) f <= truncated x (length s) * E (law_of (w ++ t)) f.
  Proof.
    intros N I L. induction w as [|b w IH]; intros f H P; cbn [map app].
    - pose proof (hidden_reports_at_most u s N I f H P) as U. pose proof (reports_at_least_blind t f P) as D. rewrite <- L in D.
      apply (Rmult_le_compat_l (truncated x (length s))) in D; [lra|left; apply truncated_positive].
    - rewrite !E_shuffled, <- E_scal. apply E_le; [apply biased_nonnegative|]. intros y. apply IH; [now apply hides_after|].
      intros l; apply P.
  Qed.

  (* An item that is no label and is needed reports itself. *)
  Definition needs (b : nat) (f : list nat -> R) : Prop := forall l, ~ In b l -> f l = 0.
  Lemma needs_after b f y : y <> b -> needs b f -> needs b (f ^^ y).
  Proof. intros D H l N. apply H. rewrite in_insert. intuition congruence. Qed.
  Lemma zero_for_labels g : (forall y, In y labels -> g y = 0) -> E (every labels) g = 0.
  Proof.
    unfold every. intros H. induction labels as [|y l IH]; [reflexivity|]. cbn [map E]. rewrite H, IH; [lra| |now left].
    intros z Z. apply H. now right.
  Qed.
  Lemma nobody_else b s : ~ In b labels -> ~ In b s -> forall f, needs b f -> E (law_of s) f = 0.
  Proof.
    intros B. induction s as [|a s IH]; intros S f H; cbn [map]; [rewrite E_shuffled_none; apply H; intros []|].
    rewrite E_shuffled, E_biased.
    rewrite zero_for_labels by (intros y Y; apply IH; [intros Z; apply S; now right|apply needs_after; [congruence|exact H]]).
    rewrite IH; [lra| |apply needs_after; [intros ->; apply S; now left|exact H]]. intros Z. apply S. now right.
  Qed.
  Lemma needed_item b s f : ~ In b labels -> ~ In b s -> needs b f -> E (law_of (b :: s)) f = (x - 1) * c * E (law_of s) (f ^^ b).
  Proof.
    intros B S H. cbn [map]. rewrite E_shuffled, E_biased.
    rewrite zero_for_labels by (intros y Y; apply (nobody_else b); [exact B|exact S|apply needs_after; [congruence|exact H]]). lra.
  Qed.
End Placements.
