(* Numbers: what expressions and laws are evaluated in. Over the reals is what they mean, over the rationals they are run. *)
From Coq Require Import Reals QArith Qreals Qround ZArith.

Record number := Number {
  carrier :> Type; of_Q : Q -> carrier;
  add : carrier -> carrier -> carrier; sub : carrier -> carrier -> carrier;
  mul : carrier -> carrier -> carrier; div : carrier -> carrier -> carrier;
  floor : carrier -> Z; at_most : carrier -> carrier -> bool }.

Definition over_R : number :=
  Number R Q2R Rplus Rminus Rmult Rdiv Int_part (fun x y => if Rle_dec x y then true else false).
Definition over_Q : number :=
  Number Q (fun x => x) (fun x y => Qred (x + y)) (fun x y => Qred (x - y)) (fun x y => Qred (x * y))
    (fun x y => Qred (x / y)) Qfloor Qle_bool.

Section Derived.
  Variable N : number.
  Definition integer (z : Z) : N := of_Q N (inject_Z z).
  Definition least (x y : N) : N := if at_most N x y then x else y.
  (* By squaring: x^2n = x^n x^n. *)
  Fixpoint positive_power (x : N) (n : positive) : N :=
    match n with
    | xH => x
    | xO n => let y := positive_power x n in mul N y y
    | xI n => let y := positive_power x n in mul N x (mul N y y)
    end.
  Definition power (x : N) (z : Z) : N :=
    match z with
    | Z0 => integer 1
    | Zpos n => positive_power x n
    | Zneg n => div N (integer 1) (positive_power x n)
    end.
  (* n (n - 1) ... (n - k + 1) / k!, which counts the sets of k out of n things. *)
  Fixpoint binomial (n : N) (k : nat) : N :=
    match k with
    | O => integer 1
    | S k => div N (mul N (binomial n k) (sub N n (integer (Z.of_nat k)))) (integer (Z.of_nat (S k)))
    end.
End Derived.

(* Three items have three subsets of two items, not six. *)
Example subsets : binomial over_Q 3 2 = 3%Q. Proof. reflexivity. Qed.
Example no_sequences : binomial over_Q 3 2 <> 6%Q. Proof. discriminate. Qed.
Example inverse : power over_Q 2 (-2) = (1 # 4)%Q. Proof. reflexivity. Qed.
