(* Discrete Laplace noise: the chance of an answer y, an integer, to a query with the value v, an integer, is proportional to
   e^(-|y - v| / scale). *)
From Coq Require Import Reals List ZArith Lra Lia.
From DP Require Import meaning.Exponentials checker.Exponentials theorems.Laplace.
Import ListNotations.
Open Scope R_scope.

(* The exponential is any function with e(x + y) = e(x) e(y) and 1 + x <= e(x). *)
Definition step (e : R -> R) (scale : R) : R := e (- / scale).
Definition weight (e : R -> R) (scale : R) (v y : Z) : R := e (- (Rabs (IZR y - IZR v) / scale)).
Definition chance (e : R -> R) (scale : R) (v y : Z) : R := (1 - step e scale) / (1 + step e scale) * weight e scale v y.
(* The chance that the answer is at most n away from the value. *)
Fixpoint near (e : R -> R) (scale : R) (v : Z) (n : nat) : R :=
  match n with
  | O => chance e scale v v
  | S m => near e scale v m + (chance e scale v (v + Z.of_nat n) + chance e scale v (v - Z.of_nat n))
  end.

Lemma e_increasing e x y : is_exponential e -> x < y -> e x < e y.
Proof.
  intros is_e L. replace y with (x + (y - x)) by ring. rewrite (proj1 is_e). pose proof (e_positive e is_e x) as P.
  pose proof (e_above e is_e (y - x)). nra.
Qed.
Lemma step_between e scale : is_exponential e -> 0 < scale -> 0 < step e scale < 1.
Proof.
  intros is_e P. split; [exact (e_positive e is_e _)|]. pose proof (e_inverse e is_e (/ scale)) as I. pose proof (e_above e is_e (/ scale)) as A.
  pose proof (e_positive e is_e (- / scale)) as N. apply Rinv_0_lt_compat in P. unfold step. nra.
Qed.
Lemma weight_at e scale v y n : is_exponential e -> scale <> 0 -> Rabs (IZR y - IZR v) = INR n -> weight e scale v y = step e scale ^ n.
Proof.
  intros is_e P H. unfold weight, step. rewrite H. clear H. induction n as [|n IH].
  - simpl. unfold Rdiv. now rewrite Rmult_0_l, Ropp_0, e_0.
  - rewrite S_INR. cbn [pow]. rewrite <- IH, <- (proj1 is_e). f_equal. field. exact P.
Qed.
(* All but 2 a^(n + 1) / (1 + a) of the probability lies at most n away from the value, a = e^(-1 / scale). *)
Theorem probability_near e scale v n : is_exponential e -> 0 < scale -> near e scale v n = 1 - 2 * step e scale ^ S n / (1 + step e scale).
Proof.
  intros is_e P. pose proof (step_between e scale is_e P) as A. assert (scale <> 0) by lra. induction n as [|n IH].
  - cbn [near]. unfold chance. rewrite (weight_at e scale v v 0); [|exact is_e|assumption|rewrite Rminus_diag_eq by reflexivity; apply Rabs_R0].
    simpl. field. lra.
  - cbn [near]. rewrite IH. unfold chance.
    rewrite (weight_at e scale v _ (S n)), (weight_at e scale v (v - Z.of_nat (S n)) (S n)); try assumption.
    + cbn [pow]. field. lra.
    + rewrite minus_IZR, <- INR_IZR_INZ. replace (IZR v - INR (S n) - IZR v) with (- INR (S n)) by ring.
      rewrite Rabs_Ropp. apply Rabs_pos_eq, pos_INR.
    + rewrite plus_IZR, <- INR_IZR_INZ. replace (IZR v + INR (S n) - IZR v) with (INR (S n)) by ring.
      apply Rabs_pos_eq, pos_INR.
Qed.
(* So the chances sum to 1, with the same normalization for every value. *)
Theorem chances_sum_to_1 e scale v : is_exponential e -> 0 < scale -> Un_cv (near e scale v) 1.
Proof.
  intros is_e P d D. pose proof (step_between e scale is_e P) as A.
  destruct (pow_lt_1_zero (step e scale)) with (y := d / 2) as (N & H); [rewrite Rabs_pos_eq; lra|lra|].
  exists N. intros n L. unfold R_dist. rewrite probability_near by assumption.
  specialize (H (S n)). rewrite Rabs_pos_eq in H by (apply pow_le; lra). specialize (H ltac:(lia)).
  replace (1 - 2 * step e scale ^ S n / (1 + step e scale) - 1) with (- (2 * step e scale ^ S n / (1 + step e scale))) by lra.
  rewrite Rabs_Ropp, Rabs_pos_eq.
  - apply Rle_lt_trans with (2 * step e scale ^ S n); [|lra]. rewrite <- (Rmult_1_r (2 * step e scale ^ S n)) at 2.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra|apply pow_le; lra]|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  - apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pow_le; lra]|]. left. apply Rinv_0_lt_compat. lra.
Qed.

(* Independent queries: their values in two data sets, the scales of their noise, and answers. *)
Record whole_query := WholeQuery { here : Z; there : Z; spread : R }.
Definition query_of (q : whole_query) : query := Query (IZR (here q)) (IZR (there q)) (spread q).
Definition joint (e : R -> R) (value_of : whole_query -> Z) (answers : list (whole_query * Z)) : R :=
  fold_right (fun a product => chance e (spread (fst a)) (value_of (fst a)) (snd a) * product) 1 answers.

Lemma joint_ratio e answers : is_exponential e -> Forall (fun a => 0 < spread (fst a)) answers ->
  joint e here answers = e (log_ratio (map (fun a => (query_of (fst a), IZR (snd a))) answers)) * joint e there answers.
Proof.
  intros is_e. induction 1 as [|[q y] answers P _ IH]; cbn [map joint log_ratio fold_right fst snd]; [rewrite (e_0 e is_e); lra|].
  unfold joint in IH at 1. rewrite IH. unfold log_ratio at 1. rewrite (proj1 is_e). unfold joint.
  assert (H : chance e (spread q) (here q) y
    = e ((Rabs (IZR y - other (query_of q)) - Rabs (IZR y - value (query_of q))) / scale (query_of q)) * chance e (spread q) (there q) y).
  { cbn [query_of other value scale]. unfold chance, weight. cbn [fst] in P.
    replace (- (Rabs (IZR y - IZR (here q)) / spread q))
      with ((Rabs (IZR y - IZR (there q)) - Rabs (IZR y - IZR (here q))) / spread q + - (Rabs (IZR y - IZR (there q)) / spread q)) by lra.
    rewrite (proj1 is_e). ring. }
  rewrite H. ring.
Qed.
Lemma joint_positive e value_of answers : is_exponential e -> Forall (fun a => 0 < spread (fst a)) answers -> 0 < joint e value_of answers.
Proof.
  intros is_e. induction 1 as [|[q y] answers P _ IH]; cbn [joint fold_right fst snd]; [lra|]. apply Rmult_lt_0_compat; [|exact IH].
  pose proof (step_between e _ is_e P). apply Rmult_lt_0_compat; [|exact (e_positive e is_e _)].
  apply Rmult_lt_0_compat; [cbn [fst] in *; lra|apply Rinv_0_lt_compat; cbn [fst] in *; lra].
Qed.
(* No answers are more than e^loss times as likely in one data set as in the other ... *)
Theorem discrete_loss_bounds e qs : is_exponential e -> Forall (fun q => 0 < spread q) qs -> forall ys, length ys = length qs ->
  joint e here (combine qs ys) <= e (loss (map query_of qs)) * joint e there (combine qs ys).
Proof.
  intros is_e P ys L. assert (P' : Forall (fun a => 0 < spread (fst a)) (combine qs ys)).
  { rewrite Forall_forall in *. intros [q y] I. apply P. now apply in_combine_l in I. }
  rewrite joint_ratio by assumption. apply Rmult_le_compat_r; [left; now apply joint_positive|].
  assert (H : log_ratio (combine (map query_of qs) (map IZR ys)) <= loss (map query_of qs)).
  { apply loss_bounds; [now rewrite Forall_map|now rewrite !map_length]. }
  replace (map (fun a => (query_of (fst a), IZR (snd a))) (combine qs ys)) with (combine (map query_of qs) (map IZR ys)).
  - destruct H as [H| ->]; [left; now apply e_increasing|right; reflexivity].
  - clear. revert ys. induction qs as [|q qs IH]; intros [|y ys]; try reflexivity. cbn [map combine fst snd]. now rewrite IH.
Qed.
(* ... and those that are the values themselves are. *)
Theorem discrete_loss_is_reached e qs : is_exponential e -> Forall (fun q => 0 < spread q) qs ->
  joint e here (combine qs (map here qs)) = e (loss (map query_of qs)) * joint e there (combine qs (map here qs)).
Proof.
  intros is_e P. rewrite joint_ratio; [|exact is_e|].
  - do 2 f_equal. rewrite <- loss_is_reached. f_equal. clear. induction qs as [|q qs IH]; [reflexivity|].
    cbn [map combine fst snd]. now rewrite IH.
  - induction P; cbn [map combine]; constructor; auto.
Qed.

(* A query is 3 in one data set and 5 in the other, its noise has the scale 2: the loss is 1, and the answer 3 shows it. *)
Example one_query e : is_exponential e ->
  joint e here [(WholeQuery 3 5 2, 3%Z)] = e 1 * joint e there [(WholeQuery 3 5 2, 3%Z)].
Proof.
  intros is_e. replace 1 with (loss (map query_of [WholeQuery 3 5 2])).
  - apply (discrete_loss_is_reached e [WholeQuery 3 5 2] is_e). constructor; [cbn; lra|constructor].
  - cbn. rewrite Rabs_left by lra. lra.
Qed.
Example more_than_0 e : is_exponential e -> ~ joint e here [(WholeQuery 3 5 2, 3%Z)] <= joint e there [(WholeQuery 3 5 2, 3%Z)].
Proof.
  intros is_e. rewrite (one_query e is_e). pose proof (e_above e is_e 1).
  assert (P : 0 < joint e there [(WholeQuery 3 5 2, 3%Z)]) by (apply joint_positive; [exact is_e|repeat constructor; cbn; lra]). nra.
Qed.
