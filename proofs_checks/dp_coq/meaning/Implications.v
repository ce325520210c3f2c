(* The judgement "implies": of all data for which the premises are true, the conclusions are. *)
From Coq Require Import Reals List ZArith.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Sentences.
Import ListNotations.

Record implication := Implication { premises : list sentence; conclusions : list sentence }.
Definition implication_holds (i : implication) : Prop :=
  (exists env, Forall (fun s => said env s true) (premises i))
  /\ forall env, Forall (fun s => said env s true) (premises i) -> Forall (fun s => said env s true) (conclusions i).
Definition implication_fails (i : implication) : Prop :=
  exists env, Forall (fun s => said env s true) (premises i) /\ Exists (fun s => said env s false) (conclusions i).
