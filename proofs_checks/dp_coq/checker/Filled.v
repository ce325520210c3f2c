(* Expressions in the place of names. *)
From Coq Require Import Reals List ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions checker.Constants checker.Sums.
Import ListNotations.
Open Scope R_scope.

Fixpoint assigned (l : list (positive * expr)) (x : positive) : option expr :=
  match l with [] => None | (y, b) :: l => if (x =? y)%positive then Some b else assigned l x end.
Fixpoint filled (l : list (positive * expr)) (e : expr) : expr :=
  let s := filled l in
  match e with
  | Cst _ | Sum _ _ _ _ => e
  | Var x => match assigned l x with Some b => b | None => e end
  | Add a b => Add (s a) (s b) | Sub a b => Sub (s a) (s b) | Mul a b => Mul (s a) (s b) | Div a b => Div (s a) (s b)
  | Neg a => Neg (s a) | Pow a b => Pow (s a) (s b) | Floor a => Floor (s a) | Min a b => Min (s a) (s b)
  | Binom a b => Binom (s a) (s b)
  end.
Definition stands_for (l : list (positive * expr)) (w w' : positive -> R) : Prop :=
  forall x, match assigned l x with Some b => defined w b /\ value w b = w' x | None => w x = w' x end.
Lemma filled_sound l w w' e : simple e = true -> stands_for l w w' ->
  value w (filled l e) = value w' e /\ (defined w (filled l e) <-> defined w' e).
Proof.
  intros S H; unfold value; induction e as [z|y|a IHa c IHc|a IHa c IHc|a IHa c IHc|a IHa c IHc|a IHa|a IHa c IHc|a IHa|a IHa c IHc
    |a IHa c IHc|y a IHa c IHc t IHt]; cbn [simple] in S; try discriminate;
    try (apply andb_prop in S as [Sa Sc]; destruct (IHa Sa) as [Va Da], (IHc Sc) as [Vc Dc]; cbn [filled eval defined];
         unfold value in *; rewrite ?Va, ?Vc; split; [reflexivity|tauto]; fail);
    try (destruct (IHa S) as [Va Da]; cbn [filled eval defined]; unfold value in *; rewrite ?Va; split; [reflexivity|tauto]; fail).
  - split; reflexivity.
  - specialize (H y). cbn [filled]. destruct (assigned l y) as [b|]; cbn [eval defined]; [|split; [exact H|reflexivity]].
    destruct H as [D V]. split; [exact V|tauto].
Qed.
(* The names that are assigned are all names of the expression: others do not matter. *)
Lemma filled_closed l w w' e : simple e = true -> closed (map fst l) e = true ->
  Forall (fun t => defined w (snd t) /\ w' (fst t) = value w (snd t)) l ->
  value w (filled l e) = value w' e /\ (defined w (filled l e) <-> defined w' e).
Proof.
  intros S C F. set (w2 := fun x => match assigned l x with Some b => value w b | None => w x end).
  assert (A : forall x b, assigned l x = Some b -> In (x, b) l).
  { clear. induction l as [|[y c] l IH]; intros x b H; [discriminate|]. cbn [assigned] in H.
    destruct (Pos.eqb_spec x y) as [->|]; [injection H as ->; now left|right; now apply IH]. }
  rewrite Forall_forall in F.
  assert (St : stands_for l w w2).
  { intros x. unfold w2. destruct (assigned l x) as [b|] eqn:E; [|reflexivity]. split; [exact (proj1 (F _ (A _ _ E)))|reflexivity]. }
  assert (Al : forall x, existsb (Pos.eqb x) (map fst l) = true -> w2 x = w' x).
  { intros x J. unfold w2. destruct (assigned l x) as [b|] eqn:E; [symmetry; exact (proj2 (F _ (A _ _ E)))|].
    exfalso. clear - J E. induction l as [|[y c] l IH]; [discriminate|]. cbn [map fst existsb assigned] in *.
    destruct (x =? y)%positive; [discriminate|exact (IH J E)]. }
  destruct (filled_sound l w w2 e S St) as [V D]. rewrite V, D. split.
  - exact (closed_value _ _ _ _ C Al).
  - split; apply (closed_defined _ (map fst l)); auto. intros x J; symmetry; auto.
Qed.
