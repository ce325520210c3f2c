(* The card matching: randomized response of every item of a set, of which the multiset is seen, or the set. *)
From Coq Require Import Reals List Lra Lia ZArith Bool Permutation.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws checker.Agreement.
From DP Require Import theorems.Expectations theorems.Ratios theorems.Shuffles theorems.Subsets theorems.Placements theorems.Arrangements.
Import ListNotations.
Open Scope R_scope.

(* What is seen: f is Multiset or AsSet. Of K sensitive items, each is reported as itself w = x times as often as another
   one; another item as any sensitive one, too, and as itself with the rest. *)
Definition unordered (f : fn) : Prop := f = Multiset \/ f = AsSet.
Definition of_both : term :=
  let weights := Sub (Add (Var 2) (Var 1)) (Cst 1) in
  Row [(Sen, [(Own, Div (Var 2) weights); (Other, Div (Cst 1) weights)]);
       (Non, [(Own, Div (Sub (Var 2) (Cst 1)) weights); (Any, Div (Cst 1) weights)])].
Definition responses (K : nat) (x : R) (f : fn) (s : list nat) : dist R val :=
  law over_R (fun _ => x) (fun _ => []) K 0 (Push f (EachHeld of_both)) s.
(* How many sensitive items s loses. *)
Definition lost (K : nat) (s t : list nat) : nat := number (fun z => (z <? K)%nat && negb (is_held z t)) s.

Definition other_chance (K : nat) (x : R) : R := / (x + INR K - 1).
Lemma E_response K x a f :
  E (law over_R (fun _ => x) (fun _ => []) K 0 of_both [a]) f
  = E (biased (seq 0 K) (other_chance K x) x a) (fun y => f (Item y)).
Proof.
  rewrite E_biased. set (c := other_chance K x). set (w := world over_R (fun _ => x) K).
  assert (V : eval over_R w (Sub (Add (Var 2) (Var 1)) (Cst 1)) = x + INR K - 1).
  { cbn [eval]. unfold w, world, integer. cbn [add sub over_R of_Q]. rewrite !Q2R_integer, <- INR_IZR_INZ. reflexivity. }
  assert (D : forall e, eval over_R w (Div e (Sub (Add (Var 2) (Var 1)) (Cst 1))) = eval over_R w e * c).
  { intros e. change (eval over_R w (Div e (Sub (Add (Var 2) (Var 1)) (Cst 1))))
      with (eval over_R w e / eval over_R w (Sub (Add (Var 2) (Var 1)) (Cst 1))). now rewrite V. }
  assert (X : eval over_R w (Var 2) = x) by reflexivity. assert (One : eval over_R w (Cst 1) = 1) by (cbn [eval]; apply one_R).
  assert (X1 : eval over_R w (Sub (Var 2) (Cst 1)) = x - 1).
  { change (eval over_R w (Sub (Var 2) (Cst 1))) with (eval over_R w (Var 2) - eval over_R w (Cst 1)). now rewrite X, One. }
  unfold law, of_both, cells. fold w. destruct (PeanoNat.Nat.ltb_spec a K) as [L|L];
    cbn [cells_of kind_eqb orb flat_map labels_of map app fst snd]; rewrite app_nil_r; cbn [E]; rewrite ?D, ?X, ?X1, ?One, Rmult_1_l.
  - assert (G : forall m, NoDup m -> E (map (fun y => (c, y)) (map Item (filter (fun z => negb (z =? a)%nat) m))) f
      + (if is_held a m then c * f (Item a) else 0) = c * E (every m) (fun y => f (Item y))).
    { induction 1 as [|y m N M IH]; [simpl; lra|]. rewrite E_every_cons, Rmult_plus_distr_l, <- IH. cbn [filter]. unfold is_held. cbn [existsb].
      destruct (PeanoNat.Nat.eqb_spec y a) as [->|Q].
      - rewrite PeanoNat.Nat.eqb_refl. cbn [negb orb].
        replace (existsb (Nat.eqb a) m) with false; [lra|]. symmetry. apply Bool.not_true_is_false. intros T. apply N. now apply is_held_in.
      - replace (a =? y)%nat with false by (symmetry; apply PeanoNat.Nat.eqb_neq; congruence). cbn [negb orb map E]. unfold is_held. lra. }
    specialize (G (seq 0 K) (seq_NoDup K 0)). replace (is_held a (seq 0 K)) with true in G by (symmetry; apply is_held_in, in_seq; lia).
    change (x * c * f (Item a) + E (map (fun y => (c, y)) (map Item (filter (fun z => negb (z =? a)%nat) (seq 0 K)))) f
      = c * (E (every (seq 0 K)) (fun y => f (Item y)) + (x - 1) * f (Item a))).
    rewrite Rmult_plus_distr_l, <- G. ring.
  - assert (G : forall m, E (map (fun y => (c, y)) (map Item m)) f = c * E (every m) (fun y => f (Item y))).
    { induction m as [|y m IH]; [simpl; lra|]. rewrite E_every_cons. cbn [map E]. rewrite IH. lra. }
    change ((x - 1) * c * f (Item a) + E (map (fun y => (c, y)) (map Item (seq 0 K))) f
      = c * (E (every (seq 0 K)) (fun y => f (Item y)) + (x - 1) * f (Item a))).
    rewrite G. ring.
Qed.
Lemma E_each K x s f : E (law over_R (fun _ => x) (fun _ => []) K 0 (EachHeld of_both) s) f
  = E (rsequence (map (biased (seq 0 K) (other_chance K x) x) s)) (fun l => f (Tup (map Item l))).
Proof.
  cbn [law]. rewrite E_push.
  enough (H : forall h, E (rsequence (map (fun a => law over_R (fun _ => x) (fun _ => []) K 0 of_both [a]) s)) h
    = E (rsequence (map (biased (seq 0 K) (other_chance K x) x) s)) (fun l => h (map Item l))) by exact (H (fun l => f (Tup l))).
  clear f. induction s as [|a s IH]; intros h; [now cbn [map sequence]; rewrite !E_point|].
  cbn [map sequence]. rewrite !E_bind, (E_response K x a). apply E_ext. intros y. rewrite !E_push. apply (IH (fun l => h (Item y :: l))).
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
Lemma E_responses K x f s g : unordered f ->
  E (responses K x f s) g = E (shuffled (map (biased (seq 0 K) (other_chance K x) x) s)) (fun l => g (apply f K (Tup (map Item l)))).
Proof.
  intros U. unfold responses. change (law over_R (fun _ => x) (fun _ => []) K 0 (Push f (EachHeld of_both)) s)
    with (rpush (apply f K) (law over_R (fun _ => x) (fun _ => []) K 0 (EachHeld of_both) s)).
  unfold shuffled. rewrite !E_push, E_each. apply E_ext. intros l. now rewrite order_is_not_seen.
Qed.
(* What is seen shows every item that a result is, and no other one. *)
Lemma shows_all f K l z : unordered f -> In z (flat (apply f K (Tup (map Item l)))) <-> In z l.
Proof.
  intros U. unfold apply. rewrite flat_items.
  assert (H : forall u v, flat (Tup [items u; items v]) = u ++ v).
  { intros u v. unfold items. cbn [flat flat_map]. change (flat_map flat (map Item u)) with (flat (Tup (map Item u))).
    change (flat_map flat (map Item v)) with (flat (Tup (map Item v))). now rewrite !flat_items, app_nil_r. }
  assert (G : forall p, In z (isort (filter p l)) <-> In z l /\ p z = true).
  { intros p. rewrite <- filter_In. apply Permutation_in'; [reflexivity|]. apply isort_permutes. }
  destruct U as [->| ->]; rewrite H, in_app_iff, ?nodup_In, !G, PeanoNat.Nat.ltb_lt, PeanoNat.Nat.leb_le;
    (destruct (PeanoNat.Nat.lt_ge_cases z K); intuition lia).
Qed.
Lemma other_chance_positive K x : 1 < x -> 0 < other_chance K x.
Proof. intros X. pose proof (pos_INR K). apply Rinv_0_lt_compat. lra. Qed.
Lemma two_kinds {A} (p : A -> bool) l : Permutation l (filter p l ++ filter (fun z => negb (p z)) l).
Proof.
  induction l as [|a l IH]; [constructor|]. cbn [filter]. destruct (p a); cbn [negb app]; [now constructor|].
  now apply Permutation_cons_app.
Qed.

(* If s loses at most A sensitive items, no report is more than 1 + (x - 1) + ... + (x - 1)^A / A! times as likely under s:
   of those that show other items only if both hold them. *)
Definition compared (K : nat) (s t : list nat) (g : val -> R) : Prop :=
  (forall v, 0 <= g v) /\ forall v z, (K <= z)%nat -> In z (flat v) -> ~ (In z s /\ In z t) -> g v = 0.
Theorem unordered_ratio K x f s t A g : unordered f -> 1 < x -> NoDup s -> NoDup t -> length s = length t ->
  (lost K s t <= A)%nat -> compared K s t g -> E (responses K x f s) g <= truncated x A * E (responses K x f t) g.
Proof.
  intros U X N N' L M [P G]. rewrite !E_responses by assumption. set (h := fun l => g (apply f K (Tup (map Item l)))).
  pose proof (other_chance_positive K x X) as C. assert (X' : 1 <= x) by lra.
  set (w := filter (fun z => is_held z t) s). set (d := filter (fun z => negb (is_held z t)) s). set (v := filter (fun z => negb (is_held z s)) t).
  set (u := filter (fun z => negb (z <? K)%nat) d). set (r := filter (fun z => (z <? K)%nat) d).
  assert (PS : Permutation s (w ++ u ++ r)).
  { rewrite (two_kinds (fun z => is_held z t) s) at 1. apply Permutation_app_head. fold d.
    rewrite (two_kinds (fun z => (z <? K)%nat) d) at 1. apply Permutation_app_comm. }
  assert (PT : Permutation t (w ++ v)).
  { rewrite (two_kinds (fun z => is_held z s) t) at 1. apply Permutation_app_tail. apply NoDup_Permutation; try now apply NoDup_filter.
    intros z. unfold w. rewrite !filter_In, !is_held_in. tauto. }
  rewrite (order_of_items _ _ _ _ _ PS), (order_of_items _ _ _ _ _ PT).
  assert (LU : length (u ++ r) = length v).
  { apply Permutation_length in PS, PT. rewrite !app_length in *. lia. }
  assert (LR : (length r <= A)%nat).
  { eapply PeanoNat.Nat.le_trans; [|exact M]. unfold lost, number, r, d. clear. induction s as [|a m IH]; [constructor|]. cbn [filter].
    destruct (is_held a t), (a <? K)%nat eqn:E; cbn [negb andb filter length]; rewrite ?E; cbn [length]; lia. }
  assert (Q : forall l, 0 <= h l) by (intros l; apply P).
  assert (H : hides u h).
  { intros a l I J. apply filter_In in I as [I B]. apply filter_In in I as [I O].
    apply (G _ a); [apply Bool.negb_true_iff, PeanoNat.Nat.ltb_ge in B; exact B|now apply shows_all|].
    intros [_ T]. apply is_held_in in T. rewrite T in O. discriminate. }
  assert (NR : NoDup r) by (unfold r, d; now repeat apply NoDup_filter).
  assert (IR : incl r (seq 0 K)).
  { intros z Z. apply filter_In in Z as [_ Z]. apply PeanoNat.Nat.ltb_lt in Z. apply in_seq. lia. }
  eapply Rle_trans; [exact (ratio_beside_common (seq 0 K) (other_chance K x) x ltac:(lra) X' w u r v NR IR LU h H Q)|].
  apply Rmult_le_compat_r; [|now apply truncated_grows].
  eapply Rle_trans; [|apply (reports_at_least_blind (seq 0 K) (other_chance K x) x ltac:(lra) X' (w ++ v) h Q)].
  apply Rmult_le_pos; [apply pow_le; lra|]. now apply blind_nonnegative.
Qed.

Lemma E_of_length ls c x s : forall f g, (forall l, length l = length s -> f (isort l) = g (isort l)) ->
  E (shuffled (map (biased ls c x) s)) f = E (shuffled (map (biased ls c x) s)) g.
Proof.
  induction s as [|a s IH]; intros f g H; cbn [map]; [rewrite !E_shuffled_none; now apply (H [])|].
  rewrite !E_shuffled. apply E_ext. intros y. apply IH. intros l L. apply (H (y :: l)). cbn. now rewrite L.
Qed.
(* Of as many results as s has items, only the items of s are seen as s. *)
Lemma seen_as_set f K s l : unordered f -> NoDup s -> length l = length s ->
  flat (apply f K (Tup (map Item l))) = flat (apply f K (Tup (map Item s))) <-> isort l = isort s.
Proof.
  intros U N L. split; intros H.
  - apply order_is_hidden. assert (G : forall z, In z s <-> In z l) by (intros z; now rewrite <- (shows_all f K l z U), H, shows_all).
    apply NoDup_Permutation; [|exact N|firstorder]. apply (NoDup_incl_NoDup N); [lia|]. intros z. apply G.
  - now rewrite <- (order_is_not_seen f K l U), H, order_is_not_seen.
Qed.
Definition insert_all (w l : list nat) : list nat := fold_right insert l w.
Lemma insert_all_permutes w l : Permutation (insert_all w l) (w ++ l).
Proof.
  induction w as [|a w IH]; [apply Permutation_refl|]. cbn [insert_all fold_right app].
  eapply Permutation_trans; [apply insert_is_cons|]. now constructor.
Qed.
(* Common items that are not sensitive report themselves. *)
Lemma common_items K c x w r f : NoDup (w ++ r) -> (forall z, In z w -> (K <= z)%nat) ->
  (forall l, f l <> 0 -> incl w l) ->
  E (shuffled (map (biased (seq 0 K) c x) (w ++ r))) f
  = ((x - 1) * c) ^ length w * E (shuffled (map (biased (seq 0 K) c x) r)) (fun l => f (insert_all w l)).
Proof.
  revert f. induction w as [|b w IH]; intros f N B H; cbn [app length pow insert_all fold_right]; [now rewrite Rmult_1_l|].
  cbn [app] in N. inversion_clear N as [|? ? O N'].
  rewrite needed_item.
  - rewrite (IH (fun l => f (insert b l)) N').
    + rewrite <- !Rmult_assoc. reflexivity.
    + intros z Z. apply B. now right.
    + intros l Z z I. pose proof (H _ Z z (or_intror I)) as J. apply in_insert in J as [->|J]; [|exact J].
      exfalso. apply O, in_app_iff. now left.
  - intros J. apply in_seq in J. specialize (B b (or_introl eq_refl)). lia.
  - exact O.
  - intros l J. destruct (Req_dec (f l) 0) as [Z|Z]; [exact Z|]. destruct J. apply (H l Z). now left.
Qed.

(* If all that s loses is sensitive and all common items are not, the constant is reached where the report is s. *)
Theorem unordered_reached K x f s t : unordered f -> 1 < x -> NoDup s -> NoDup t -> length s = length t ->
  (forall z, In z s -> (In z t <-> (K <= z)%nat)) -> attained (truncated x (lost K s t)) (responses K x f s) (responses K x f t).
Proof.
  intros U X N N' L D. pose proof (other_chance_positive K x X) as C. set (c := other_chance K x) in *.
  set (w := filter (fun z => is_held z t) s). set (u := filter (fun z => negb (is_held z t)) s). set (v := filter (fun z => negb (is_held z s)) t).
  assert (PS : Permutation s (w ++ u)) by apply two_kinds.
  assert (PT : Permutation t (w ++ v)).
  { rewrite (two_kinds (fun z => is_held z s) t) at 1. apply Permutation_app_tail. apply NoDup_Permutation; try now apply NoDup_filter.
    intros z. unfold w. rewrite !filter_In, !is_held_in. tauto. }
  assert (LU : length u = length v) by (apply Permutation_length in PS, PT; rewrite app_length in *; lia).
  assert (LL : lost K s t = length u).
  { unfold lost, number, u. f_equal. apply filter_ext_in. intros z Z. destruct (is_held z t) eqn:T; cbn [negb]; [apply Bool.andb_false_r|].
    rewrite Bool.andb_true_r. apply PeanoNat.Nat.ltb_lt. destruct (PeanoNat.Nat.lt_ge_cases z K) as [B|B]; [exact B|].
    apply (D z Z), is_held_in in B. congruence. }
  assert (W : forall z, In z w -> (K <= z)%nat).
  { intros z Z. apply filter_In in Z as [Z T]. apply (D z Z). now apply is_held_in. }
  assert (NU : NoDup u) by now apply NoDup_filter.
  assert (IU : incl u (seq 0 K)).
  { intros z Z. apply filter_In in Z as [Z T]. apply in_seq. destruct (PeanoNat.Nat.lt_ge_cases z K) as [B|B]; [lia|].
    apply (D z Z), is_held_in in B. rewrite B in T. discriminate. }
  exists (fun y => if list_eq_dec PeanoNat.Nat.eq_dec (flat y) (flat (apply f K (Tup (map Item s)))) then true else false). unfold prob.
  set (h := fun l => is_set s (insert_all w l)).
  assert (permutes : forall l, h l <> 0 -> Permutation l u).
  { intros l Z. apply is_set_permutes in Z. apply (Permutation_app_inv_l w).
    now rewrite <- (insert_all_permutes w l), Z, <- PS. }
  assert (seen : forall m r, NoDup m -> length m = length s -> Permutation m (w ++ r) ->
    E (responses K x f m) (fun y => if (if list_eq_dec PeanoNat.Nat.eq_dec (flat y) (flat (apply f K (Tup (map Item s)))) then true else false) then 1 else 0)
    = ((x - 1) * c) ^ length w * E (shuffled (map (biased (seq 0 K) c x) r)) h).
  { intros m r Nm Lm Pm. rewrite E_responses by assumption. fold c. unfold h. rewrite <- common_items; [|exact (Permutation_NoDup Pm Nm)|exact W|].
    - rewrite <- (order_of_items _ _ _ _ _ Pm). apply E_of_length. intros l Ll. rewrite order_is_not_seen by exact U.
      pose proof (seen_as_set f K s l U N ltac:(lia)) as H. unfold is_set.
      destruct (list_eq_dec _ (flat _) _) as [A|A], (list_eq_dec _ (isort l) (isort s)) as [B|B]; tauto.
    - intros l Z z I. apply is_set_permutes in Z. apply (Permutation_in z (Permutation_sym Z)), (Permutation_in z (Permutation_sym PS)).
      apply in_app_iff. now left. }
  rewrite (seen s u N eq_refl PS), (seen t v N' (eq_sym L) PT).
  rewrite (reports_of_itself (seq 0 K) c x u h NU IU (seq_NoDup K 0)).
  2:{ intros l Z. exact (Permutation_NoDup (Permutation_sym (permutes l Z)) NU). }
  2:{ intros l a Z J A. apply A. exact (Permutation_in a (permutes l Z) J). }
  rewrite (reports_of_others (seq 0 K) c x v h).
  2:{ intros l a Z J A. apply (Permutation_in a (permutes l Z)), filter_In in J as [J _]. apply filter_In in A as [_ A].
      apply is_held_in in J. rewrite J in A. discriminate. }
  rewrite <- LU, LL. split; [|ring]. apply Rmult_lt_0_compat; [apply pow_lt; apply Rmult_lt_0_compat; lra|].
  apply Rmult_lt_0_compat; [now apply pow_lt|]. eapply Rlt_le_trans; [exact (blind_at_least (seq 0 K) u NU IU)|].
  unfold blind. apply E_le.
  - assert (P : forall n, nonnegative (rsequence (repeat (every (seq 0 K)) n))).
    { induction n as [|n IH]; cbn [repeat sequence]; [apply law_point|]. unfold bind, nonnegative. apply Forall_flat_map.
      pose proof (every_nonnegative (seq 0 K)) as V. revert V. apply Forall_impl. intros [p y] Y. unfold scale, push. rewrite !Forall_map.
      revert IH. apply Forall_impl. intros [q z] Z. cbn in *. now apply Rmult_le_pos. }
    unfold shuffled, push. apply Forall_map. exact (P (length u)).
  - intros l. unfold is_set at 1. destruct list_eq_dec as [->|_]; unfold h, is_set; [|destruct list_eq_dec; lra].
    destruct list_eq_dec as [_|Z]; [lra|]. destruct Z. clear - PS. rewrite (order_is_hidden s (w ++ u) PS). clear PS.
    induction w as [|a w IH]; [reflexivity|]. cbn [insert_all fold_right app]. unfold insert_all in IH. now rewrite IH.
Qed.
(* If s loses one item, which is sensitive, whatever else both have, x is reached where every result is this item. *)
Theorem one_item_reached K x f w a b : unordered f -> 1 < x -> (a < K)%nat -> NoDup (a :: w) -> a <> b ->
  attained (truncated x 1) (responses K x f (a :: w)) (responses K x f (b :: w)).
Proof.
  intros U X B N Q. pose proof (other_chance_positive K x X) as C. set (c := other_chance K x) in *.
  exists (fun v => forallb (Nat.eqb a) (flat v)). unfold prob.
  assert (alone : forall s, E (responses K x f s) (fun v => if forallb (Nat.eqb a) (flat v) then 1 else 0)
    = fold_right (fun z product => (if (z =? a)%nat then x * c else c) * product) 1 s).
  { intros s. rewrite E_responses by assumption.
    rewrite (E_of_length (seq 0 K) (other_chance K x) x s _ (fun l => if forallb (Nat.eqb a) l then 1 else 0)).
    - fold c. induction s as [|z s IH]; cbn [map fold_right]; [now rewrite E_shuffled_none|].
      rewrite E_shuffled, <- IH, (E_ext (biased (seq 0 K) c x z) _ (fun y => (if (y =? a)%nat then 1 else 0)
        * E (shuffled (map (biased (seq 0 K) c x) s)) (fun l => if forallb (Nat.eqb a) l then 1 else 0))).
      + set (e := E (shuffled (map (biased (seq 0 K) c x) s)) (fun l => if forallb (Nat.eqb a) l then 1 else 0)).
        rewrite E_biased, (every_alone (seq 0 K) [a]).
        * simpl. rewrite PeanoNat.Nat.eqb_refl. destruct (z =? a)%nat; lra.
        * repeat constructor. intros [].
        * apply incl_cons; [apply in_seq; lia|apply incl_nil_l].
        * apply seq_NoDup.
        * intros y Y. destruct (PeanoNat.Nat.eqb_spec y a) as [->|]; [destruct Y; now left|lra].
      + intros y. rewrite <- E_scal. apply E_ext. intros l.
        replace (forallb (Nat.eqb a) (insert y l)) with ((y =? a)%nat && forallb (Nat.eqb a) l)%bool.
        * destruct (y =? a)%nat, (forallb (Nat.eqb a) l); cbn; lra.
        * rewrite (PeanoNat.Nat.eqb_sym y a). induction l as [|u l IHl]; [reflexivity|]. cbn [insert].
          destruct (y <=? u)%nat; [reflexivity|]. cbn [forallb]. rewrite <- IHl. destruct (a =? y)%nat, (a =? u)%nat; reflexivity.
    - intros l _. f_equal. replace (forallb (Nat.eqb a) (flat (apply f K (Tup (map Item (isort l)))))) with (forallb (Nat.eqb a) (isort l)); [reflexivity|].
      apply Bool.eq_iff_eq_true. rewrite !forallb_forall. split; intros H z Z; apply H; revert Z; now rewrite (shows_all f K (isort l) z U). }
  rewrite !alone. cbn [fold_right]. rewrite PeanoNat.Nat.eqb_refl.
  replace (b =? a)%nat with false by (symmetry; apply PeanoNat.Nat.eqb_neq; congruence).
  set (p := fold_right _ 1 w). assert (P : 0 < p).
  { unfold p. clear - C X. induction w as [|z w IH]; cbn [fold_right]; [lra|]. apply Rmult_lt_0_compat; [|exact IH].
    destruct (z =? a)%nat; [apply Rmult_lt_0_compat; lra|exact C]. }
  split; [now apply Rmult_lt_0_compat|]. unfold truncated. simpl. field.
Qed.

(* Two of four items, x = 3: the constant is 1 + 2 + 2, also beside a common item that is not sensitive (the fifth one), and
   less where a sensitive item stays. *)
Example two_of_four : attained 5 (responses 4 3 AsSet [0; 1; 4]%nat) (responses 4 3 AsSet [2; 3; 4]%nat).
Proof.
  replace 5 with (truncated 3 2) by (unfold truncated; simpl; lra).
  apply (unordered_reached 4 3 AsSet [0; 1; 4]%nat [2; 3; 4]%nat); [now right|lra| | |reflexivity|].
  - repeat constructor; cbn; intuition discriminate.
  - repeat constructor; cbn; intuition discriminate.
  - intros z; cbn. intuition lia.
Qed.
Example not_four_then : ~ ratio 4 (responses 4 3 AsSet [0; 1; 4]%nat) (responses 4 3 AsSet [2; 3; 4]%nat).
Proof. intros H. pose proof (attained_least two_of_four H). lra. Qed.
Example one_stays g : compared 4 [0; 1]%nat [0; 2]%nat g ->
  E (responses 4 3 Multiset [0; 1]%nat) g <= 3 * E (responses 4 3 Multiset [0; 2]%nat) g.
Proof.
  intros G. replace 3 with (truncated 3 1) at 2 by (unfold truncated; simpl; lra).
  apply unordered_ratio; [now left|lra| | |reflexivity|cbn; lia|exact G]; repeat constructor; cbn; intuition discriminate.
Qed.
