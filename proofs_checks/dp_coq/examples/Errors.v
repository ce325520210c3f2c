(* What the definitions of `meaning/Errors.v` say of randomized response: its error falls with n, and does not grow. *)
From Coq Require Import Reals QArith List ZArith.
From DP Require Import meaning.Expressions meaning.Domains meaning.Formulas meaning.Laws meaning.Moments meaning.Errors.
From DP Require Import checker.DataSets checker.Errors checker.Steps theorems.Consistency examples.Moments.
Import ListNotations.

(* Names 1 and 2 are errors of an item that nobody holds, of two items and for w = 2, with one user and with two. *)
Definition of_response (n : Z) : error :=
  ErrorOf [estimated] false [(1%positive, Cst 2); (4%positive, Cst n); (5%positive, Cst 0); (7%positive, Cst 2)].
Definition of_one_and_two (o : op) : error_formula :=
  ErrorFormula [(1%positive, of_response 1); (2%positive, of_response 2)]
    (Formula (Domain [From 0 false false; From 0 false false] []) [(o, Var 2, Var 1)]).
(* It is w (1 - f) ... over n: (w + K - 2) / (n (w - 1)^2) + f (K - 2) / (n (w - 1)). *)
Definition said : expr :=
  Add (Div (Sub (Add (Var 7) (Var 1)) (Cst 2)) (Mul (Var 4) (Pow (Sub (Var 7) (Cst 1)) (Cst 2))))
    (Mul (Var 5) (Div (Sub (Var 1) (Cst 2)) (Mul (Var 4) (Sub (Var 7) (Cst 1))))).
Definition shown : list (list expr * witness) :=
  [([said], Witness [2; 0; 1; 1; 0; 0; 2]%Q [(1, [1])]%N 0%N); ([said], Witness [2; 0; 1; 2; 0; 0; 2]%Q [(2, [1])]%N 0%N)].
Example falls : error_formula_holds (of_one_and_two Lt).
Proof. apply (check_errors_sound _ [2; 1]%Q shown [] [] [Step (Cst 1) [] [] None]). vm_cast_no_check (eq_refl true). Qed.
Example is_not_the_same : ~ error_formula_holds (of_one_and_two Eq).
Proof.
  intros H. apply (error_formula_consistent _ H), (refute_errors_sound _ [2; 1]%Q shown 0). vm_cast_no_check (eq_refl true).
Qed.
