(* Finite distributions as lists of weights and outcomes. All is said through expectations, so that outcomes need no
   decidable equality: the probability of an event is the expectation of its indicator. *)
From Coq Require Import Reals List Lra.
From DP Require Import meaning.Numbers.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition dist (N O : Type) := list (N * O).
Section Constructors.
  Variable N : number.
  Definition scale {O} (p : N) (d : dist N O) : dist N O := map (fun x => (mul N p (fst x), snd x)) d.
  Definition point {O} (o : O) : dist N O := [(integer N 1, o)].
  Definition push {A B} (f : A -> B) (d : dist N A) : dist N B := map (fun x => (fst x, f (snd x))) d.
  Definition bind {A B} (d : dist N A) (k : A -> dist N B) : dist N B := flat_map (fun x => scale (fst x) (k (snd x))) d.
  (* Independent draws, one from each. *)
  Fixpoint sequence {O} (ds : list (dist N O)) : dist N (list O) :=
    match ds with [] => point [] | d :: ds => bind d (fun o => push (cons o) (sequence ds)) end.
End Constructors.

Fixpoint E {O} (d : dist R O) (f : O -> R) : R :=
  match d with [] => 0 | (p, o) :: d => p * f o + E d f end.
Definition nonnegative {O} (d : dist R O) : Prop := Forall (fun x => 0 <= fst x) d.
Definition is_law {O} (d : dist R O) : Prop := nonnegative d /\ E d (fun _ => 1) = 1.
Definition prob {O} (d : dist R O) (event : O -> bool) : R := E d (fun o => if event o then 1 else 0).

Example fair_coin : is_law [(1 / 2, true); (1 / 2, false)].
Proof. split; [repeat constructor; simpl; lra|simpl; lra]. Qed.
Example no_law : ~ is_law [(1 / 2, true); (1 / 3, false)].
Proof. intros [_ H]; simpl in H; lra. Qed.
