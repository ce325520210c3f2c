(* Nothing both holds and fails. *)
From Coq Require Import Reals List ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds meaning.Sentences
  meaning.Implications meaning.Moments meaning.Errors meaning.Tables meaning.Exponentials meaning.Statements examples.Sentences examples.Exponentials.
Import ListNotations.

(* No formula both holds and fails. *)
Theorem formula_consistent f : formula_holds f -> formula_fails f -> False.
Proof.
  intros [_ H] (w & I & X). specialize (H w I). rewrite Forall_forall in H.
  apply Exists_exists in X as ([[o a] b] & M & _ & _ & F). destruct (H _ M) as (_ & _ & T); auto.
Qed.
(* No bound both holds and fails. *)
Theorem bound_consistent b : bound_holds b -> bound_fails b -> False.
Proof.
  intros [_ H] [_ X]. apply Exists_exists in X as (s & I & N). rewrite Forall_forall in H. exact (N (H s I)).
Qed.
(* No sentence both holds and fails. *)
Lemma said_consistent env s : said env s true -> said env s false -> False.
Proof. intros T F. specialize (T _ natural_logarithm). rewrite (F _ natural_logarithm) in T. discriminate. Qed.
Theorem arithmetic_consistent a : arithmetic_holds a -> arithmetic_fails a -> False.
Proof. intros [_ H] (w & I & F). exact (said_consistent _ _ (H w I) F). Qed.
(* No statement about a moment both holds and fails. *)
Theorem moment_consistent s : moment_holds s -> moment_fails s -> False.
Proof. intros [_ H] (w & users & x & O & _ & N). destruct (H w users x O) as (_ & _ & _ & E). exact (N E). Qed.
(* No formula that names errors both holds and fails. *)
Theorem error_formula_consistent s : error_formula_holds s -> error_formula_fails s -> False.
Proof.
  intros [_ H] (w & G & X). specialize (H w G). rewrite Forall_forall in H.
  apply Exists_exists in X as ([[o a] b] & M & _ & _ & F). destruct (H _ M) as (_ & _ & T); auto.
Qed.
Theorem implication_consistent i : implication_holds i -> implication_fails i -> False.
Proof.
  intros [_ H] (env & P & X). specialize (H env P). rewrite Forall_forall in H. apply Exists_exists in X as (s & I & F).
  exact (said_consistent _ _ (H s I) F).
Qed.
Theorem law_sentence_consistent t : law_sentence_holds t -> law_sentence_fails t -> False.
Proof. intros [_ H] (w & I & F). exact (said_consistent _ _ (H w I) F). Qed.
(* Nothing that names powers of e both holds and fails. *)
Theorem exponentials_consistent s : exponentials_hold s -> exponentials_fail s -> False.
Proof.
  intros H F. destruct (H _ real_exponential) as [_ A], (F _ real_exponential) as [_ X]. rewrite Forall_forall in A.
  apply Exists_exists in X as (r & I & N). specialize (A r I). unfold somewhere_not in N. destruct (up_to s) eqn:U; [exact (N A)|].
  unfold everywhere in A. rewrite U in A. destruct N as (w & M & N). specialize (A w M). destruct r as [[o a] b].
  destruct A as (_ & _ & T), N as (_ & _ & N). exact (N T).
Qed.
(* No statement both holds and fails. *)
Theorem consistent s : holds s -> fails s -> False.
Proof.
  destruct s; [apply formula_consistent|apply bound_consistent|apply arithmetic_consistent|apply implication_consistent
    |apply moment_consistent|apply error_formula_consistent|apply law_sentence_consistent|apply exponentials_consistent].
Qed.
