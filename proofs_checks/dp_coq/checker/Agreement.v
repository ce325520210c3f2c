(* What is computed over the rationals is what is meant over the reals. *)
From Coq Require Import Reals QArith Qreals Qround List Lia Lra ZArith.
From DP Require Import meaning.Numbers meaning.Expressions.
Import ListNotations.
Open Scope R_scope.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_integer z : Q2R (inject_Z z) = IZR z.
Proof. unfold Q2R; simpl; lra. Qed.
(* Also by 0, by which both divisions give 0. *)
Lemma Q2R_quotient x y : Q2R (x / y) = Q2R x / Q2R y.
Proof.
  destruct (Qeq_dec y 0) as [H|H]; [|now apply Q2R_div].
  assert (E : Q2R y = 0) by (rewrite (Qeq_eqR _ _ H); unfold Q2R; simpl; lra).
  unfold Rdiv; rewrite E, Rinv_0, Rmult_0_r. transitivity (Q2R 0); [|unfold Q2R; simpl; lra].
  apply Qeq_eqR. unfold Qdiv; rewrite H. unfold Qinv; simpl. ring.
Qed.
Lemma floor_unique x z : IZR z <= x < IZR z + 1 -> Int_part x = z.
Proof.
  intros [L G]. unfold Int_part. rewrite <- (tech_up x (z + 1)); [lia| |]; rewrite plus_IZR; lra.
Qed.
Lemma Q2R_floor q : Int_part (Q2R q) = Qfloor q.
Proof.
  apply floor_unique; split.
  - rewrite <- Q2R_integer. apply Qle_Rle, Qfloor_le.
  - pose proof (Qlt_Rlt _ _ (Qlt_floor q)) as H. rewrite Q2R_integer, plus_IZR in H. exact H.
Qed.
Lemma at_most_agrees x y : at_most over_R (Q2R x) (Q2R y) = at_most over_Q x y.
Proof.
  cbn. destruct (Rle_dec (Q2R x) (Q2R y)) as [L|G].
  - apply Rle_Qle, Qle_bool_iff in L; now rewrite L.
  - destruct (Qle_bool x y) eqn:E; [|reflexivity]. apply Qle_bool_iff, Qle_Rle in E; contradiction.
Qed.
Lemma Q2R_least x y : Q2R (least over_Q x y) = least over_R (Q2R x) (Q2R y).
Proof. unfold least; rewrite at_most_agrees. destruct (at_most over_Q x y); reflexivity. Qed.
Lemma Q2R_positive_power x n : Q2R (positive_power over_Q x n) = positive_power over_R (Q2R x) n.
Proof. induction n as [n IH|n IH|]; cbn [positive_power mul over_Q over_R]; now rewrite ?Q2R_red, ?Q2R_mult, ?Q2R_red, ?Q2R_mult, ?IH. Qed.
Lemma Q2R_power x z : Q2R (power over_Q x z) = power over_R (Q2R x) z.
Proof.
  destruct z; cbn [power]; [reflexivity|apply Q2R_positive_power|].
  cbn [div over_Q over_R]. now rewrite Q2R_red, Q2R_quotient, Q2R_positive_power.
Qed.
Lemma Q2R_binomial x k : Q2R (binomial over_Q x k) = binomial over_R (Q2R x) k.
Proof.
  induction k as [|k IH]; [reflexivity|]. cbn [binomial div mul sub over_Q over_R].
  now rewrite Q2R_red, Q2R_quotient, Q2R_red, Q2R_mult, Q2R_red, Q2R_minus, IH.
Qed.

(* Names with the same values. *)
Lemma eval_ext (N : number) e : forall env env', (forall x, env x = env' x) -> eval N env e = eval N env' e.
Proof.
  induction e; intros env env' H; cbn [eval]; auto;
    try (rewrite (IHe1 env env'), (IHe2 env env') by assumption; reflexivity); try (now rewrite (IHe env env')).
  rewrite (IHe1 env env'), (IHe2 env env') by assumption.
  induction (along _ _) as [|z l IH]; cbn [fold_right]; [reflexivity|]. rewrite IH; f_equal.
  apply IHe3; intros y; unfold put. destruct (y =? x)%positive; auto.
Qed.
(* The value over the rationals is that over the reals. *)
Theorem eval_agrees e : forall env, Q2R (eval over_Q env e) = value (fun x => Q2R (env x)) e.
Proof.
  unfold value; induction e; intros env; cbn [eval add sub mul div floor integer of_Q over_Q over_R carrier];
    rewrite ?Q2R_red; try reflexivity.
  - now rewrite Q2R_plus, IHe1, IHe2.
  - now rewrite Q2R_minus, IHe1, IHe2.
  - now rewrite Q2R_mult, IHe1, IHe2.
  - now rewrite Q2R_quotient, IHe1, IHe2.
  - now rewrite Q2R_minus, IHe.
  - now rewrite Q2R_power, IHe1, <- IHe2, Q2R_floor.
  - now rewrite <- IHe, Q2R_floor.
  - now rewrite Q2R_least, IHe1, IHe2.
  - now rewrite Q2R_binomial, IHe1, <- IHe2, Q2R_floor.
  - rewrite <- IHe1, <- IHe2, !Q2R_floor. induction (along _ _) as [|z l IH]; cbn [fold_right]; [reflexivity|].
    cbn [add over_Q over_R]. rewrite Q2R_red, Q2R_plus, IH, IHe3. f_equal. apply eval_ext; intros y; unfold put.
    destruct (y =? x)%positive; reflexivity.
Qed.
