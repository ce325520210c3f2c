(* The judgements "ratio <= c", "attained" and "delta(eps) <=" about two laws. *)
From Coq Require Import Reals List Lra.
From DP Require Import meaning.Distributions.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(* Every probability under d is at most c times that under e: said of all tests f >= 0 of an outcome. *)
Definition ratio {O} (c : R) (d e : dist R O) : Prop := forall f, (forall o, 0 <= f o) -> E d f <= c * E e f.
(* ... and c is reached, by an event that is possible under e. *)
Definition attained {O} (c : R) (d e : dist R O) : Prop :=
  exists event, 0 < prob e event /\ prob d event = c * prob e event.
(* The hockey-stick divergence at a is at most delta: P(S) <= a Q(S) + delta, for randomized tests. *)
Definition divergence {O} (a delta : R) (d e : dist R O) : Prop :=
  forall f, (forall o, 0 <= f o <= 1) -> E d f <= a * E e f + delta.

Definition coin (p : R) : dist R bool := [(p, true); (1 - p, false)].
Example three_quarters : ratio 3 (coin (3 / 4)) (coin (1 / 4)).
Proof. intros f H; pose proof (H true); pose proof (H false); simpl; lra. Qed.
Example three_is_reached : attained 3 (coin (3 / 4)) (coin (1 / 4)).
Proof. exists (fun b => b); unfold prob; simpl; lra. Qed.
Example not_two : ~ ratio 2 (coin (3 / 4)) (coin (1 / 4)).
Proof.
  intros H. specialize (H (fun b : bool => if b then 1 else 0)). simpl in H.
  assert (forall o : bool, 0 <= (if o then 1 else 0)) as P by (intros []; lra). specialize (H P). lra.
Qed.
Example divergence_of_coins : divergence 1 (1 / 2) (coin (3 / 4)) (coin (1 / 4)).
Proof. intros f H; pose proof (H true); pose proof (H false); simpl; lra. Qed.
