(* An exponential between polynomials: 1 + x + x^2 / 2 < e^x < 1 + x + 3/4 x^2 for 0 < x <= 1, from e^(x + y) = e^x e^y and
   1 + x <= e^x alone. *)
From Coq Require Import Reals List Lra Lia ZArith.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Formulas meaning.Bounds meaning.Errors meaning.Exponentials.
Open Scope R_scope.

Section Exponential.
  Variable e : R -> R.
  Hypothesis is_e : is_exponential e.
  Lemma e_0 : e 0 = 1.
  Proof.
    destruct is_e as [A B]. pose proof (A 0 0) as H. rewrite Rplus_0_r in H. pose proof (B 0). nra.
  Qed.
  Lemma e_above x : 1 + x <= e x. Proof. exact (proj2 is_e x). Qed.
  Lemma e_half x : e x = e (x / 2) * e (x / 2).
  Proof. rewrite <- (proj1 is_e). f_equal. lra. Qed.
  Lemma e_positive x : 0 < e x.
  Proof.
    rewrite e_half. assert (N : e (x / 2) <> 0).
    { intros Z. pose proof (proj1 is_e (x / 2) (- (x / 2))) as H. rewrite Rplus_opp_r, e_0, Z in H. lra. }
    now apply Rsqr_pos_lt.
  Qed.
  Lemma e_inverse x : e x * e (- x) = 1.
  Proof. rewrite <- (proj1 is_e), Rplus_opp_r. exact e_0. Qed.
  (* A natural multiple of an exponent is a power. *)
  Lemma e_multiple x n : e (INR n * x) = e x ^ n.
  Proof.
    induction n as [|n IH]; [simpl; rewrite Rmult_0_l; exact e_0|]. rewrite S_INR.
    replace ((INR n + 1) * x) with (x + INR n * x) by ring. rewrite (proj1 is_e), IH. reflexivity.
  Qed.

  (* What is above 1 + x + c x^2 is above 1 + x + (c / 2 + 1 / 4) x^2. *)
  Lemma higher c : 0 <= c -> (forall x, 0 <= x -> 1 + x + c * x ^ 2 <= e x) ->
    forall x, 0 <= x -> 1 + x + (c / 2 + 1 / 4) * x ^ 2 + c / 4 * x ^ 3 <= e x.
  Proof.
    intros C H x X. rewrite e_half. specialize (H (x / 2) ltac:(lra)).
    assert (P : 0 <= 1 + x / 2 + c * (x / 2) ^ 2) by nra.
    assert (S : (1 + x / 2 + c * (x / 2) ^ 2) * (1 + x / 2 + c * (x / 2) ^ 2) <= e (x / 2) * e (x / 2)) by (apply Rmult_le_compat; lra).
    refine (Rle_trans _ _ _ _ S).
    replace ((1 + x / 2 + c * (x / 2) ^ 2) * (1 + x / 2 + c * (x / 2) ^ 2))
      with (1 + x + (c / 2 + 1 / 4) * x ^ 2 + c / 4 * x ^ 3 + (c * (x / 2) ^ 2) ^ 2) by field.
    pose proof (pow2_ge_0 (c * (x / 2) ^ 2)). lra.
  Qed.
  Lemma above_quadratic n x : 0 <= x -> 1 + x + (1 / 2 - / 2 * (/ 2) ^ n) * x ^ 2 <= e x.
  Proof.
    revert x. induction n as [|n IH]; intros x X; [simpl; pose proof (e_above x); lra|].
    assert (P : (/ 2) ^ n <= 1) by (rewrite <- (pow1 n); apply pow_incr; lra).
    pose proof (higher (1 / 2 - / 2 * (/ 2) ^ n) ltac:(lra) IH x X) as H. cbn [pow] in *.
    assert (0 <= (1 / 2 - / 2 * (/ 2) ^ n) / 4 * (x * (x * (x * 1)))) by (repeat apply Rmult_le_pos; lra).
    refine (Rle_trans _ _ _ _ H). simpl in *. nra.
  Qed.
  Lemma at_least_quadratic x : 0 <= x -> 1 + x + 1 / 2 * x ^ 2 <= e x.
  Proof.
    intros X. apply le_epsilon. intros d D.
    destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) (d / (1 + x ^ 2)) ) as (n & N).
    { apply Rdiv_lt_0_compat; [exact D|]. pose proof (pow2_ge_0 x). lra. }
    specialize (N n (le_n n)). rewrite Rabs_pos_eq in N by (apply pow_le; lra).
    pose proof (above_quadratic n x X) as H. pose proof (pow2_ge_0 x) as S.
    apply (Rmult_lt_compat_r (1 + x ^ 2)) in N; [|lra]. unfold Rdiv in N. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in N by lra.
    assert (0 <= (/ 2) ^ n) by (apply pow_le; lra). nra.
  Qed.
  (* The lower bound. *)
  Theorem e_above_quadratic x : 0 < x -> 1 + x + 1 / 2 * x ^ 2 < e x.
  Proof.
    intros X. pose proof (higher (1 / 2) ltac:(lra) at_least_quadratic x ltac:(lra)) as H.
    assert (0 < x ^ 3) by now apply pow_lt. lra.
  Qed.

  (* What is below 1 + x + c x^2 up to b is below 1 + x + d x^2 up to 2 b, if d is large enough. *)
  Lemma lower b c d : 0 <= c -> c / 2 + 1 / 4 + c * (2 * b) / 4 + c ^ 2 * (2 * b) ^ 2 / 16 <= d ->
    (forall x, 0 <= x <= b -> e x <= 1 + x + c * x ^ 2) -> forall x, 0 <= x <= 2 * b -> e x <= 1 + x + d * x ^ 2.
  Proof.
    intros C D H x X. rewrite e_half. specialize (H (x / 2) ltac:(lra)). pose proof (e_positive (x / 2)).
    assert (S : e (x / 2) * e (x / 2) <= (1 + x / 2 + c * (x / 2) ^ 2) * (1 + x / 2 + c * (x / 2) ^ 2)) by (apply Rmult_le_compat; lra).
    refine (Rle_trans _ _ _ S _).
    replace ((1 + x / 2 + c * (x / 2) ^ 2) * (1 + x / 2 + c * (x / 2) ^ 2))
      with (1 + x + (c / 2 + 1 / 4 + c * x / 4 + c ^ 2 * x ^ 2 / 16) * x ^ 2) by field.
    apply Rplus_le_compat_l, Rmult_le_compat_r; [apply pow2_ge_0|]. refine (Rle_trans _ _ _ _ D).
    assert (x ^ 2 <= (2 * b) ^ 2) by (apply pow_incr; lra). pose proof (pow2_ge_0 c).
    assert (c * x <= c * (2 * b)) by (apply Rmult_le_compat_l; lra).
    assert (c ^ 2 * x ^ 2 <= c ^ 2 * (2 * b) ^ 2) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  Lemma below_near_0 x : 0 <= x <= 1 / 64 -> e x <= 1 + x + 51 / 50 * x ^ 2.
  Proof.
    intros X. pose proof (e_inverse x) as I. pose proof (e_above (- x)) as A. pose proof (e_positive x) as P.
    apply Rmult_le_reg_r with (1 - x); [lra|]. apply Rle_trans with 1; [nra|].
    replace ((1 + x + 51 / 50 * x ^ 2) * (1 - x)) with (1 + x ^ 2 * (1 / 50 - 51 / 50 * x)) by field.
    assert (0 <= x ^ 2 * (1 / 50 - 51 / 50 * x)) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]). lra.
  Qed.
  (* The upper bound. *)
  Theorem e_below_quadratic x : 0 < x <= 1 -> e x < 1 + x + 3 / 4 * x ^ 2.
  Proof.
    intros X. assert (S : 0 < x ^ 2) by (apply pow_lt; lra).
    assert (H := lower (1 / 64) (51 / 50) (77 / 100) ltac:(lra) ltac:(lra) below_near_0).
    assert (H1 := lower (2 * (1 / 64)) (77 / 100) (65 / 100) ltac:(lra) ltac:(lra) H).
    assert (H2 := lower (2 * (2 * (1 / 64))) (65 / 100) (6 / 10) ltac:(lra) ltac:(lra) H1).
    assert (H3 := lower (2 * (2 * (2 * (1 / 64)))) (6 / 10) (59 / 100) ltac:(lra) ltac:(lra) H2).
    assert (H4 := lower (2 * (2 * (2 * (2 * (1 / 64))))) (59 / 100) (625 / 1000) ltac:(lra) ltac:(lra) H3).
    assert (H5 := lower (2 * (2 * (2 * (2 * (2 * (1 / 64)))))) (625 / 1000) (744 / 1000) ltac:(lra) ltac:(lra) H4).
    specialize (H5 x ltac:(lra)). lra.
  Qed.
  (* So for 0 < x <= 1 some u between 0 and 1 has e^x = 1 + x + x^2 (u + 2) / 4. *)
  Definition between (x y : R) : R := (y - 1 - x) * 4 / (x * x) - 2.
  Theorem e_between x : 0 < x <= 1 -> 0 < between x (e x) < 1 /\ 1 + x + x * x * (between x (e x) + 2) / 4 = e x.
  Proof.
    intros X. unfold between. pose proof (e_above_quadratic x (proj1 X)) as L. pose proof (e_below_quadratic x X) as U.
    simpl in L, U. assert (S : 0 < x * x) by (apply Rmult_lt_0_compat; lra). split; [|field; lra]. split.
    - apply Rmult_lt_reg_r with (x * x); [exact S|]. unfold Rdiv. rewrite Rmult_minus_distr_r, Rmult_assoc, Rinv_l by lra. lra.
    - apply Rmult_lt_reg_r with (x * x); [exact S|]. unfold Rdiv. rewrite Rmult_minus_distr_r, Rmult_assoc, Rinv_l by lra. lra.
  Qed.
End Exponential.
