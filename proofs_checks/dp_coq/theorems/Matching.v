(* The card matching: randomized response of every item of a set, of which the multiset is seen, or the set. *)
From Coq Require Import Reals List Lra Lia ZArith Permutation.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws checker.Agreement.
From DP Require Import theorems.Expectations theorems.Ratios theorems.Shuffles theorems.Subsets theorems.Placements theorems.Arrangements.
Import ListNotations.
Open Scope R_scope.

(* What is seen: f is Multiset or AsSet. Of K items, each is reported as itself w = x times as often as another one. *)
Definition unordered (f : fn) : Prop := f = Multiset \/ f = AsSet.
Definition responses (K : nat) (x : R) (f : fn) (s : list nat) : dist R val :=
  law over_R (fun _ => x) (fun _ => []) K 0 (Push f (EachHeld response)) s.
Definition set_within (K : nat) (s : list nat) : Prop := NoDup s /\ incl s (seq 0 K).
(* How many items s loses. *)
Definition lost (s t : list nat) : nat := number (fun z => negb (is_held z t)) s.

Definition other_chance (K : nat) (x : R) : R := / (x + INR K - 1).
Lemma E_response K x a f : (a < K)%nat ->
  E (law over_R (fun _ => x) (fun _ => []) K 0 response [a]) f
  = E (biased (seq 0 K) (other_chance K x) x a) (fun y => f (Item y)).
Proof.
  intros L. rewrite E_biased. unfold law, response, cells. replace (a <? K)%nat with true by (symmetry; now apply PeanoNat.Nat.ltb_lt).
  cbn [cells_of kind_eqb orb flat_map labels_of map app]. rewrite app_nil_r. cbn [E].
  assert (V : eval over_R (world over_R (fun _ => x) K) (Sub (Add (Var 2) (Var 1)) (Cst 1)) = x + INR K - 1).
  { cbn [eval world]. unfold integer. cbn [add sub over_R of_Q]. rewrite !Q2R_integer, <- INR_IZR_INZ. reflexivity. }
  assert (O : eval over_R (world over_R (fun _ => x) K) (Div (Cst 1) (Sub (Add (Var 2) (Var 1)) (Cst 1))) = other_chance K x).
  { change (eval over_R (world over_R (fun _ => x) K) (Div (Cst 1) (Sub (Add (Var 2) (Var 1)) (Cst 1))))
      with (integer over_R 1 / eval over_R (world over_R (fun _ => x) K) (Sub (Add (Var 2) (Var 1)) (Cst 1))).
    rewrite V, one_R. unfold other_chance. lra. }
  assert (W : eval over_R (world over_R (fun _ => x) K) (Div (Var 2) (Sub (Add (Var 2) (Var 1)) (Cst 1))) = x * other_chance K x).
  { change (eval over_R (world over_R (fun _ => x) K) (Div (Var 2) (Sub (Add (Var 2) (Var 1)) (Cst 1))))
      with (x / eval over_R (world over_R (fun _ => x) K) (Sub (Add (Var 2) (Var 1)) (Cst 1))). now rewrite V. }
  cbn [fst snd]. rewrite W, O. set (c := other_chance K x).
  assert (G : forall m, NoDup m -> E (map (fun y => (c, y)) (map Item (filter (fun z => negb (z =? a)%nat) m))) f
    + (if is_held a m then c * f (Item a) else 0) = c * E (every m) (fun y => f (Item y))).
  { induction 1 as [|y m N D IH]; [simpl; lra|]. rewrite E_every_cons, Rmult_plus_distr_l, <- IH. cbn [filter]. unfold is_held. cbn [existsb].
    destruct (PeanoNat.Nat.eqb_spec y a) as [->|Q].
    - rewrite PeanoNat.Nat.eqb_refl. cbn [negb orb].
      replace (existsb (Nat.eqb a) m) with false; [lra|]. symmetry. apply Bool.not_true_is_false. intros T. apply N. now apply is_held_in.
    - replace (a =? y)%nat with false by (symmetry; apply PeanoNat.Nat.eqb_neq; congruence). cbn [negb orb map E]. unfold is_held. lra. }
  specialize (G (seq 0 K) (seq_NoDup K 0)). replace (is_held a (seq 0 K)) with true in G.
  - change (x * c * f (Item a) + E (map (fun y => (c, y)) (map Item (filter (fun z => negb (z =? a)%nat) (seq 0 K)))) f
      = c * (E (every (seq 0 K)) (fun y => f (Item y)) + (x - 1) * f (Item a))).
    rewrite Rmult_plus_distr_l, <- G. ring.
  - symmetry. apply is_held_in, in_seq. lia.
Qed.
Lemma E_each K x s : incl s (seq 0 K) -> forall f,
  E (law over_R (fun _ => x) (fun _ => []) K 0 (EachHeld response) s) f
  = E (rsequence (map (biased (seq 0 K) (other_chance K x) x) s)) (fun l => f (Tup (map Item l))).
Proof.
  intros I f. cbn [law]. rewrite E_push.
  enough (H : forall h, E (rsequence (map (fun a => law over_R (fun _ => x) (fun _ => []) K 0 response [a]) s)) h
    = E (rsequence (map (biased (seq 0 K) (other_chance K x) x) s)) (fun l => h (map Item l))) by exact (H (fun l => f (Tup l))).
  clear f. revert I. induction s as [|a s IH]; intros I h; [now cbn [map sequence]; rewrite !E_point|].
  cbn [map sequence]. rewrite !E_bind. rewrite (E_response K x a) by (apply (in_seq K 0), I; now left).
  apply E_ext. intros y. rewrite !E_push. apply (IH (fun z Z => I z (or_intror Z)) (fun l => h (Item y :: l))).
Qed.
Lemma flat_items l : flat (Tup (map Item l)) = l.
Proof. cbn [flat]. induction l as [|a l IH]; [reflexivity|]. cbn. now rewrite IH. Qed.
Lemma filter_permutes {A} (p : A -> bool) l m : Permutation l m -> Permutation (filter p l) (filter p m).
Proof.
  induction 1 as [|a l m _ IH|a b l|l m n _ IH _ JH]; cbn [filter]; [constructor| | |now rewrite IH].
  - destruct (p a); [now constructor|exact IH].
  - destruct (p a), (p b); try reflexivity. apply perm_swap.
Qed.
Lemma order_is_not_seen f K l : unordered f -> apply f K (Tup (map Item (isort l))) = apply f K (Tup (map Item l)).
Proof.
  intros U. unfold apply. rewrite !flat_items.
  rewrite (order_is_hidden _ _ (filter_permutes (fun z => (z <? K)%nat) _ _ (isort_permutes l))).
  rewrite (order_is_hidden _ _ (filter_permutes (fun z => (K <=? z)%nat) _ _ (isort_permutes l))).
  now destruct U as [->| ->].
Qed.
Lemma E_responses K x f s g : unordered f -> incl s (seq 0 K) ->
  E (responses K x f s) g = E (shuffled (map (biased (seq 0 K) (other_chance K x) x) s)) (fun l => g (apply f K (Tup (map Item l)))).
Proof.
  intros U I. unfold responses. change (law over_R (fun _ => x) (fun _ => []) K 0 (Push f (EachHeld response)) s)
    with (rpush (apply f K) (law over_R (fun _ => x) (fun _ => []) K 0 (EachHeld response) s)).
  unfold shuffled. rewrite !E_push, (E_each K x s I). apply E_ext. intros l. now rewrite order_is_not_seen.
Qed.
Lemma other_chance_positive K x : 1 < x -> 0 < other_chance K x.
Proof. intros X. pose proof (pos_INR K). apply Rinv_0_lt_compat. lra. Qed.
Lemma two_kinds {A} (p : A -> bool) l : Permutation l (filter p l ++ filter (fun z => negb (p z)) l).
Proof.
  induction l as [|a l IH]; [constructor|]. cbn [filter]. destruct (p a); cbn [negb app]; [now constructor|].
  now apply Permutation_cons_app.
Qed.

(* If s loses at most A items, no report is more than 1 + (x - 1) + ... + (x - 1)^A / A! times as likely under s. *)
Theorem unordered_ratio K x f s t A : unordered f -> 1 < x -> set_within K s -> set_within K t -> length s = length t ->
  (lost s t <= A)%nat -> ratio (truncated x A) (responses K x f s) (responses K x f t).
Proof.
  intros U X [N I] [N' I'] L M g P. rewrite !E_responses by assumption. set (h := fun l => g (apply f K (Tup (map Item l)))).
  pose proof (other_chance_positive K x X) as C. assert (X' : 1 <= x) by lra.
  set (w := filter (fun z => is_held z t) s). set (u := filter (fun z => negb (is_held z t)) s). set (v := filter (fun z => negb (is_held z s)) t).
  assert (PS : Permutation s (w ++ u)) by apply two_kinds.
  assert (PT : Permutation t (w ++ v)).
  { rewrite (two_kinds (fun z => is_held z s) t) at 1. apply Permutation_app_tail. apply NoDup_Permutation; try now apply NoDup_filter.
    intros z. unfold w. rewrite !filter_In, !is_held_in. tauto. }
  rewrite (order_of_items _ _ _ _ _ PS), (order_of_items _ _ _ _ _ PT).
  assert (LU : length u = length v).
  { apply Permutation_length in PS, PT. rewrite app_length in *. lia. }
  assert (Q : forall l, 0 <= h l) by (intros l; apply P).
  pose proof (ratio_beside_common (seq 0 K) (other_chance K x) x ltac:(lra) X' w u v
    (NoDup_filter _ N) (fun z Z => I z (proj1 (proj1 (filter_In _ _ _) Z))) LU h Q) as H.
  eapply Rle_trans; [exact H|]. apply Rmult_le_compat_r; [|now apply truncated_grows].
  eapply Rle_trans; [|apply (reports_at_least_blind (seq 0 K) (other_chance K x) x ltac:(lra) X' (w ++ v) h Q)].
  apply Rmult_le_pos; [apply pow_le; lra|]. now apply blind_nonnegative.
Qed.

Lemma E_possible {O} (d : dist R O) f g : (forall o, In o (map snd d) -> f o = g o) -> E d f = E d g.
Proof. induction d as [|[p o] d IH]; intros H; [reflexivity|]. cbn in *. rewrite IH, H; auto. Qed.
Lemma E_labels K c x s : incl s (seq 0 K) -> forall f g, (forall l, length l = length s -> incl l (seq 0 K) -> f (isort l) = g (isort l)) ->
  E (shuffled (map (biased (seq 0 K) c x) s)) f = E (shuffled (map (biased (seq 0 K) c x) s)) g.
Proof.
  intros I. induction s as [|a s IH]; intros f g H; cbn [map].
  - rewrite !E_shuffled_none. apply (H []); [reflexivity|apply incl_nil_l].
  - rewrite !E_shuffled. apply E_possible. intros y Y. apply IH; [intros z Z; apply I; now right|].
    intros l L J. apply (H (y :: l)); [cbn; now rewrite L|]. apply incl_cons; [|exact J].
    unfold biased in Y. rewrite map_app, map_map, map_id in Y. apply in_app_iff in Y as [Y|[<-|[]]]; [exact Y|]. apply I. now left.
Qed.
Lemma all_within K l : incl l (seq 0 K) -> filter (fun z => (z <? K)%nat) l = l /\ filter (fun z => (K <=? z)%nat) l = [].
Proof.
  induction l as [|a l IH]; intros I; [now split|]. destruct IH as [P Q]; [intros z Z; apply I; now right|].
  specialize (I a (or_introl eq_refl)). apply in_seq in I. cbn [filter]. rewrite P, Q.
  replace (a <? K)%nat with true by (symmetry; apply PeanoNat.Nat.ltb_lt; lia).
  replace (K <=? a)%nat with false by (symmetry; apply PeanoNat.Nat.leb_gt; lia). now split.
Qed.
Lemma apply_within f K l : incl l (seq 0 K) -> unordered f ->
  flat (apply f K (Tup (map Item l))) = match f with AsSet => nodup PeanoNat.Nat.eq_dec (isort l) | _ => isort l end.
Proof.
  intros I U. unfold apply. rewrite flat_items. destruct (all_within K l I) as [-> ->].
  destruct U as [->| ->]; cbn [isort fold_right nodup flat flat_map]; unfold items; cbn [map];
    rewrite ?app_nil_r; apply (flat_items _).
Qed.
(* Of as many reports as s has items, only the items of s are seen as s. *)
Lemma seen_as_set f K s l : unordered f -> set_within K s -> length l = length s -> incl l (seq 0 K) ->
  flat (apply f K (Tup (map Item l))) = isort s <-> isort l = isort s.
Proof.
  intros U [N I] L J. rewrite apply_within by assumption.
  assert (D : NoDup (isort s)) by (apply (Permutation_NoDup (Permutation_sym (isort_permutes s)) N)).
  destruct U as [->| ->]; [reflexivity|]. split; intros H; [|rewrite H; now apply nodup_fixed_point].
  apply order_is_hidden. assert (G : forall z, In z s <-> In z l).
  { intros z. rewrite <- (Permutation_in' (eq_refl z) (isort_permutes s)), <- H, nodup_In.
    exact (Permutation_in' (eq_refl z) (isort_permutes l)). }
  apply NoDup_Permutation; [|exact N|firstorder].
  apply (NoDup_incl_NoDup N); [lia|]. intros z. apply G.
Qed.

(* If s and t have no item in common, the constant is reached where the report is s. *)
Theorem unordered_reached K x f s t : unordered f -> 1 < x -> set_within K s -> set_within K t -> length s = length t ->
  (forall z, In z s -> ~ In z t) -> attained (truncated x (length s)) (responses K x f s) (responses K x f t).
Proof.
  intros U X S T L D. pose proof S as [N I]. pose proof T as [N' I']. pose proof (other_chance_positive K x X) as C.
  exists (fun v => if list_eq_dec PeanoNat.Nat.eq_dec (flat v) (isort s) then true else false). unfold prob.
  assert (seen : forall u, set_within K u -> length u = length s ->
    E (responses K x f u) (fun v => if (if list_eq_dec PeanoNat.Nat.eq_dec (flat v) (isort s) then true else false) then 1 else 0)
    = E (shuffled (map (biased (seq 0 K) (other_chance K x) x) u)) (is_set s)).
  { intros u [_ J] M. rewrite E_responses by assumption. apply E_labels; [exact J|]. intros l Ll Jl.
    rewrite order_is_not_seen by exact U. pose proof (seen_as_set f K s l U S ltac:(lia) Jl) as H. unfold is_set.
    destruct (list_eq_dec _ (flat _) (isort s)) as [A|A], (list_eq_dec _ (isort l) (isort s)) as [B|B]; tauto. }
  rewrite (seen s S eq_refl), (seen t T (eq_sym L)).
  assert (R : no_repetition (is_set s)).
  { intros l Z. apply is_set_permutes in Z. exact (Permutation_NoDup (Permutation_sym Z) N). }
  rewrite (reports_of_itself (seq 0 K) (other_chance K x) x s (is_set s) N I (seq_NoDup K 0) R).
  2:{ intros l a Z J A. apply A. apply is_set_permutes in Z. exact (Permutation_in a Z J). }
  rewrite (reports_of_others (seq 0 K) (other_chance K x) x t (is_set s)).
  2:{ intros l a Z J A. apply is_set_permutes in Z. exact (D a (Permutation_in a Z J) A). }
  rewrite <- L. split; [|reflexivity]. apply Rmult_lt_0_compat; [now apply pow_lt|now apply blind_at_least].
Qed.
(* If s loses one item, whatever else both have, x is reached where every report is this item. *)
Theorem one_item_reached K x f w a b : unordered f -> 1 < x -> set_within K (a :: w) -> set_within K (b :: w) -> a <> b ->
  attained (truncated x 1) (responses K x f (a :: w)) (responses K x f (b :: w)).
Proof.
  intros U X [N I] [N' I'] Q. pose proof (other_chance_positive K x X) as C. set (c := other_chance K x) in *.
  exists (fun v => forallb (Nat.eqb a) (flat v)). unfold prob.
  assert (J : In a (seq 0 K)) by (apply I; now left).
  assert (alone : forall s, incl s (seq 0 K) -> E (responses K x f s) (fun v => if forallb (Nat.eqb a) (flat v) then 1 else 0)
    = fold_right (fun z product => (if (z =? a)%nat then x * c else c) * product) 1 s).
  { intros s S. rewrite E_responses by assumption.
    rewrite (E_labels K (other_chance K x) x s S _ (fun l => if forallb (Nat.eqb a) l then 1 else 0)).
    - fold c. clear S. induction s as [|z s IH]; cbn [map fold_right]; [now rewrite E_shuffled_none|].
      rewrite E_shuffled, <- IH, (E_ext (biased (seq 0 K) c x z) _ (fun y => (if (y =? a)%nat then 1 else 0)
        * E (shuffled (map (biased (seq 0 K) c x) s)) (fun l => if forallb (Nat.eqb a) l then 1 else 0))).
      + set (e := E (shuffled (map (biased (seq 0 K) c x) s)) (fun l => if forallb (Nat.eqb a) l then 1 else 0)).
        rewrite E_biased, (every_alone (seq 0 K) [a]).
        * simpl. rewrite PeanoNat.Nat.eqb_refl. destruct (z =? a)%nat; lra.
        * repeat constructor. intros [].
        * apply incl_cons; [exact J|apply incl_nil_l].
        * apply seq_NoDup.
        * intros y Y. destruct (PeanoNat.Nat.eqb_spec y a) as [->|]; [destruct Y; now left|lra].
      + intros y. rewrite <- E_scal. apply E_ext. intros l.
        replace (forallb (Nat.eqb a) (insert y l)) with ((y =? a)%nat && forallb (Nat.eqb a) l)%bool.
        * destruct (y =? a)%nat, (forallb (Nat.eqb a) l); cbn; lra.
        * rewrite (PeanoNat.Nat.eqb_sym y a). induction l as [|u l IHl]; [reflexivity|]. cbn [insert].
          destruct (y <=? u)%nat; [reflexivity|]. cbn [forallb]. rewrite <- IHl. destruct (a =? y)%nat, (a =? u)%nat; reflexivity.
    - intros l _ Jl. rewrite order_is_not_seen, apply_within by assumption.
      assert (H : forall m, forallb (Nat.eqb a) (nodup PeanoNat.Nat.eq_dec m) = forallb (Nat.eqb a) m).
      { intros m. apply Bool.eq_iff_eq_true. rewrite !forallb_forall. split; intros H z Z; apply H.
        - now apply nodup_In.
        - now apply (nodup_In PeanoNat.Nat.eq_dec). }
      destruct U as [->| ->]; [reflexivity|now rewrite H]. }
  rewrite (alone _ I), (alone _ I'). cbn [fold_right]. rewrite PeanoNat.Nat.eqb_refl.
  replace (b =? a)%nat with false by (symmetry; apply PeanoNat.Nat.eqb_neq; congruence).
  set (p := fold_right _ 1 w). assert (P : 0 < p).
  { unfold p. clear - C X. induction w as [|z w IH]; cbn [fold_right]; [lra|]. apply Rmult_lt_0_compat; [|exact IH].
    destruct (z =? a)%nat; [apply Rmult_lt_0_compat; lra|exact C]. }
  split; [now apply Rmult_lt_0_compat|]. unfold truncated. simpl. field.
Qed.

(* Two of four items, x = 3: the constant is 1 + 2 + 2, and less where one item stays. *)
Example two_of_four : attained 5 (responses 4 3 AsSet [0%nat; 1%nat]) (responses 4 3 AsSet [2%nat; 3%nat]).
Proof.
  replace 5 with (truncated 3 2) by (unfold truncated; simpl; lra).
  apply (unordered_reached 4 3 AsSet [0%nat; 1%nat] [2%nat; 3%nat]); [now right|lra| | |reflexivity|].
  - split; [repeat constructor; cbn; intuition discriminate|]. intros z; cbn; tauto.
  - split; [repeat constructor; cbn; intuition discriminate|]. intros z; cbn; tauto.
  - intros z; cbn. intuition lia.
Qed.
Example not_four_then : ~ ratio 4 (responses 4 3 AsSet [0%nat; 1%nat]) (responses 4 3 AsSet [2%nat; 3%nat]).
Proof. intros H. pose proof (attained_least two_of_four H). lra. Qed.
Example one_stays : ratio 3 (responses 4 3 Multiset [0%nat; 1%nat]) (responses 4 3 Multiset [0%nat; 2%nat]).
Proof.
  replace 3 with (truncated 3 1) at 1 by (unfold truncated; simpl; lra).
  apply unordered_ratio; [now left|lra| | |reflexivity|cbn; lia].
  - split; [repeat constructor; cbn; intuition discriminate|]. intros z; cbn; tauto.
  - split; [repeat constructor; cbn; intuition discriminate|]. intros z; cbn; tauto.
Qed.
