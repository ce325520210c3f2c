(* Relations without names: both sides are numbers, which are computed. *)
From Coq Require Import Reals QArith List ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Formulas checker.Agreement checker.Points.
Import ListNotations.

(* All names of an expression are indices of sums around it. *)
Fixpoint closed (indices : list positive) (e : expr) : bool :=
  match e with
  | Cst _ => true
  | Var x => existsb (Pos.eqb x) indices
  | Add a b | Sub a b | Mul a b | Div a b | Pow a b | Min a b | Binom a b => closed indices a && closed indices b
  | Neg a | Floor a => closed indices a
  | Sum x low high t => closed indices low && closed indices high && closed (x :: indices) t
  end.
Definition nowhere (_ : positive) : Q := 0.
Definition constant_relation (r : relation) : bool :=
  let '(o, a, b) := r in
  if closed [] a && closed [] b then
    if modest nowhere (Sub a b) then
      defined_Q nowhere a && defined_Q nowhere b && related_Q o (run nowhere a) (run nowhere b)
    else false
  else false.

Notation alike indices w w' := (forall x, existsb (Pos.eqb x) indices = true -> w x = w' x).
Lemma alike_put {A} (w w' : positive -> A) x a indices : alike indices w w' -> alike (x :: indices) (put w x a) (put w' x a).
Proof.
  intros H y I; unfold put. simpl in I. destruct (y =? x)%positive; [reflexivity|]. now apply H.
Qed.
Lemma closed_value e : forall indices w w', closed indices e = true -> alike indices w w' -> value w e = value w' e.
Proof.
  unfold value; induction e as [z|x|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa|a IHa b IHb
    |a IHa b IHb|x a IHa b IHb t IHt]; intros indices w w' C H; cbn [closed] in C; cbn [eval]; auto;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [H ?] end;
    try (rewrite (IHa indices w w'), (IHb indices w w') by assumption; reflexivity);
    try (rewrite (IHa indices w w') by assumption; reflexivity).
  rewrite (IHa indices w w'), (IHb indices w w') by assumption.
  induction (along _ _) as [|z l IH]; cbn [fold_right]; [reflexivity|]. rewrite IH; f_equal.
  apply (IHt (x :: indices)); [assumption|now apply alike_put].
Qed.
Lemma closed_defined e : forall indices w w', closed indices e = true -> alike indices w w' -> defined w e -> defined w' e.
Proof.
  induction e as [z|x|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa|a IHa b IHb
    |a IHa b IHb|x a IHa b IHb t IHt]; intros indices w w' C H; cbn [closed] in C; cbn [defined]; auto;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [H ?] end;
    rewrite <- ?(closed_value a indices w w'), <- ?(closed_value b indices w w') by assumption;
    try (now apply (IHa indices w w'));
    try (intros D; decompose [and] D; clear D; repeat split; try assumption;
         try (now apply (IHa indices w w')); try (now apply (IHb indices w w')); fail).
  - intros (Da & Db & Wa & Wb & D). repeat split; try assumption; try (now apply (IHa indices w w')); try (now apply (IHb indices w w')).
    intros z I. apply (IHt (x :: indices) (put w x (IZR z))); [assumption|now apply alike_put|now apply D].
Qed.
(* What is computed is true, whatever the names stand for. *)
Theorem constant_relation_sound w r : constant_relation r = true -> true_at w r.
Proof.
  destruct r as [[o a] b]; unfold constant_relation, true_at. intros H.
  destruct (closed [] a && closed [] b) eqn:C; [|discriminate]. destruct (modest _ _); [|discriminate].
  repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [H ?] end.
  set (v := fun x => Q2R (nowhere x)).
  assert (N : alike [] v w) by discriminate.
  rewrite <- (closed_value a [] v w), <- (closed_value b [] v w) by assumption.
  repeat split.
  - apply (closed_defined a [] v w); auto. now apply defined_Q_sound.
  - apply (closed_defined b [] v w); auto. now apply defined_Q_sound.
  - unfold v; rewrite <- !eval_agrees. destruct o; cbn [related related_Q] in *.
    + now apply Qreals.Qeq_eqR, Qeq_bool_iff.
    + now apply Qle_bool_R.
    + now apply less_R.
Qed.
