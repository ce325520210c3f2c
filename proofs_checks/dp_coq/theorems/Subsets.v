(* Numbers of k-subsets of a list without repetitions: of all, of those that are inside another list, of those that have
   an item. *)
From Coq Require Import Reals List Lra Lia Bool Permutation.
From DP Require Import meaning.Numbers meaning.Laws meaning.Sentences checker.Agreement.
Import ListNotations.
Open Scope R_scope.

Definition binom (x : R) (k : nat) : R := binomial over_R x k.
Definition choose (n k : nat) : R := binom (INR n) k.
Definition number {A} (p : A -> bool) (l : list A) : nat := length (filter p l).
Definition misses (s o : list nat) : bool := forallb (fun x => negb (is_held x s)) o.

Lemma is_held_in x s : is_held x s = true <-> In x s.
Proof.
  unfold is_held. rewrite existsb_exists. split.
  - intros (y & I & Q). apply PeanoNat.Nat.eqb_eq in Q. now subst.
  - intros I. exists x. split; [exact I|apply PeanoNat.Nat.eqb_refl].
Qed.
Lemma binom_next x k : binom x (S k) = binom x k * (x - INR k) / INR (S k).
Proof.
  unfold binom. cbn [binomial]. unfold integer. cbn [mul sub div over_R of_Q]. rewrite !Q2R_integer, <- !INR_IZR_INZ. reflexivity.
Qed.
Lemma binom_none x : binom x 0 = 1.
Proof. exact (Q2R_integer 1). Qed.
(* Pascal's rule. *)
Theorem pascal x k : binom (x + 1) (S k) = binom x k + binom x (S k).
Proof.
  induction k as [|k IH].
  - rewrite !binom_next, !binom_none. simpl. lra.
  - rewrite binom_next, IH, (binom_next x (S k)), (binom_next x k).
    assert (INR k + 1 <> 0) by (pose proof (pos_INR k); lra). assert (INR k + 1 + 1 <> 0) by (pose proof (pos_INR k); lra).
    rewrite !(S_INR (S k)), !S_INR. field. split; assumption.
Qed.
Lemma choose_none n : choose n 0 = 1.
Proof. apply binom_none. Qed.
Lemma choose_next n k : choose (S n) (S k) = choose n k + choose n (S k).
Proof. unfold choose. rewrite S_INR. apply pascal. Qed.

Lemma number_app {A} (p : A -> bool) l m : number p (l ++ m) = (number p l + number p m)%nat.
Proof. unfold number. now rewrite filter_app, app_length. Qed.
Lemma number_map {A B} (f : A -> B) p l : number p (map f l) = number (fun x => p (f x)) l.
Proof. unfold number. induction l as [|x l IH]; [reflexivity|]. cbn [map filter]. destruct (p (f x)); cbn [length]; now rewrite IH. Qed.
Lemma number_same {A} (p q : A -> bool) l : (forall x, In x l -> p x = q x) -> number p l = number q l.
Proof.
  unfold number. induction l as [|x l IH]; intros H; [reflexivity|]. cbn [filter]. rewrite (H x (or_introl eq_refl)).
  destruct (q x); cbn [length]; rewrite IH; auto with datatypes.
Qed.
Lemma number_none {A} (p : A -> bool) l : (forall x, In x l -> p x = false) -> number p l = 0%nat.
Proof. intros H. rewrite (number_same p (fun _ => false)) by exact H. unfold number. clear. now induction l. Qed.
Lemma number_of_all {A} (l : list A) : number (fun _ => true) l = length l.
Proof. unfold number. induction l as [|x l IH]; [reflexivity|]. cbn. now rewrite IH. Qed.
Lemma number_split {A} (p : A -> bool) l : (number p l + number (fun x => negb (p x)) l)%nat = length l.
Proof. unfold number. induction l as [|x l IH]; [reflexivity|]. cbn [filter]. destruct (p x); cbn [negb length]; lia. Qed.
Lemma number_and {A} (p q : A -> bool) l : number (fun x => p x && q x) l = number q (filter p l).
Proof. unfold number. induction l as [|x l IH]; [reflexivity|]. cbn [filter]. destruct (p x); cbn [andb filter]; [destruct (q x); cbn [length]|]; now rewrite IH. Qed.

Lemma parts_none {A} (l : list A) : parts 0 l = [[]].
Proof. now destruct l. Qed.
Lemma parts_inside {A} (l : list A) : forall k o, In o (parts k l) -> incl o l.
Proof.
  induction l as [|x l IH]; intros [|k] o; cbn [parts]; try (intros [<-|[]]; apply incl_nil_l); [intros []|].
  rewrite in_app_iff, in_map_iff. intros [(q & <- & I)|I].
  - apply incl_cons; [now left|]. apply incl_tl. exact (IH k q I).
  - apply incl_tl. exact (IH (S k) o I).
Qed.
(* A list of n items has choose n k parts of k items. *)
Theorem number_of_parts {A} (l : list A) : forall k, INR (length (parts k l)) = choose (length l) k.
Proof.
  induction l as [|x l IH]; intros [|k]; cbn [parts length]; rewrite ?choose_none; try reflexivity.
  - unfold choose. cbn [INR]. induction k as [|k IH].
    + rewrite binom_next. simpl. lra.
    + rewrite binom_next, <- IH. simpl. lra.
  - rewrite app_length, map_length, plus_INR, !IH. now rewrite choose_next.
Qed.
(* The parts with items of a kind alone are the parts of the list of these items. *)
Theorem parts_of_a_kind {A} (p : A -> bool) (l : list A) : forall k, filter (forallb p) (parts k l) = parts k (filter p l).
Proof.
  assert (H : forall (x : A) q, filter (forallb p) (map (cons x) q) = if p x then map (cons x) (filter (forallb p) q) else []).
  { intros x q. induction q as [|o q IH]; cbn [map filter forallb]; [now destruct (p x)|].
    destruct (p x); cbn [andb]; [|exact IH]. destruct (forallb p o); cbn [map]; now rewrite IH. }
  induction l as [|x l IH]; intros [|k]; cbn [parts filter]; try reflexivity; [now rewrite parts_none|].
  rewrite filter_app, H, !IH. destruct (p x); reflexivity.
Qed.
(* One item is in choose (n - 1) (k - 1) of the parts of k of n items. *)
Theorem parts_with_an_item x l : NoDup l -> In x l -> forall k,
  INR (number (is_held x) (parts (S k) l)) = choose (length l - 1) k.
Proof.
  induction 1 as [|y l N D IH]; intros I k; [destruct I|]. cbn [parts length]. rewrite number_app, number_map, plus_INR.
  replace (S (length l) - 1)%nat with (length l) by lia. destruct (PeanoNat.Nat.eq_dec y x) as [->|Q].
  - rewrite (number_same _ (fun _ => true)) by (intros o _; unfold is_held; cbn; now rewrite PeanoNat.Nat.eqb_refl).
    rewrite (number_none _ (parts (S k) l)).
    2:{ intros o O. apply not_true_is_false. rewrite is_held_in. intros J. exact (N (parts_inside l _ _ O x J)). }
    rewrite number_of_all, number_of_parts. simpl. lra.
  - destruct I as [->|I]; [contradiction|].
    rewrite (number_same _ (is_held x)).
    2:{ intros o _. unfold is_held. cbn. destruct (PeanoNat.Nat.eqb_spec x y); [now subst|reflexivity]. }
    rewrite (IH I k). destruct (length l) as [|n] eqn:L; [destruct l; [destruct I|discriminate]|].
    replace (S n - 1)%nat with n by lia. destruct k as [|k].
    + rewrite parts_none, !choose_none. simpl. lra.
    + rewrite (IH I k), choose_next. now replace (S n - 1)%nat with n by lia.
Qed.
Lemma items_not_held s l : NoDup s -> incl s l -> NoDup l -> length (filter (fun x => negb (is_held x s)) l) = (length l - length s)%nat.
Proof.
  intros S I L. pose proof (number_split (fun x => is_held x s) l) as H. unfold number in H.
  assert (P : Permutation (filter (fun x => is_held x s) l) s).
  { apply NoDup_Permutation; [now apply NoDup_filter|exact S|]. intros x. rewrite filter_In, is_held_in. split; [tauto|auto]. }
  apply Permutation_length in P. lia.
Qed.
Lemma parts_exist {A} (l : list A) : forall k, (k <= length l)%nat -> exists o, In o (parts k l).
Proof.
  induction l as [|x l IH]; intros [|k] H; cbn [length] in H; try (exists []; now left); [lia|].
  destruct (IH k) as (o & O); [lia|]. exists (x :: o). cbn [parts]. apply in_app_iff. left. now apply in_map.
Qed.
Lemma parts_have_length {A} (l : list A) : forall k o, In o (parts k l) -> length o = k.
Proof.
  induction l as [|x l IH]; intros [|k] o; cbn [parts]; try (intros [<-|[]]; reflexivity); [intros []|].
  rewrite in_app_iff, in_map_iff. intros [(q & <- & I)|I]; [cbn; f_equal; now apply IH|now apply IH].
Qed.
