(* Exchangeability. Of N shuffled messages one is a report, and nobody sees which: the others have a law w, and the chances
   of the report are r y and r' y times those under w. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles.
Import ListNotations.
Open Scope R_scope.

Definition total (g : nat -> R) (l : list nat) : R := fold_right (fun y sum => g y + sum) 0 l.
Definition times_as_likely (r : nat -> R) (w d : dist R nat) : Prop := forall f, E d f = E w (fun y => r y * f y).

Lemma total_insert g x l : total g (insert x l) = g x + total g l.
Proof.
  induction l as [|y l IH]; [reflexivity|]. cbn [insert]. destruct (PeanoNat.Nat.leb x y); [reflexivity|].
  change (g y + total g (insert x l) = g x + (g y + total g l)). rewrite IH. lra.
Qed.
Lemma total_minus g h a l : total (fun y => g y - a * h y) l = total g l - a * total h l.
Proof. induction l as [|y l IH]; [simpl; lra|]. cbn [total fold_right]. unfold total in IH. rewrite IH. lra. Qed.
Lemma any_of_them w r n : forall f, INR (S n) * E w (fun y => r y * E (shuffled (repeat w n)) (fun l => f (insert y l)))
  = E (shuffled (repeat w (S n))) (fun l => total r l * f l).
Proof.
  induction n as [|n IH]; intros f; symmetry; cbn [repeat]; rewrite E_shuffled; symmetry.
  - change (INR 1) with 1. rewrite Rmult_1_l. apply E_ext; intros y. rewrite !E_shuffled_none. simpl. lra.
  - symmetry. rewrite (E_ext w _ (fun y => r y * E (shuffled (repeat w (S n))) (fun l => f (insert y l))
      + E (shuffled (repeat w (S n))) (fun l => total r l * f (insert y l)))).
    2:{ intros y. rewrite <- E_scal, <- E_plus. apply E_ext; intros l. rewrite total_insert. lra. }
    rewrite E_plus.
    rewrite (E_ext w (fun y => E (shuffled (repeat w (S n))) (fun l => total r l * f (insert y l)))
      (fun y => INR (S n) * E w (fun z => r z * E (shuffled (repeat w n)) (fun l => f (insert y (insert z l)))))).
    2:{ intros y. now rewrite <- (IH (fun l => f (insert y l))). }
    rewrite E_scal, E_swap.
    rewrite (E_ext w (fun z => E w (fun y => r z * E (shuffled (repeat w n)) (fun l => f (insert y (insert z l)))))
      (fun z => r z * E (shuffled (repeat w (S n))) (fun l => f (insert z l)))).
    2:{ intros z. rewrite E_scal. cbn [repeat]. rewrite E_shuffled. f_equal. apply E_ext; intros y. apply E_ext; intros l.
        now rewrite insert_comm. }
    rewrite (S_INR (S n)). cbn [repeat]. lra.
Qed.

(* The multiset of messages has the chance of N draws of w, times the mean of r over the messages in it. *)
Theorem exchangeable w d r n f : times_as_likely r w d ->
  E (shuffled (d :: repeat w n)) f = E (shuffled (repeat w (S n))) (fun l => total r l * f l) / INR (S n).
Proof.
  intros H. rewrite E_shuffled, H. apply Rmult_eq_reg_l with (INR (S n)); [|now apply not_0_INR].
  rewrite any_of_them. field. now apply not_0_INR.
Qed.
(* So the divergence is known: it is the expected positive part of the sum of the gains g = r - a r', divided by N. *)
Theorem divergence_is_expected_gain w d d' r r' a t n : is_law w -> times_as_likely r w d -> times_as_likely r' w d' ->
  (divergence a t (shuffled (d :: repeat w n)) (shuffled (d' :: repeat w n))
   <-> E (shuffled (repeat w (S n))) (fun l => Rmax 0 (total (fun y => r y - a * r' y) l)) / INR (S n) <= t).
Proof.
  intros L H H'. set (W := shuffled (repeat w (S n))). set (g := fun y => r y - a * r' y).
  assert (N : 0 < INR (S n)) by (apply lt_0_INR; lia).
  assert (law_W : is_law W).
  { unfold W, shuffled. apply law_push. clear - L. induction (S n) as [|m IH]; cbn [repeat sequence]; [apply law_point|].
    apply law_bind; [exact L|]. intros y. apply law_push. exact IH. }
  assert (K : forall f, E (shuffled (d :: repeat w n)) f
    = a * E (shuffled (d' :: repeat w n)) f + E W (fun l => total g l * f l) / INR (S n)).
  { intros f. rewrite (exchangeable w d r n f H), (exchangeable w d' r' n f H').
    fold W. rewrite (E_ext W (fun l => total g l * f l) (fun l => total r l * f l + (- a) * (total r' l * f l))).
    2:{ intros l. unfold g. rewrite total_minus. lra. }
    rewrite E_plus, E_scal. field. lra. }
  split.
  - intros D. specialize (D (fun l => if Rlt_dec 0 (total g l) then 1 else 0)). cbv beta in D. rewrite K in D.
    rewrite (E_ext W (fun l => Rmax 0 (total g l)) (fun l => total g l * (if Rlt_dec 0 (total g l) then 1 else 0))).
    + assert (P : forall l : list nat, 0 <= (if Rlt_dec 0 (total g l) then 1 else 0) <= 1) by (intros l; destruct Rlt_dec; lra).
      specialize (D P). lra.
    + intros l. destruct Rlt_dec as [P|P]; [rewrite Rmax_right|rewrite Rmax_left]; lra.
  - intros B f P. rewrite K.
    assert (E W (fun l => total g l * f l) <= E W (fun l => Rmax 0 (total g l))).
    { apply E_le; [exact (proj1 law_W)|]. intros l. destruct (P l) as [P0 P1].
      destruct (Rle_dec 0 (total g l)) as [G|G].
      - rewrite Rmax_right by exact G. rewrite <- (Rmult_1_r (total g l)) at 2. now apply Rmult_le_compat_l.
      - rewrite Rmax_left by lra. assert (0 <= - total g l * f l) by (apply Rmult_le_pos; lra). lra. }
    assert (E W (fun l => total g l * f l) / INR (S n) <= E W (fun l => Rmax 0 (total g l)) / INR (S n)); [|lra].
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|assumption].
Qed.

(* Two messages of two labels, one a report that is always the first label or always the second: it is guessed in half the
   cases, those where both messages are alike. *)
Definition fair : dist R nat := [(1 / 2, 0%nat); (1 / 2, 1%nat)].
Example always_the_first : times_as_likely (fun y => if Nat.eqb y 0 then 2 else 0) fair (point over_R 0%nat).
Proof. intros f. rewrite E_point. simpl. lra. Qed.
Example not_the_second : ~ times_as_likely (fun y => if Nat.eqb y 0 then 2 else 0) fair (point over_R 1%nat).
Proof. intros H. specialize (H (fun y => if Nat.eqb y 0 then 1 else 0)). rewrite E_point in H. simpl in H. lra. Qed.
Example two_messages :
  let g y := (if Nat.eqb y 0 then 2 else 0) - 1 * (if Nat.eqb y 0 then 0 else 2) in
  E (shuffled (repeat fair 2)) (fun l => Rmax 0 (total g l)) / INR 2 = 1 / 2.
Proof.
  intros g. cbn [repeat fair]. unfold fair. rewrite E_shuffled. cbn [E]. rewrite !E_shuffled. cbn [E]. rewrite !E_shuffled_none.
  cbn [insert PeanoNat.Nat.leb total fold_right]. subst g. cbn [Nat.eqb].
  rewrite (Rmax_right 0 (2 - 1 * 0 + (2 - 1 * 0 + 0))), (Rmax_left 0 (2 - 1 * 0 + (0 - 1 * 2 + 0))) by lra.
  rewrite ?(Rmax_left 0 (0 - 1 * 2 + (0 - 1 * 2 + 0))), ?(Rmax_left 0 (0 - 1 * 2 + (2 - 1 * 0 + 0))) by lra. simpl. lra.
Qed.
