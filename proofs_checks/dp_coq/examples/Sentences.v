(* What the definitions of `meaning/Sentences.v` say of small cases. *)
From Coq Require Import Reals QArith List ZArith Lra Rpower.
From DP Require Import meaning.Numbers meaning.Sentences.
Import ListNotations.

(* Every x in {0, 1} is at most 1, not at most 0; and nothing is said of 1 / 0. *)
Notation below_two := (Two Between (Const 0) (Const 2)).
Example at_most_one :
  says over_Q (fun _ => None) (fun _ => Num 0%Q) (Each All 1 below_two (Two AtMost (Name 1) (Const 1))) = Some (Truth true).
Proof. reflexivity. Qed.
Example not_at_most_zero :
  says over_Q (fun _ => None) (fun _ => Num 0%Q) (Each All 1 below_two (Two AtMost (Name 1) (Const 0))) = Some (Truth false).
Proof. reflexivity. Qed.
Example nothing_of_a_quotient :
  says over_Q (fun _ => None) (fun _ => Num 0%Q) (Two Equal (Two Over (Const 1) (Const 0)) (Const 0)) = None.
Proof. reflexivity. Qed.
(* Two coins may fall in four ways; as multisets, in three. *)
Example four_lists : length (sequences 2 [true; false]) = 4%nat. Proof. reflexivity. Qed.
Example three_multisets : length (multisets 2 [true; false]) = 3%nat. Proof. reflexivity. Qed.
Example three_pairs : parts 2 [1; 2; 3]%nat = [[1; 2]; [1; 3]; [2; 3]]%nat. Proof. reflexivity. Qed.
(* The natural logarithm is one; what is 0 everywhere is none. *)
Open Scope R_scope.
Lemma natural_logarithm : is_logarithm ln.
Proof.
  split; [exact ln_mult|]. intros x H. pose proof (exp_ineq1_le (ln x)). rewrite exp_ln in *; lra.
Qed.
Example not_a_logarithm : ~ is_logarithm (fun x => x).
Proof. intros [H _]. specialize (H 1 1). lra. Qed.
