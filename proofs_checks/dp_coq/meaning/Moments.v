(* Moments of the estimate of how many users hold an item, for every data set: n users, each with m of K + N items. *)
From Coq Require Import Reals List ZArith Lra.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws.
Import ListNotations.
Open Scope R_scope.

(* A mechanism: the names of its law, with their ranges; the items that are counted; what the estimate subtracts and
   divides by. Name 1 is K, 2 is N, 3 is m, 4 is n, 5 the share of users with the item, 6 what a user holds of the N items. *)
Record mechanism := Mechanism { sizes : domain; its_law : term; sensitive : bool; offset : expr; slope : expr }.
Definition size (w : positive -> R) (x : positive) : nat := Z.to_nat (Int_part (w x)).
Definition times (x : nat) (l : list nat) : nat := count_occ Nat.eq_dec l x.
Definition above (K : nat) (l : list nat) : nat := length (filter (Nat.leb K) l).
Definition per_user {A} (f : A -> nat) (l : list A) : R := INR (list_sum (map f l)) / INR (length l).

Definition data_set (w : positive -> R) (users : list (list nat)) : Prop :=
  Forall (fun s => NoDup s /\ length s = size w 3 /\ Forall (fun y => (y < size w 1 + size w 2)%nat) s) users
  /\ w 4%positive = INR (length users) /\ w 6%positive = per_user (above (size w 1)) users.
Definition report (w : positive -> R) (t : term) : list nat -> dist R val := law over_R w (fun _ => []) (size w 1) (size w 2) t.
Definition counted (M : mechanism) (w : positive -> R) : list nat :=
  if sensitive M then seq 0 (size w 1) else seq (size w 1) (size w 2).
Definition estimate (M : mechanism) (w : positive -> R) (x : nat) (reports : list val) : R :=
  (INR (list_sum (map (fun y => times x (flat y)) reports)) / w 4%positive - value w (offset M)) / value w (slope M).

(* The last one: the chance that the estimate is not 0. *)
Inductive moment := Mean | Variance | Error | Chance.
Definition moment_of {O} (k : moment) (d : dist R O) (f : O -> R) (true_value : R) : R :=
  match k with
  | Mean => E d f
  | Variance => E d (fun o => (f o - E d f) ^ 2)
  | Error => E d (fun o => (f o - true_value) ^ 2)
  | Chance => E d (fun o => if Req_EM_T (f o) 0 then 0 else 1)
  end.
Definition moment_for (k : moment) (M : mechanism) (w : positive -> R) (users : list (list nat)) (x : nat) : R :=
  moment_of k (sequence over_R (map (report w (its_law M)) users)) (estimate M w x) (per_user (times x) users).

Definition occurs (M : mechanism) (w : positive -> R) (users : list (list nat)) (x : nat) : Prop :=
  inside (sizes M) w /\ data_set w users /\ In x (counted M w) /\ w 5%positive = per_user (times x) users.

(* The judgement "moment = formula". *)
Record moments := Moment { which : moment; of : mechanism; formula_is : expr }.
Definition moment_holds (s : moments) : Prop :=
  (exists w users x, occurs (of s) w users x) /\ forall w users x, occurs (of s) w users x ->
    Forall (fun u => is_law (report w (its_law (of s)) u)) users
    /\ defined w (Div (offset (of s)) (slope (of s))) /\ defined w (formula_is s)
    /\ moment_for (which s) (of s) w users x = value w (formula_is s).
Definition moment_fails (s : moments) : Prop :=
  exists w users x, occurs (of s) w users x /\ defined w (formula_is s)
    /\ moment_for (which s) (of s) w users x <> value w (formula_is s).
