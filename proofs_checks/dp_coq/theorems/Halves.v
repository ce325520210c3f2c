(* The expectation by halves, of the card blanket: of n draws m are of two labels, which are equally likely, and h of these
   m are of the first one; the gains of the labels are g0 >= g1, that of any other draw is g2. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions theorems.Expectations theorems.Binomials.
Import ListNotations.
Open Scope R_scope.

Definition gains (pair g0 g1 g2 : R) : dist R R := [(pair, g0); (pair, g1); (1 - 2 * pair, g2)].
Definition gain (g0 g1 rest : R) (m h : nat) : R := INR h * g0 + (INR m - INR h) * g1 + rest.

(* The sum of n gains, by the number of draws of the two labels and that of the first one. *)
Theorem sum_by_labels pair g0 g1 g2 n f : E (sum_law (gains pair g0 g1 g2) n) f
  = E (binomial_law (2 * pair) n) (fun m => E (binomial_law (1 / 2) m) (fun h => f (gain g0 g1 ((INR n - INR m) * g2) m h))).
Proof.
  revert f. induction n as [|n IH]; intros f.
  - cbn [sum_law binomial_law]. rewrite !E_point. cbn [binomial_law]. rewrite E_point. f_equal. unfold gain. simpl. lra.
  - rewrite E_sum_S. cbn [gains]. unfold gains. cbn [E]. rewrite !IH, E_binomial_S.
    rewrite (E_ext (binomial_law (2 * pair) n) (fun m => E (binomial_law (1 / 2) (S m)) _)
      (fun m => 1 / 2 * E (binomial_law (1 / 2) m) (fun h => f (g1 + gain g0 g1 ((INR n - INR m) * g2) m h))
        + 1 / 2 * E (binomial_law (1 / 2) m) (fun h => f (g0 + gain g0 g1 ((INR n - INR m) * g2) m h)))).
    2:{ intros m. rewrite E_binomial_S. replace (1 - 1 / 2) with (1 / 2) by lra.
        f_equal; f_equal; apply E_ext; intros h; f_equal; unfold gain; rewrite ?S_INR; lra. }
    rewrite E_plus, !E_scal.
    rewrite (E_ext (binomial_law (2 * pair) n) (fun m => E (binomial_law (1 / 2) m) (fun h => f (gain g0 g1 ((INR (S n) - INR m) * g2) m h)))
      (fun m => E (binomial_law (1 / 2) m) (fun h => f (g2 + gain g0 g1 ((INR n - INR m) * g2) m h)))).
    2:{ intros m. apply E_ext. intros h. f_equal. unfold gain. rewrite S_INR. lra. }
    lra.
Qed.

(* What those of at least t heads gain: of m + 1 draws, by two chances about m coins. *)
Lemma at_least_t g0 g1 k m t :
  E (binomial_law (1 / 2) (S m)) (fun h => if Nat.leb t h then gain g0 g1 k (S m) h else 0)
  = / 2 * (prob (binomial_law (1 / 2) m) (fun h => Nat.leb t h) * (INR (S m) * (g0 + g1) + 2 * k)
           + prob (binomial_law (1 / 2) m) (fun h => Nat.eqb (S h) t) * (INR (S m) * g0 + k)).
Proof.
  set (one h := if Nat.leb t h then 1 else 0).
  rewrite (E_ext _ _ (fun h => (g0 - g1) * (INR h * one h) + (INR (S m) * g1 + k) * one h)).
  2:{ intros h. unfold one, gain. destruct (Nat.leb t h); lra. }
  rewrite E_plus, !E_scal, size_biased, E_binomial_S. unfold prob.
  rewrite (E_ext _ (fun h => one (S h)) (fun h => one h + (if Nat.eqb (S h) t then 1 else 0))).
  2:{ intros h. unfold one. destruct (PeanoNat.Nat.leb_spec t (S h)), (PeanoNat.Nat.leb_spec t h), (PeanoNat.Nat.eqb_spec (S h) t); try lia; lra. }
  rewrite E_plus. fold one. change (fun o => if Nat.leb t o then 1 else 0) with one. lra.
Qed.
(* The expected positive part: t is the least number of heads with a gain. *)
Theorem mean_by_halves g0 g1 k m t : (forall h, (h < t)%nat -> gain g0 g1 k (S m) h <= 0) ->
  (forall h, (t <= h <= S m)%nat -> 0 <= gain g0 g1 k (S m) h) ->
  E (binomial_law (1 / 2) (S m)) (fun h => Rmax 0 (gain g0 g1 k (S m) h))
  = / 2 * (prob (binomial_law (1 / 2) m) (fun h => Nat.leb t h) * (INR (S m) * (g0 + g1) + 2 * k)
           + prob (binomial_law (1 / 2) m) (fun h => Nat.eqb (S h) t) * (INR (S m) * g0 + k)).
Proof.
  intros L H. rewrite <- at_least_t. apply E_binomial_ext; [lra|]. intros h B.
  destruct (PeanoNat.Nat.leb_spec t h); [apply Rmax_right, H; lia|apply Rmax_left, L; lia].
Qed.
(* Such a t there is, as gains grow with h. *)
Lemma gains_grow g0 g1 k m h i : g1 <= g0 -> (h <= i)%nat -> gain g0 g1 k m h <= gain g0 g1 k m i.
Proof.
  intros G L. apply le_INR in L. unfold gain. assert (0 <= (INR i - INR h) * (g0 - g1)) by (apply Rmult_le_pos; lra). lra.
Qed.
(* The mean is at least 0, and at most m g0 / 2, where nothing else gains. *)
Theorem mean_is_bounded g0 g1 k m : 0 <= g0 -> g1 <= 0 -> k <= 0 ->
  0 <= E (binomial_law (1 / 2) m) (fun h => Rmax 0 (gain g0 g1 k m h)) <= INR m * g0 / 2.
Proof.
  intros A B K. split.
  - apply Rle_trans with (E (binomial_law (1 / 2) m) (fun _ => 0)); [rewrite E_zero; lra|].
    apply E_binomial_le; [lra|]. intros. apply Rmax_l.
  - apply Rle_trans with (E (binomial_law (1 / 2) m) (fun h => INR h * g0)).
    + apply E_binomial_le; [lra|]. intros h L. apply le_INR in L. pose proof (pos_INR h).
      assert (0 <= INR h * g0) by (apply Rmult_le_pos; lra).
      assert (0 <= (INR m - INR h) * - g1) by (apply Rmult_le_pos; lra). apply Rmax_lub; unfold gain; lra.
    + destruct m as [|m]; [cbn [binomial_law]; rewrite E_point; simpl; lra|].
      rewrite (size_biased (1 / 2) m (fun _ => g0)), (E_const _ g0); [lra|].
      clear. induction m as [|m IH]; [cbn [binomial_law]; apply E_point|]. rewrite E_binomial_S, IH. lra.
Qed.

(* Two draws, each of the first label with chance 1 / 2, of the second with 1 / 2: 1 is gained if both are of the first. *)
Example two_heads : E (binomial_law (1 / 2) 2) (fun h => Rmax 0 (gain 1 (-1) 0 2 h)) = 1 / 2.
Proof.
  rewrite (mean_by_halves 1 (-1) 0 1 1).
  - unfold prob. rewrite !E_binomial_S. cbn [binomial_law]. rewrite !E_point. simpl. lra.
  - intros [|h] H; [unfold gain; simpl; lra|lia].
  - intros h [H _]. apply le_INR in H. simpl in H. unfold gain. simpl. lra.
Qed.
(* With another t it is another number: of one head nothing is left. *)
Example not_of_both : ~ E (binomial_law (1 / 2) 2) (fun h => Rmax 0 (gain 1 (-1) 0 2 h)) = 1.
Proof. rewrite two_heads. lra. Qed.
