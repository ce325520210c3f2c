(* The judgement "bounded": left <= C right everywhere, for some C > 0 that depends on the fixed names only. *)
From Coq Require Import Reals List ZArith Lra.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains.
Import ListNotations.
Open Scope R_scope.

Record bound := Bound { about : domain; fixed : list positive; sides : list (expr * expr) }.

Definition depends_on (names : list positive) (c : (positive -> R) -> R) : Prop :=
  forall w w', (forall x, In x names -> w x = w' x) -> c w = c w'.
Definition bounded (d : domain) (names : list positive) (left right : expr) : Prop :=
  exists c, depends_on names c /\ forall w, inside d w ->
    defined w left /\ defined w right /\ 0 < c w /\ value w left <= c w * value w right.
Definition bound_holds (b : bound) : Prop :=
  (exists w, inside (about b) w) /\ Forall (fun s => bounded (about b) (fixed b) (fst s) (snd s)) (sides b).
Definition bound_fails (b : bound) : Prop :=
  (exists w, inside (about b) w) /\ Exists (fun s => ~ bounded (about b) (fixed b) (fst s) (snd s)) (sides b).
(* For x >= 0, x is bounded by 1 where x is fixed (by 1 + x), and is not where it is not. *)
Definition from_zero : domain := Domain [From 0 false false] [].
Example bounded_if_fixed : bounded from_zero [1%positive] (Var 1) (Cst 1).
Proof.
  exists (fun w => 1 + w 1%positive). split; [intros w w' H; now rewrite (H 1%positive (or_introl eq_refl))|].
  intros w [I _]. specialize (I 1%positive) as [I _]. unfold range_at in I; simpl in I.
  repeat split; try exact Logic.I; unfold value; simpl; [lra|]. unfold Q2R; simpl; lra.
Qed.
Example unbounded : ~ bounded from_zero [] (Var 1) (Cst 1).
Proof.
  intros (c & D & H). set (big := c (fun _ => 0) + 1).
  assert (P : 0 <= big).
  { destruct (H (fun _ => 0)) as (_ & _ & P & _); [|unfold big; lra]. split; [|constructor].
    intros x; unfold range_at. destruct (Pos.to_nat x - 1)%nat as [|[|]]; simpl; (split; [lra|discriminate]). }
  destruct (H (fun _ => big)) as (_ & _ & _ & L).
  - split; [|constructor]. intros x; unfold range_at.
    destruct (Pos.to_nat x - 1)%nat as [|[|]]; simpl; (split; [lra|discriminate]).
  - revert L. rewrite (D (fun _ => big) (fun _ => 0)) by contradiction. unfold value, big; simpl. unfold Q2R; simpl. lra.
Qed.
