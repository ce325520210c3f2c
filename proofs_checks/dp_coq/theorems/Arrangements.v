(* The report that is a set itself: how often it is drawn, where every item is reported as itself more often than another
   label by a factor x, and where the items are other ones. *)
From Coq Require Import Reals List Lra Lia Permutation.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Shuffles theorems.Subsets theorems.Placements.
Import ListNotations.
Open Scope R_scope.

Lemma insert_is_cons a l : Permutation (insert a l) (a :: l).
Proof.
  induction l as [|y l IH]; [reflexivity|]. cbn [insert]. destruct (PeanoNat.Nat.leb a y); [reflexivity|].
  rewrite IH. apply perm_swap.
Qed.
Lemma isort_permutes l : Permutation (isort l) l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite insert_is_cons. now constructor. Qed.
Lemma isort_twice l : isort (isort l) = isort l.
Proof. apply order_is_hidden, isort_permutes. Qed.
(* Whether a list of reports, in order, is that of the items of a set. *)
Definition is_set (s l : list nat) : R := if list_eq_dec PeanoNat.Nat.eq_dec l (isort s) then 1 else 0.
Lemma is_set_permutes s l : is_set s l <> 0 -> Permutation l s.
Proof. unfold is_set. destruct list_eq_dec as [->|]; [intros _; apply isort_permutes|now intros []]. Qed.

Section Reached.
  Variables (labels : list nat) (c x : R).
  Notation "f ^^ a" := (fun l => f (insert a l)) (at level 30).
  Notation law_of s := (shuffled (map (biased labels c x) s)).
  (* No list with a repetition, none with an item that has a property, is tested. *)
  Definition no_repetition (f : list nat -> R) : Prop := forall l, f l <> 0 -> NoDup l.
  Definition none_of (p : nat -> Prop) (f : list nat -> R) : Prop := forall l a, f l <> 0 -> In a l -> ~ p a.

  Lemma no_repetition_after f a : no_repetition f -> no_repetition (f ^^ a).
  Proof.
    intros H l Z. specialize (H _ Z). apply (Permutation_NoDup (insert_is_cons a l)) in H. now inversion_clear H.
  Qed.
  Lemma none_of_after p f a : none_of p f -> none_of p (f ^^ a).
  Proof.
    intros H l b Z I. apply (H _ b Z). apply Permutation_in with (a :: l); [symmetry; apply insert_is_cons|now right].
  Qed.
  Lemma zero_if_repeated f a l : no_repetition f -> f (insert a (insert a l)) = 0.
  Proof.
    intros H. destruct (Req_dec (f (insert a (insert a l))) 0) as [Z|Z]; [exact Z|]. apply H in Z.
    apply (Permutation_NoDup (insert_is_cons a _)) in Z. inversion_clear Z as [|? ? N _]. destruct N.
    apply Permutation_in with (a :: l); [symmetry; apply insert_is_cons|now left].
  Qed.
  Lemma zero_if_one p f a l : none_of p f -> p a -> f (insert a l) = 0.
  Proof.
    intros H P. destruct (Req_dec (f (insert a l)) 0) as [Z|Z]; [exact Z|]. destruct (H _ a Z); [|exact P].
    apply Permutation_in with (a :: l); [symmetry; apply insert_is_cons|now left].
  Qed.
  Lemma E_zero_if O (d : dist R O) f : (forall o, f o = 0) -> E d f = 0.
  Proof. intros Z. rewrite (E_ext d f (fun _ => 0)) by exact Z. apply E_zero. Qed.

  Lemma arranged_longer_exactly a s : forall i n f, no_repetition f ->
    arranged labels i (a :: s) n f = arranged labels i s n f + match i with O => 0 | S j => INR i * arranged labels j s n (f ^^ a) end.
  Proof.
    induction i as [|i IH]; intros n f N; [cbn [arranged]; lra|]. cbn [arranged]. rewrite E_every_cons.
    rewrite (IH n (f ^^ a) (no_repetition_after f a N)).
    rewrite (E_ext (every s) _ (fun t => arranged labels i s n (f ^^ t)
      + match i with O => 0 | S j => INR i * arranged labels j s n (fun l => f (insert t (insert a l))) end)).
    2:{ intros t. exact (IH n (f ^^ t) (no_repetition_after f t N)). }
    rewrite E_plus, S_INR. destruct i as [|j]; [rewrite E_zero; simpl; lra|]. rewrite E_scal.
    rewrite (arranged_zero labels s j n (fun l => f (insert a (insert a l)))) by (intros l; now apply zero_if_repeated).
    rewrite (E_ext (every s) (fun t => arranged labels j s n (fun l => f (insert t (insert a l)))) (fun t => arranged labels j s n (fun l => f (insert a (insert t l))))).
    2:{ intros t. apply arranged_ext. intros l. now rewrite insert_comm. }
    cbn [arranged]. lra.
  Qed.
  Lemma placed_is_arranged s : forall i n f, no_repetition f -> INR (fact i) * placed labels i s n f = arranged labels i s n f.
  Proof.
    induction s as [|a s IH]; intros [|i] n f N; cbn [placed]; try (simpl; lra).
    rewrite (arranged_longer_exactly a s (S i) n f N), <- (IH (S i) n f N), <- (IH i n (f ^^ a) (no_repetition_after f a N)).
    rewrite fact_simpl, mult_INR. ring.
  Qed.
  Lemma every_permutes s t g : Permutation s t -> E (every s) g = E (every t) g.
  Proof. induction 1; simpl in *; lra. Qed.
  Lemma every_alone s g : NoDup s -> incl s labels -> NoDup labels -> (forall y, ~ In y s -> g y = 0) -> E (every labels) g = E (every s) g.
  Proof.
    intros N I L Z. rewrite (every_permutes s (filter (fun y => is_held y s) labels)).
    - clear I L. induction labels as [|y l IH]; [reflexivity|]. cbn [filter]. rewrite E_every_cons, IH. destruct (is_held y s) eqn:H.
      + now rewrite E_every_cons.
      + rewrite Z; [lra|]. intros J. apply is_held_in in J. congruence.
    - apply NoDup_Permutation; [exact N|now apply NoDup_filter|]. intros y. rewrite filter_In, is_held_in. split; [auto|tauto].
  Qed.
  Lemma arranged_is_blind s : NoDup s -> incl s labels -> NoDup labels -> forall i n f, none_of (fun y => ~ In y s) f ->
    arranged labels i s n f = blind labels (n + i) f.
  Proof.
    intros N I L. induction i as [|i IH]; intros n f Z; [now rewrite PeanoNat.Nat.add_0_r|].
    cbn [arranged]. rewrite <- plus_n_Sm, blind_next, (every_alone s (fun y => blind labels (n + i) (f ^^ y)) N I L).
    - apply E_ext. intros y. apply IH. now apply none_of_after.
    - intros y Y. apply E_zero_if. intros l. now apply zero_if_one with (fun y => ~ In y s).
  Qed.
  (* The items are those of s: a factor more than for labels that are drawn without looking. *)
  Theorem reports_of_itself s f : NoDup s -> incl s labels -> NoDup labels -> no_repetition f -> none_of (fun y => ~ In y s) f ->
    E (law_of s) f = truncated x (length s) * (c ^ length s * blind labels (length s) f).
  Proof.
    intros N I L R Z. rewrite reports_by_placements. unfold truncated.
    replace (sum_f_R0 (fun i => (x - 1) ^ i / INR (fact i)) (length s) * (c ^ length s * blind labels (length s) f))
      with (c ^ length s * (blind labels (length s) f * sum_f_R0 (fun i => (x - 1) ^ i / INR (fact i)) (length s))) by ring.
    f_equal. rewrite scal_sum. apply sum_eq. intros i M.
    pose proof (placed_is_arranged s i (length s - i) f R) as H. rewrite (arranged_is_blind s N I L i _ f Z) in H.
    replace (length s - i + i)%nat with (length s) in H by lia. rewrite <- H. field. apply INR_fact_neq_0.
  Qed.
  (* The items are other ones: labels that are drawn without looking. *)
  Theorem reports_of_others t : forall f, none_of (fun y => In y t) f -> E (law_of t) f = c ^ length t * blind labels (length t) f.
  Proof.
    induction t as [|a t IH]; intros f Z; cbn [map length]; [unfold blind; simpl; lra|].
    assert (after : forall y, none_of (fun y => In y t) (f ^^ y)).
    { intros y l b H I J. exact (none_of_after (fun y => In y (a :: t)) f y Z l b H I (or_intror J)). }
    rewrite E_shuffled, E_biased, blind_next, (E_ext (every labels) _ (fun y => c ^ length t * blind labels (length t) (f ^^ y))).
    2:{ intros y. now apply IH. }
    rewrite E_scal, (E_zero_if _ (law_of t)).
    - cbn [pow]. ring.
    - intros l. apply zero_if_one with (fun y => In y (a :: t)); [exact Z|now left].
  Qed.
  Lemma blind_at_least s : NoDup s -> incl s labels -> 0 < blind labels (length s) (is_set s).
  Proof.
    intros N I. assert (P : forall l, 0 <= is_set s l) by (intros l; unfold is_set; destruct list_eq_dec; lra).
    pose proof (placed_below_arranged labels s (length s) 0 (is_set s) P) as A.
    pose proof (arranged_below_blind labels s N I (length s) 0 (is_set s) P) as B. cbn [plus] in B.
    assert (H : forall t f, f (isort t) <= placed labels (length t) t 0 f).
    { clear. induction t as [|a t IH]; intros f; cbn [length placed].
      - unfold blind. cbn [repeat]. rewrite E_shuffled_none. cbn. lra.
      - pose proof (IH (f ^^ a)) as H. rewrite (placed_too_many labels t (S (length t))) by lia.
        change (isort (a :: t)) with (insert a (isort t)). lra. }
    specialize (H s (is_set s)). unfold is_set at 1 in H. destruct list_eq_dec as [_|X] in H; [|now destruct X].
    pose proof (lt_0_INR _ (lt_O_fact (length s))). assert (1 <= placed labels (length s) s 0 (is_set s)) by exact H. nra.
  Qed.
End Reached.
