(* Binomial laws, and sums of independent gains. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

(* How many of n happen, each with chance l. *)
Fixpoint binomial_law (l : R) (n : nat) : dist R nat :=
  match n with
  | O => point over_R 0%nat
  | S n => scale over_R (1 - l) (binomial_law l n) ++ scale over_R l (push over_R S (binomial_law l n))
  end.
(* The sum of n independent draws. *)
Fixpoint sum_law (d : dist R R) (n : nat) : dist R R :=
  match n with O => point over_R 0 | S n => bind over_R d (fun x => push over_R (Rplus x) (sum_law d n)) end.
(* A draw with chance l, else 0. *)
Definition sometimes (l : R) (d : dist R R) : dist R R := scale over_R l d ++ [(1 - l, 0)].

Lemma E_binomial_S l n f : E (binomial_law l (S n)) f
  = (1 - l) * E (binomial_law l n) f + l * E (binomial_law l n) (fun b => f (S b)).
Proof. cbn [binomial_law]. now rewrite E_app, !E_scale, E_push. Qed.
Lemma E_binomial_le l n f g : 0 <= l <= 1 -> (forall b, (b <= n)%nat -> f b <= g b) ->
  E (binomial_law l n) f <= E (binomial_law l n) g.
Proof.
  intros L. revert f g. induction n as [|n IH]; intros f g H; [cbn [binomial_law]; rewrite !E_point; apply H; lia|].
  rewrite !E_binomial_S. apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IH; intros b B; apply H; lia.
Qed.
Lemma E_binomial_ext l n f g : 0 <= l <= 1 -> (forall b, (b <= n)%nat -> f b = g b) ->
  E (binomial_law l n) f = E (binomial_law l n) g.
Proof. intros L H. apply Rle_antisym; apply E_binomial_le; auto; intros b B; rewrite (H b B); lra. Qed.
Lemma E_sum_S d n f : E (sum_law d (S n)) f = E d (fun x => E (sum_law d n) (fun s => f (x + s))).
Proof. cbn [sum_law]. rewrite E_bind. apply E_ext; intros x. now rewrite E_push. Qed.
Lemma E_sometimes l d f : E (sometimes l d) f = l * E d f + (1 - l) * f 0.
Proof. unfold sometimes. rewrite E_app, E_scale. simpl. lra. Qed.
Lemma sums_nonnegative d n : nonnegative d -> nonnegative (sum_law d n).
Proof.
  intros D.
  induction n as [|n IH]; cbn [sum_law].
  - unfold point. rewrite one_R. repeat constructor. simpl. lra.
  - unfold nonnegative, bind. rewrite Forall_flat_map. revert D. apply Forall_impl. intros [p x] P. unfold scale, push.
    rewrite !Forall_map. revert IH. apply Forall_impl. intros [q y] Q. cbn in *. now apply Rmult_le_pos.
Qed.

(* b times its chance is n l times the chance of b - 1 of n - 1. *)
Theorem size_biased l n f :
  E (binomial_law l (S n)) (fun b => INR b * f b) = INR (S n) * l * E (binomial_law l n) (fun b => f (S b)).
Proof.
  revert f. induction n as [|n IH]; intros f; rewrite E_binomial_S.
  - cbn [binomial_law]. rewrite !E_point. simpl. lra.
  - rewrite IH, (E_ext _ (fun b => INR (S b) * f (S b)) (fun b => INR b * f (S b) + f (S b))) by (intros b; rewrite S_INR; lra).
    rewrite E_plus, (IH (fun b => f (S b))), (E_binomial_S l n (fun b => f (S b))), (S_INR (S n)). lra.
Qed.
(* A sum of draws that are sometimes 0 is one of fewer draws, of a binomial number. *)
Theorem sum_of_some l d n f : E (sum_law (sometimes l d) n) f = E (binomial_law l n) (fun b => E (sum_law d b) f).
Proof.
  revert f. induction n as [|n IH]; intros f; [cbn [binomial_law]; now rewrite E_point|].
  rewrite E_sum_S, E_sometimes, E_binomial_S.
  rewrite (E_ext d (fun x => E (sum_law (sometimes l d) n) (fun s => f (x + s)))
    (fun x => E (binomial_law l n) (fun b => E (sum_law d b) (fun s => f (x + s))))) by (intros x; apply IH).
  rewrite (E_ext (binomial_law l n) (fun b => E (sum_law d (S b)) f) (fun b => E d (fun x => E (sum_law d b) (fun s => f (x + s)))))
    by (intros b; apply E_sum_S).
  rewrite (E_ext (sum_law (sometimes l d) n) (fun s => f (0 + s)) f) by (intros s; f_equal; lra).
  rewrite IH, E_swap. lra.
Qed.
(* Where one more draw is sure, and the mean of all draws counts, it is n + 1 draws that are sometimes 0. *)
Theorem mean_of_some l d n f : f 0 = 0 -> 0 < l ->
  E (binomial_law l n) (fun b => E (sum_law d (S b)) f / INR (S b)) = E (sum_law (sometimes l d) (S n)) f / (INR (S n) * l).
Proof.
  intros Z L. rewrite sum_of_some.
  rewrite (E_ext (binomial_law l (S n)) (fun b => E (sum_law d b) f) (fun b => INR b * (E (sum_law d b) f / INR b))).
  2:{ intros [|b]; [cbn [sum_law]; rewrite E_point, Z; simpl (INR 0); lra|]. field. apply not_0_INR; lia. }
  rewrite (size_biased l n (fun b => E (sum_law d b) f / INR b)). field. split; [lra|apply not_0_INR; lia].
Qed.
Lemma E_sum_scaled c d n f : E (sum_law (push over_R (Rmult c) d) n) f = E (sum_law d n) (fun s => f (c * s)).
Proof.
  revert f. induction n as [|n IH]; intros f; [cbn [sum_law]; rewrite !E_point; f_equal; lra|].
  rewrite !E_sum_S, E_push. apply E_ext; intros x. rewrite IH. apply E_ext; intros s. f_equal. lra.
Qed.

(* Two coins: one head has the chance 1 / 2, two have 1 / 4. *)
Example one_head : prob (binomial_law (1 / 2) 2) (fun b => Nat.eqb b 1) = 1 / 2.
Proof. unfold prob. rewrite !E_binomial_S. cbn [binomial_law]. rewrite !E_point. simpl. lra. Qed.
Example not_two_heads : prob (binomial_law (1 / 2) 2) (fun b => Nat.eqb b 2) <> 1 / 2.
Proof. unfold prob. rewrite !E_binomial_S. cbn [binomial_law]. rewrite !E_point. simpl. lra. Qed.
