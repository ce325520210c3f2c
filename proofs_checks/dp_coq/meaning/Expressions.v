(* Expressions, as in certificates: integers, names (numbered from 1), operators, and sums over an index. *)
From Coq Require Import Reals QArith List ZArith.
From DP Require Import meaning.Numbers.
Import ListNotations.

Inductive expr :=
| Cst (z : Z) | Var (x : positive)
| Add (a b : expr) | Sub (a b : expr) | Mul (a b : expr) | Div (a b : expr) | Neg (a : expr)
| Pow (a b : expr) | Floor (a : expr) | Min (a b : expr) | Binom (a b : expr)
| Sum (x : positive) (low high term : expr).

(* The integers from low to high: none where high < low. *)
Definition along (low high : Z) : list Z :=
  map (fun i => (low + Z.of_nat i)%Z) (seq 0 (Z.to_nat (high - low + 1))).
Definition put {A} (env : positive -> A) (x : positive) (a : A) (y : positive) : A :=
  if (y =? x)%positive then a else env y.

Section Evaluation.
  Variable N : number.
  (* The value of an expression. Where it is not defined (below), it is some number that means nothing. *)
  Fixpoint eval (env : positive -> N) (e : expr) : N :=
    match e with
    | Cst z => integer N z
    | Var x => env x
    | Add a b => add N (eval env a) (eval env b)
    | Sub a b => sub N (eval env a) (eval env b)
    | Mul a b => mul N (eval env a) (eval env b)
    | Div a b => div N (eval env a) (eval env b)
    | Neg a => sub N (integer N 0) (eval env a)
    | Pow a b => power N (eval env a) (floor N (eval env b))
    | Floor a => integer N (floor N (eval env a))
    | Min a b => least N (eval env a) (eval env b)
    | Binom a b => binomial N (eval env a) (Z.to_nat (floor N (eval env b)))
    | Sum x low high t =>
        fold_right (fun z total => add N (eval (put env x (integer N z)) t) total) (integer N 0)
          (along (floor N (eval env low)) (floor N (eval env high)))
    end.
End Evaluation.
Definition value (w : positive -> R) (e : expr) : R := eval over_R w e.

(* An expression is defined where no divisor is 0, exponents and ends of sums are integers, and numbers of subsets are
   of natural numbers. *)
Definition whole (x : R) : Prop := x = IZR (Int_part x).
Fixpoint defined (w : positive -> R) (e : expr) : Prop :=
  match e with
  | Cst _ | Var _ => True
  | Add a b | Sub a b | Mul a b | Min a b => defined w a /\ defined w b
  | Div a b => defined w a /\ defined w b /\ value w b <> 0%R
  | Neg a | Floor a => defined w a
  | Pow a b => defined w a /\ defined w b /\ whole (value w b) /\ ((0 <= value w b)%R \/ value w a <> 0%R)
  | Binom a b => defined w a /\ defined w b /\ whole (value w a) /\ whole (value w b)
                 /\ (0 <= value w a)%R /\ (0 <= value w b)%R
  | Sum x low high t =>
      defined w low /\ defined w high /\ whole (value w low) /\ whole (value w high)
      /\ forall z, In z (along (Int_part (value w low)) (Int_part (value w high))) -> defined (put w x (IZR z)) t
  end.

(* The sum of 2^i over 1 <= i <= 3 is 14, that over 1 <= i <= 0 is 0. *)
Example powers_of_two : eval over_Q (fun _ => 0%Q) (Sum 1 (Cst 1) (Cst 3) (Pow (Cst 2) (Var 1))) = 14%Q.
Proof. reflexivity. Qed.
Example no_terms : eval over_Q (fun _ => 0%Q) (Sum 1 (Cst 1) (Cst 0) (Var 1)) = 0%Q. Proof. reflexivity. Qed.
(* 1 / 0 has a value, as every division in Coq, and is not defined. *)
Example a_quotient : defined (fun _ => 1%R) (Div (Cst 1) (Var 1)).
Proof. simpl; auto using R1_neq_R0. Qed.
Example no_quotient : ~ defined (fun _ => 0%R) (Div (Cst 1) (Var 1)).
Proof. intros (_ & _ & H); now apply H. Qed.
