(* The checker: evidence for a statement, or against it, in; a verdict that is a theorem, out. *)
From Coq Require Import Reals List QArith Bool.
From DP Require Import meaning.Domains meaning.Formulas meaning.Statements checker.Steps checker.Points.
Import ListNotations.

(* For a statement: a point of its domain, and a step for every relation. Against it: a point, and which relation fails. *)
Inductive evidence := Derivation (at_ : list Q) (steps : list step).
Inductive counterexample := At (point_ : list Q) (which : nat).

Definition check (s : statement) (e : evidence) : bool :=
  match s, e with
  | Formulas f, Derivation qs steps => inside_Q (over f) qs && check_relations (over f) (relations f) steps
  end.
Definition refute (s : statement) (c : counterexample) : bool :=
  match s, c with
  | Formulas f, At qs k =>
      inside_Q (over f) qs && match nth_error (relations f) k with Some r => false_at_Q (point qs) r | None => false end
  end.

Theorem check_sound s e : check s e = true -> holds s.
Proof.
  destruct s as [f], e as [qs steps]; simpl; intros H; apply andb_prop in H as [I H]. split.
  - exists (fun x => Q2R (point qs x)). now apply inside_Q_sound.
  - intros w J. exact (check_relations_sound _ w J _ _ H).
Qed.
Theorem refute_sound s c : refute s c = true -> fails s.
Proof.
  destruct s as [f], c as [qs k]; simpl; intros H; apply andb_prop in H as [I H].
  exists (fun x => Q2R (point qs x)). split; [now apply inside_Q_sound|].
  destruct (nth_error (relations f) k) as [r|] eqn:E; [|discriminate].
  apply Exists_exists; exists r; split; [now apply nth_error_In in E|now apply false_at_Q_sound].
Qed.
