(* Where a drawn item gives a report one weight, if the report shows it, and another one if not, its chance is linear in how many of the
   held items it shows: how large a quotient is, and who reaches it. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Quantifiers checker.Readings checker.Comparisons checker.Places checker.Drawn theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

Definition shown_of (Y : nat -> bool) (s : list nat) : nat := length (filter Y s).
Lemma total_weights (c a b : R) (Y : nat -> bool) s : total (fun x => c * (if Y x then a else b)) s = c * (INR (length s) * b + INR (shown_of Y s) * (a - b)).
Proof.
  unfold shown_of. induction s as [|x s IH]; [cbn; lra|]. cbn [total fold_right filter length]. unfold total in IH. rewrite IH, S_INR.
  destruct (Y x); cbn [length]; rewrite ?S_INR; lra.
Qed.
Lemma total_ext g h s : (forall x, In x s -> g x = h x) -> total g s = total h s.
Proof.
  intros H. induction s as [|x s IH]; [reflexivity|]. cbn [total fold_right]. fold (total g s). fold (total h s).
  rewrite IH by (intros y I; apply H; now right). now rewrite (H x (or_introl eq_refl)).
Qed.
(* What one set shows and the other does not are items that it loses. *)
Lemma shown_lost Y s s' : NoDup s -> (shown_of Y s <= shown_of Y s' + shown_of Y (lost s s'))%nat.
Proof.
  intros D. assert (A : (shown_of Y s = length (filter (fun x => is_held x s' && Y x) s) + shown_of Y (lost s s'))%nat).
  { unfold shown_of, lost. rewrite filter_and. clear. induction s as [|x s IH]; [reflexivity|]. cbn [filter].
    destruct (is_held x s'), (Y x); cbn [andb negb length]; lia. }
  rewrite A. apply Nat.add_le_mono_r. unfold shown_of. apply NoDup_incl_length; [now apply NoDup_filter|].
  intros x I. apply filter_In in I as [_ I]. apply andb_prop in I as [I Q]. apply filter_In. split; [now apply is_held_iff|exact Q].
Qed.

Section Law.
  Variables (w : positive -> R) (K M m : nat) (t0 : term) (q : reading) (a b L : R).
  Notation c := (relation q).
  Notation drawn := (law over_R w (fun _ => []) K M (Push Blanked (Drawn t0))).
  (* The chances of a report, up to a factor of it alone: a for items that it shows, which are sensitive, b for others. *)
  Definition weighted (v : val) (C : R) (Y : nat -> bool) : Prop :=
    0 <= C /\ (forall x, Y x = true -> (x < K)%nat) /\ forall x, (x < K + M)%nat -> item_chance w K M t0 q (key c v) x = C * (if Y x then a else b).
  Hypotheses (positive_b : 0 < b) (a_above_b : b <= a) (large : 1 <= L).
  Lemma chance_weighted v C Y s : weighted v C Y -> In s (every (K + M)) ->
    chance c (drawn s) (key c v) = C * (INR (length s) * b + INR (shown_of Y s) * (a - b)) / INR (length s).
  Proof.
    intros (_ & _ & H) I. rewrite chance_drawn. unfold average. f_equal. rewrite <- total_weights. apply total_ext.
    intros x J. apply H. apply in_every in I. apply I, in_seq in J. lia.
  Qed.
  Lemma sets_without_repetition s : In s (every (K + M)) -> NoDup s.
  Proof. intros I. rewrite <- (held_by_set _ _ I). apply NoDup_filter, seq_NoDup. Qed.
  (* No quotient is larger than that of a report which shows nothing but what is lost. *)
  Theorem weighted_bounded v C Y D s s' : weighted v C Y -> In s (every (K + M)) -> In s' (every (K + M)) ->
    INR (length s) = INR (length s') -> 0 < INR (length s) -> (shown_of Y (lost s s') <= D)%nat ->
    INR (length s) * b + INR D * (a - b) <= L * (INR (length s) * b) ->
    chance c (drawn s) (key c v) <= L * chance c (drawn s') (key c v).
  Proof.
    intros W I I' E P N H. rewrite (chance_weighted v C Y s W I), (chance_weighted v C Y s' W I'). rewrite <- E. destruct W as (C0 & _).
    pose proof (shown_lost Y s s' (sets_without_repetition s I)) as Q. set (S := INR (length s)) in *.
    assert (G : S * b + INR (shown_of Y s) * (a - b) <= L * (S * b + INR (shown_of Y s') * (a - b))).
    { assert (Q' : INR (shown_of Y s) <= INR (shown_of Y s') + INR D) by (rewrite <- plus_INR; apply le_INR; lia).
      assert (T : INR (shown_of Y s) * (a - b) <= (INR (shown_of Y s') + INR D) * (a - b)) by (apply Rmult_le_compat_r; lra).
      assert (T' : 0 <= INR (shown_of Y s') * (a - b)) by (apply Rmult_le_pos; [apply pos_INR|lra]).
      assert (T'' : INR (shown_of Y s') * (a - b) <= L * (INR (shown_of Y s') * (a - b))).
      { rewrite <- (Rmult_1_l (INR (shown_of Y s') * (a - b))) at 1. now apply Rmult_le_compat_r. } lra. }
    unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    replace (L * (C * (S * b + INR (shown_of Y s') * (a - b)))) with (C * (L * (S * b + INR (shown_of Y s') * (a - b)))) by ring.
    now apply Rmult_le_compat_l.
  Qed.
  (* Such a report reaches it, and is possible. *)
  Theorem weighted_reached v C Y s s' : weighted v C Y -> 0 < C -> In s (every (K + M)) -> In s' (every (K + M)) ->
    INR (length s) = INR (length s') -> 0 < INR (length s) -> shown_of Y s' = 0%nat ->
    INR (length s) * b + INR (shown_of Y s) * (a - b) = L * (INR (length s) * b) ->
    chance c (drawn s) (key c v) = L * chance c (drawn s') (key c v) /\ chance c (drawn s) (key c v) <> 0.
  Proof.
    intros W C0 I I' E P N H. rewrite (chance_weighted v C Y s W I), (chance_weighted v C Y s' W I'). rewrite <- E, N, H. cbn [INR].
    set (S := INR (length s)) in *. split; [field; lra|]. assert (Pb : 0 < S * b) by now apply Rmult_lt_0_compat.
    assert (0 < C * (L * (S * b)) / S); [|lra]. unfold Rdiv. apply Rmult_lt_0_compat; [|now apply Rinv_0_lt_compat].
    apply Rmult_lt_0_compat; [exact C0|]. apply Rmult_lt_0_compat; [lra|exact Pb].
  Qed.
End Law.

(* Reports that are compared as the same show the same. *)
Lemma same_seen c a l a' l' : key c (Tup [a; items l]) = key c (Tup [a'; items l']) -> shown over_R a = shown over_R a'.
Proof. unfold key. destruct c; cbn [seen shown map]; intros E; congruence. Qed.
Lemma same_beside c a l a' l' : c <> Marginal -> key c (Tup [a; items l]) = key c (Tup [a'; items l']) -> l = l'.
Proof.
  unfold key. intros N. destruct c; try congruence; cbn [shown map]; intros E; injection E as _ E; rewrite !map_map in E;
    apply set_datum_injective; unfold set_datum; f_equal; exact E.
Qed.
