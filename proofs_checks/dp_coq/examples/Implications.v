(* What the definitions of `meaning/Implications.v` say of small cases. *)
From Coq Require Import Reals List ZArith.
From DP Require Import meaning.Numbers meaning.Sentences meaning.Implications.
Import ListNotations.

(* What is true is true, and is not false. *)
Example of_itself : implication_holds (Implication [Name 1] [Name 1]).
Proof. split; [|auto]. exists (fun _ => Truth true). repeat constructor; intros log L; reflexivity. Qed.
Example not_of_its_opposite : implication_fails (Implication [Name 1] [One Not (Name 1)]).
Proof. exists (fun _ => Truth true). repeat constructor; intros log L; reflexivity. Qed.
