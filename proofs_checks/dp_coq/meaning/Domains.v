(* Domains: "for all x in D" of a statement, by a range for every name and by expressions that are >= 0. *)
From Coq Require Import Reals List ZArith Lra.
From DP Require Import meaning.Numbers meaning.Expressions.
Import ListNotations.
Open Scope R_scope.

(* From a bound on, or above it if `strict`, integers only if `whole`; or from 0 to 1, without 0, and with 1 if `closed`. *)
Inductive range := From (low : Z) (strict whole : bool) | Unit (closed : bool).
Record domain := Domain { ranges : list range; constraints : list expr }.

Definition in_range (r : range) (x : R) : Prop :=
  match r with
  | From low strict whole => (if strict then IZR low < x else IZR low <= x) /\ (whole = true -> exists z, x = IZR z)
  | Unit closed => 0 < x /\ if closed then x <= 1 else x < 1
  end.
(* Names that a domain does not have are read by nothing; they are >= 0. *)
Definition range_at (rs : list range) (x : positive) : range := nth (Pos.to_nat x - 1) rs (From 0 false false).
Definition inside (d : domain) (w : positive -> R) : Prop :=
  (forall x, in_range (range_at (ranges d) x) (w x)) /\
  Forall (fun e => defined w e /\ 0 <= value w e) (constraints d).

Example one_half : in_range (Unit false) (1 / 2). Proof. simpl; lra. Qed.
Example not_one : ~ in_range (Unit false) 1. Proof. simpl; lra. Qed.
Example not_at_bound : ~ in_range (From 1 true false) 1. Proof. simpl; lra. Qed.
