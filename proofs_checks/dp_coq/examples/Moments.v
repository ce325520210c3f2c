(* What the definitions of `meaning/Moments.v` say of small cases: one that satisfies each, and one that does not. *)
From Coq Require Import Reals QArith List Lra Lia ZArith.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values checker.DataSets checker.Estimates checker.Steps theorems.Consistency.
Import ListNotations.
Open Scope R_scope.

(* One of two users holds item 0: a half of them, not all. *)
Example half_of_them : per_user (times 0) [[0%nat]; [1%nat]] = 1 / 2. Proof. unfold per_user; simpl; lra. Qed.
Example not_all_of_them : per_user (times 0) [[0%nat]; [1%nat]] <> 1. Proof. unfold per_user; simpl; lra. Qed.
(* Of the items 0 to 3, of which 2 are sensitive, two are not. *)
Example two_above : above 2 [0; 1; 2; 3]%nat = 2%nat. Proof. reflexivity. Qed.
Example not_three_above : above 2 [0; 1; 2; 3]%nat <> 3%nat. Proof. discriminate. Qed.

(* Two users, one item each of two; not of three. *)
Definition sizes_two (x : positive) : R := match x with 1%positive => 2 | 3%positive => 1 | 4%positive => 2 | _ => 0 end.
Lemma size_of_two x z : sizes_two x = IZR z -> size sizes_two x = Z.to_nat z.
Proof. intros H. unfold size. rewrite H. now rewrite (proj2 (whole_IZR z)). Qed.
Example a_data_set : data_set sizes_two [[0%nat]; [1%nat]].
Proof.
  unfold data_set. rewrite (size_of_two 1 2), (size_of_two 2 0), (size_of_two 3 1) by reflexivity. split; [|split].
  - repeat constructor; simpl; auto; lia.
  - simpl; lra.
  - unfold per_user; simpl; lra.
Qed.
Example no_data_set : ~ data_set sizes_two [[0%nat]; [2%nat]].
Proof.
  intros (F & _). rewrite (size_of_two 1 2), (size_of_two 2 0) in F by reflexivity. apply Forall_inv_tail, Forall_inv in F as (_ & _ & B).
  apply Forall_inv in B. simpl in B. lia.
Qed.

(* A fair coin that shows 1 or 0: its mean, its variance, its error about 0, and how often it is not 0. *)
Definition coin : dist R R := [(1 / 2, 1); (1 / 2, 0)].
Example mean_of_coin : moment_of Mean coin (fun o => o) 0 = 1 / 2. Proof. simpl; lra. Qed.
Example variance_of_coin : moment_of Variance coin (fun o => o) 0 = 1 / 4. Proof. simpl; lra. Qed.
Example error_of_coin : moment_of Error coin (fun o => o) 0 = 1 / 2. Proof. simpl; lra. Qed.
Example error_is_no_variance : moment_of Error coin (fun o => o) 0 <> moment_of Variance coin (fun o => o) 0. Proof. simpl; lra. Qed.
Example chance_of_coin : moment_of Chance coin (fun o => o) 0 = 1 / 2.
Proof. simpl. destruct (Req_EM_T 1 0), (Req_EM_T 0 0); lra. Qed.

(* Randomized response on K items, with name 7 for w: (count / n - q) / (p - q) is unbiased, count / n is not. *)
Definition total : expr := Sub (Add (Var 7) (Var 1)) (Cst 1).
Definition response_7 : term := Row [(Sen, [(Own, Div (Var 7) total); (Other, Div (Cst 1) total)])].
Definition sizes_7 : domain := Domain [From 2 false true; From 0 false true; From 1 false true; From 1 false true; From 0 false false;
  From 0 false false; From 1 true false] [Neg (Var 2); Sub (Cst 1) (Var 3)].
Definition estimated : mechanism := Mechanism sizes_7 response_7 true (Div (Cst 1) total) (Sub (Div (Var 7) total) (Div (Cst 1) total)).
Definition counted_only : mechanism := Mechanism sizes_7 response_7 true (Cst 0) (Cst 1).
Definition one_user : witness := Witness [2; 0; 1; 1; 1; 0; 2]%Q [(1, [0])]%N 0%N.
Example response_is_unbiased : moment_holds (Moment Mean estimated (Var 5)).
Proof. apply (check_moment_sound _ one_user [] [] [Step (Cst 1) [] [] None]). vm_cast_no_check (eq_refl true). Qed.
Example counts_are_biased : ~ moment_holds (Moment Mean counted_only (Var 5)).
Proof.
  intros H. apply (moment_consistent _ H), (refute_moment_sound _ one_user). vm_cast_no_check (eq_refl true).
Qed.
