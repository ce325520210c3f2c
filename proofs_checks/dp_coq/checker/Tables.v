(* Tables of laws are run over the rationals, and sentences about them are decided. *)
From Coq Require Import Reals QArith Qreals Qround List ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws
  checker.Agreement checker.Points checker.Running checker.Logarithms checker.Sentences meaning.Sentences meaning.Tables.
Import ListNotations.

Fixpoint shown_agrees (v : val) : real_of (shown over_Q v) = shown over_R v.
Proof.
  destruct v as [n|l|n]; [reflexivity| |reflexivity]. cbn [shown real_of]. apply (f_equal (@Lst R)). rewrite map_map.
  induction l as [|x l IH]; [reflexivity|]. cbn [map]. now rewrite shown_agrees, IH.
Qed.
(* The table over the rationals is that over the reals. *)
Theorem table_agrees env K M t : real_of (table over_Q env K M t) = table over_R (fun x => Q2R (env x)) K M t.
Proof.
  unfold table. cbv zeta. cbn [real_of]. apply (f_equal (@Lst R)). induction (flat_map _ (seq 0 (S (K + M)))) as [|s ss IH]; [reflexivity|].
  cbn [flat_map]. rewrite map_app. apply (f_equal2 (@app (datum R))); [|exact IH]. rewrite <- (law_agrees env (fun _ => [])). unfold to_R. rewrite !map_map. apply map_ext. intros [p y].
  unfold row. cbn [real_of map fst snd]. now rewrite shown_agrees, map_map.
Qed.
Definition law_data (t : law_sentence) (qs : list Q) : positive -> datum Q :=
  let size x := Z.to_nat (Qfloor (point qs x)) in
  put (data qs) (rows_of t) (table over_Q (point qs) (size 1%positive) (size 2%positive) (term_of t)).
Definition law_sentence_false_in (t : law_sentence) (qs : list Q) (case : list (datum Q)) : bool :=
  inside_Q (sizes_of t) qs && (let rows := exactly (law_data t qs (rows_of t)) in
    false_in (put (env_of (data qs)) (rows_of t) rows) (what t) case).
(* What is false of a table in a case is false. *)
Theorem law_sentence_refuted t qs case : law_sentence_false_in t qs case = true -> law_sentence_fails t.
Proof.
  intros H. apply andb_prop in H as [I F]. exists (fun x => Q2R (point qs x)). split; [now apply inside_Q_sound|].
  intros log L. apply (false_in_sound log L case _ _ _) with (2 := F). intros x. unfold law_data, data_of, put.
  rewrite Pos.eqb_refl. destruct (x =? rows_of t)%positive; [|reflexivity].
  rewrite real_of_exactly, table_agrees. now rewrite !Q2R_floor.
Qed.
