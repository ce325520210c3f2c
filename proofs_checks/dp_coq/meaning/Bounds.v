(* The judgement "bounded": left <= C right everywhere, for some C > 0 that depends on the fixed names only; also as other
   names grow. *)
From Coq Require Import Reals List ZArith Bool Lra.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains.
Import ListNotations.
Open Scope R_scope.

Record bound := Bound { about : domain; fixed : list positive; grows : list positive; sides : list (expr * expr) }.

(* Nothing bounds the names that grow: at some point, all of them may be larger by any number. *)
Definition larger (names : list positive) (n : nat) (w : positive -> R) (x : positive) : R :=
  if existsb (Pos.eqb x) names then w x + INR n else w x.
Definition free (d : domain) (names : list positive) : Prop := exists w, forall n, inside d (larger names n w).
Definition depends_on (names : list positive) (c : (positive -> R) -> R) : Prop :=
  forall w w', (forall x, In x names -> w x = w' x) -> c w = c w'.
Definition bounded_where (inside : (positive -> R) -> Prop) (names : list positive) (left right : expr) : Prop :=
  exists c, depends_on names c /\ forall w, inside w ->
    defined w left /\ defined w right /\ 0 < c w /\ value w left <= c w * value w right.
Definition bounded (d : domain) : list positive -> expr -> expr -> Prop := bounded_where (inside d).
Definition bound_holds (b : bound) : Prop :=
  free (about b) (grows b) /\ Forall (fun s => bounded (about b) (fixed b) (fst s) (snd s)) (sides b).
Definition bound_fails (b : bound) : Prop :=
  free (about b) (grows b) /\ Exists (fun s => ~ bounded (about b) (fixed b) (fst s) (snd s)) (sides b).
