(* Harder points, and a data set that is one of the worst, of the card blanket for randomized response: a bound at a smaller
   epsilon, fewer messages and more truthful reports is a bound here, and others who all hold a third value show a lower one. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles
  theorems.Binomials theorems.Halves theorems.Blanket theorems.Exchanges theorems.Messages theorems.Hashing.
Import ListNotations.
Open Scope R_scope.

Theorem larger_epsilon O a b t (d e : dist R O) : nonnegative e -> a <= b -> divergence a t d e -> divergence b t d e.
Proof.
  intros P L D f pos. specialize (D f pos). assert (0 <= E e f) by (apply E_nonneg; [exact P|apply pos]).
  assert (a * E e f <= b * E e f) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* Something is drawn for each message, on its own and without the input. *)
Definition drawn_from (K : nat -> dist R nat) (d e : dist R nat) : Prop := forall f, E d f = E (bind over_R e K) f.
Theorem each_is_replaced K a t ds ds' es es' : (forall y, is_law (K y)) -> Forall2 (drawn_from K) ds es -> Forall2 (drawn_from K) ds' es' ->
  divergence a t (shuffled es) (shuffled es') -> divergence a t (shuffled ds) (shuffled ds').
Proof.
  intros L H H' D.
  assert (all : forall us vs, Forall2 (drawn_from K) us vs -> forall f,
    E (shuffled us) f = E (bind over_R (shuffled vs) (fun l => shuffled (map K l))) f).
  { intros us vs F f. rewrite E_bind, <- shuffled_bind. revert f. apply shuffled_same. induction F; cbn [map]; constructor; auto. }
  eapply delta_same; [exact (all _ _ H)|exact (all _ _ H')|]. intros f pos. rewrite !E_bind. apply D. intros l.
  assert (P : is_law (shuffled (map K l))).
  { unfold shuffled. apply law_push. induction l as [|y l IH]; cbn [map sequence]; [apply law_point|].
    apply law_bind; [apply L|]. intros z. now apply law_push. }
  split; [apply E_nonneg; [exact (proj1 P)|apply pos]|].
  rewrite <- (E_const _ 1 (proj2 P)). apply E_le; [exact (proj1 P)|]. apply pos.
Qed.

(* With chance s a message is replaced by a uniform one. *)
Definition replaced (k : nat) (s : R) (y : nat) : dist R nat := scale over_R s (uniform k) ++ [(1 - s, y)].
Lemma E_replaced k s y f : E (replaced k s y) f = s * E (uniform k) f + (1 - s) * f y.
Proof. unfold replaced. rewrite E_app, E_scale. simpl. lra. Qed.
Lemma replaced_law k s y : (0 < k)%nat -> 0 <= s <= 1 -> is_law (replaced k s y).
Proof.
  intros K S. pose proof (uniform_is_law k K) as [P T]. split; [|rewrite E_replaced, T; lra].
  unfold replaced, nonnegative. apply Forall_app. split; [|apply Forall_cons; [simpl; lra|apply Forall_nil]].
  unfold scale. apply Forall_map. revert P. apply Forall_impl. intros [p z] Z. cbn in *. apply Rmult_le_pos; lra.
Qed.
(* A report with more wrong labels is one with fewer of them, of which some are replaced. *)
Definition share (k : nat) (q q' : R) : R := INR k * (q' - q) / (1 - INR k * q).
Lemma share_is_chance k q q' : 0 <= q -> q <= q' -> INR k * q' <= 1 -> INR k * q < 1 ->
  0 <= share k q q' <= 1 /\ INR k * q' = INR k * q + share k q q' * (1 - INR k * q).
Proof.
  intros Q L C C'. assert (N : 0 <= INR k) by apply pos_INR. assert (kq : INR k * q <= INR k * q') by (apply Rmult_le_compat_l; lra).
  assert (S_is : share k q q' * (1 - INR k * q) = INR k * (q' - q)) by (unfold share; field; lra).
  split; [|lra]. split; [unfold share, Rdiv; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
  apply Rmult_le_reg_r with (1 - INR k * q); lra.
Qed.
Lemma response_replaced k q q' z : (z < k)%nat -> 0 <= q -> q <= q' -> INR k * q' <= 1 -> INR k * q < 1 ->
  drawn_from (replaced k (share k q q')) (response k q' z) (response k q z).
Proof.
  intros Z Q L C C' f. destruct (share_is_chance k q q' Q L C C') as [_ S]. set (s := share k q q') in *.
  assert (K : (0 < k)%nat) by lia.
  rewrite E_bind, (E_ext (response k q z) _ (fun y => s * E (uniform k) f + (1 - s) * f y)) by (intros y; apply E_replaced).
  rewrite !E_response by exact Z.
  rewrite E_plus, !E_scal, (E_const (uniform k) (E (uniform k) f) (proj2 (uniform_is_law k K))), S. lra.
Qed.
Lemma uniform_replaced k s : (0 < k)%nat -> drawn_from (replaced k s) (uniform k) (uniform k).
Proof.
  intros K f. symmetry. rewrite E_bind, (E_ext (uniform k) _ (fun y => s * E (uniform k) f + (1 - s) * f y)) by (intros y; apply E_replaced).
  rewrite E_plus, !E_scal, (E_const (uniform k) (E (uniform k) f) (proj2 (uniform_is_law k K))). lra.
Qed.
Lemma all_replaced {A} (K : nat -> dist R nat) (new old : A -> dist R nat) (U : dist R nat) extra l :
  Forall (fun x => drawn_from K (new x) (old x)) l -> drawn_from K U U ->
  Forall2 (drawn_from K) (map new l ++ repeat U extra) (map old l ++ repeat U extra).
Proof.
  intros H H'. apply Forall2_app; [induction H; cbn [map]; constructor; assumption|]. induction extra; cbn [repeat]; constructor; assumption.
Qed.
Theorem larger_q k q q' a t x x' extra others : Forall (fun z => (z < k)%nat) (x :: x' :: others) ->
  0 <= q -> q <= q' -> INR k * q' <= 1 -> INR k * q < 1 ->
  divergence a t (shuffled (map (response k q) (x :: others) ++ repeat (uniform k) extra))
    (shuffled (map (response k q) (x' :: others) ++ repeat (uniform k) extra)) ->
  divergence a t (shuffled (map (response k q') (x :: others) ++ repeat (uniform k) extra))
    (shuffled (map (response k q') (x' :: others) ++ repeat (uniform k) extra)).
Proof.
  intros B Q L C C'. inversion_clear B as [|? ? X B']. inversion_clear B' as [|? ? X' O]. assert (K : (0 < k)%nat) by lia.
  destruct (share_is_chance k q q' Q L C C') as [S _].
  assert (H : forall z, (z < k)%nat -> drawn_from (replaced k (share k q q')) (response k q' z) (response k q z))
    by (intros z Z; now apply response_replaced).
  apply (each_is_replaced (replaced k (share k q q'))); [intros y; now apply replaced_law| |];
    (apply all_replaced; [|now apply uniform_replaced]); constructor; auto; revert O; apply Forall_impl; exact H.
Qed.
(* The same where a function is published beside the label: it stays. *)
Definition replaced_label (h : nat) (s : R) (z : nat) : dist R nat := push over_R (fun y => z / h * h + y)%nat (replaced h s (z mod h)).
Theorem larger_q_of_hashes h F chances q q' a t x x' extra others : (2 <= h)%nat -> (forall i x, (F i x < h)%nat) ->
  0 <= q -> q <= q' -> INR h * q' <= 1 -> INR h * q < 1 ->
  divergence a t (shuffled (map (hashed h F chances q) (x :: others) ++ repeat (hashed_uniform h chances) extra))
    (shuffled (map (hashed h F chances q) (x' :: others) ++ repeat (hashed_uniform h chances) extra)) ->
  divergence a t (shuffled (map (hashed h F chances q') (x :: others) ++ repeat (hashed_uniform h chances) extra))
    (shuffled (map (hashed h F chances q') (x' :: others) ++ repeat (hashed_uniform h chances) extra)).
Proof.
  intros G M Q L C C'. destruct (share_is_chance h q q' Q L C C') as [S _]. set (s := share h q q') in *.
  assert (K : (0 < h)%nat) by lia.
  assert (label : forall i y f, (y < h)%nat -> E (replaced_label h s (i * h + y)) f = E (replaced h s y) (fun u => f (i * h + u)%nat)).
  { intros i y f Y. unfold replaced_label. now rewrite E_push, code_function, code_label. }
  assert (each : forall old new, (forall i, drawn_from (replaced h s) (new i) (old i)) ->
    (forall i f g, (forall y, (y < h)%nat -> f y = g y) -> E (old i) f = E (old i) g) ->
    drawn_from (replaced_label h s) (published h new 0 chances) (published h old 0 chances)).
  { intros old new H B f. rewrite E_bind. generalize 0%nat as i. induction chances as [|v rest IH]; intros i; [reflexivity|].
    rewrite !E_published_S, IH. f_equal. f_equal. rewrite (H i), E_bind. apply B. intros y Y. symmetry. now apply label. }
  assert (reports : forall z, drawn_from (replaced_label h s) (hashed h F chances q' z) (hashed h F chances q z)).
  { intros z. apply each; [intros i; now apply response_replaced|]. intros i f g H. rewrite !E_response by apply M.
    rewrite (uniform_ext h G f g H), (H (F i z)) by apply M. reflexivity. }
  apply (each_is_replaced (replaced_label h s)); [intros z; apply law_push; now apply replaced_law| |];
    (apply all_replaced; [apply Forall_forall; intros z _; apply reports|]);
    (apply each; [intros i; now apply uniform_replaced|intros i; now apply uniform_ext]).
Qed.

(* All others hold x2: of the labels, x and x' are looked at, and the others are one. *)
Definition merge (x x' y : nat) : nat := if (y =? x)%nat then 0%nat else if (y =? x')%nat then 1%nat else 2%nat.
Definition three (c0 c1 c2 : R) : dist R nat := [(c0, 0%nat); (c1, 1%nat); (c2, 2%nat)].
Lemma merged k q x x' z f : (x < k)%nat -> (x' < k)%nat -> x <> x' -> (z < k)%nat ->
  E (push over_R (merge x x') (response k q z)) f
  = q * (f 0%nat + f 1%nat + (INR k - 2) * f 2%nat) + (1 - INR k * q) * f (merge x x' z).
Proof.
  intros X X' D Z. rewrite E_push. unfold response. rewrite E_listed.
  rewrite (fold_but_one z _ q (fun y => f (merge x x' y))), is_below by auto using seq_NoDup.
  replace (fold_right (fun y total => q * f (merge x x' y) + total) 0 (seq 0 k))
    with (fold_right (fun y total => q * (if (y =? x)%nat then f 0%nat else if (y =? x')%nat then f 1%nat else f 2%nat) + total) 0 (seq 0 k)).
  - rewrite fold_but_two; [|apply seq_NoDup|apply in_seq; lia|apply in_seq; lia|exact D]. rewrite seq_length. lra.
  - unfold merge. induction (seq 0 k) as [|y m IH]; [reflexivity|]. cbn [fold_right]. rewrite IH.
    destruct (y =? x)%nat, (y =? x')%nat; reflexivity.
Qed.
Theorem third_value k q a t x x' x2 n : (x < k)%nat -> (x' < k)%nat -> (x2 < k)%nat -> x <> x' -> x2 <> x -> x2 <> x' ->
  0 < q -> 2 * q < 1 -> let p := 1 - (INR k - 1) * q in
  divergence a t (shuffled (response k q x :: repeat (response k q x2) n)) (shuffled (response k q x' :: repeat (response k q x2) n)) ->
  expected_gain (gains q ((p - a * q) / q) ((q - a * p) / q) ((1 - a) * (1 - p - q) / (1 - 2 * q))) (S n) <= t.
Proof.
  intros X X' X2 D N N' Q Q' p H. apply (delta_push (fun l => isort (map (merge x x') l))) in H.
  set (w := three q q (1 - 2 * q)). set (d := three p q (1 - p - q)). set (d' := three q p (1 - p - q)).
  assert (push_all : forall z zs, (z < k)%nat -> (forall f, E (push over_R (merge x x') (response k q z)) f = E zs f) -> forall f,
    E (shuffled (zs :: repeat w n)) f
    = E (push over_R (fun l => isort (map (merge x x') l)) (shuffled (response k q z :: repeat (response k q x2) n))) f).
  { intros z zs Z Hz f. rewrite E_push, <- shuffled_push. revert f. apply shuffled_same. cbn [map]. constructor; [intros f; symmetry; apply Hz|].
    assert (W : forall f, E w f = E (push over_R (merge x x') (response k q x2)) f).
    { intros f. rewrite merged by assumption. unfold merge. rewrite (proj2 (PeanoNat.Nat.eqb_neq x2 x) N), (proj2 (PeanoNat.Nat.eqb_neq x2 x') N').
      unfold w, three. simpl. lra. }
    clear - W. induction n; cbn [repeat map]; constructor; auto. }
  assert (H2 : divergence a t (shuffled (d :: repeat w n)) (shuffled (d' :: repeat w n))).
  { eapply delta_same; [apply (push_all x d X)|apply (push_all x' d' X')|exact H]; intros f; rewrite merged by assumption; unfold merge.
    - rewrite PeanoNat.Nat.eqb_refl. unfold d, three, p. simpl. lra.
    - rewrite PeanoNat.Nat.eqb_refl, (proj2 (PeanoNat.Nat.eqb_neq x' x)) by congruence. unfold d', three, p. simpl. lra. }
  set (u0 := p / q). set (rest := (1 - p - q) / (1 - 2 * q)).
  assert (law_w : is_law w).
  { split; [|unfold w, three; simpl; lra]. unfold w, three, nonnegative. repeat (apply Forall_cons; [simpl; lra|]). apply Forall_nil. }
  assert (T : times_as_likely (fun y => match y with 0%nat => u0 | 1%nat => 1 | _ => rest end) w d).
  { intros f. unfold w, d, three, u0, rest. simpl. field. lra. }
  assert (T' : times_as_likely (fun y => match y with 0%nat => 1 | 1%nat => u0 | _ => rest end) w d').
  { intros f. unfold w, d', three, u0, rest. simpl. field. lra. }
  apply (divergence_is_expected_gain w d d' _ _ a t n law_w T T') in H2. rewrite total_of_draws in H2.
  unfold expected_gain. erewrite sums_same; [exact H2|]. intros f. rewrite E_push. unfold w, three, gains, u0, rest. cbn [E].
  replace ((p - a * q) / q) with (p / q - a * 1) by (field; lra). replace ((q - a * p) / q) with (1 - a * (p / q)) by (field; lra).
  replace ((1 - a) * (1 - p - q) / (1 - 2 * q)) with ((1 - p - q) / (1 - 2 * q) - a * ((1 - p - q) / (1 - 2 * q))) by (field; lra).
  reflexivity.
Qed.
