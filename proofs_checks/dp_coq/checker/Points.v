(* Points of domains with rational coordinates: that a domain has one, and that a relation is false there. *)
From Coq Require Import Reals QArith Qreals Qround List Lia Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas checker.Agreement.
Import ListNotations.
Open Scope R_scope.

Definition less (a b : Q) : bool := negb (Qle_bool b a).
Definition whole_Q (q : Q) : bool := Qeq_bool q (inject_Z (Qfloor q)).
Definition in_range_Q (r : range) (q : Q) : bool :=
  match r with
  | From low strict whole =>
      (if strict then less (inject_Z low) q else Qle_bool (inject_Z low) q) && (negb whole || whole_Q q)
  | Unit closed => less 0 q && (if closed then Qle_bool q 1 else less q 1)
  end.
Notation run := (eval over_Q).
Fixpoint defined_Q (w : positive -> Q) (e : expr) : bool :=
  match e with
  | Cst _ | Var _ => true
  | Add a b | Sub a b | Mul a b | Min a b => defined_Q w a && defined_Q w b
  | Div a b => defined_Q w a && defined_Q w b && negb (Qeq_bool (run w b) 0)
  | Neg a | Floor a => defined_Q w a
  | Pow a b => defined_Q w a && defined_Q w b && whole_Q (run w b) && (Qle_bool 0 (run w b) || negb (Qeq_bool (run w a) 0))
  | Binom a b => defined_Q w a && defined_Q w b && whole_Q (run w a) && whole_Q (run w b)
                 && Qle_bool 0 (run w a) && Qle_bool 0 (run w b)
  | Sum x low high t =>
      defined_Q w low && defined_Q w high && whole_Q (run w low) && whole_Q (run w high)
      && forallb (fun z => defined_Q (put w x (inject_Z z)) t) (along (Qfloor (run w low)) (Qfloor (run w high)))
  end.
(* Whether the numbers of an expression stay short: what is longer is refused, not computed. *)
Definition longest : Z := 200000.   (* bits of a power *)
Definition most_terms : Z := 5000.   (* of a sum, and factors of a number of subsets *)
Definition bits (q : Q) : Z := (1 + Z.log2 (Z.abs (Qnum q)) + Z.log2 (Zpos (Qden q)))%Z.
Fixpoint modest (w : positive -> Q) (e : expr) : bool :=
  match e with
  | Cst _ | Var _ => true
  | Neg a | Floor a => modest w a
  | Add a b | Sub a b | Mul a b | Div a b | Min a b => if modest w a then modest w b else false
  | Pow a b =>
      if modest w a then if modest w b then (bits (run w a) * Z.abs (Qfloor (run w b)) <=? longest)%Z else false else false
  | Binom a b => if modest w a then if modest w b then (Qfloor (run w b) <=? most_terms)%Z else false else false
  | Sum x low high t =>
      if modest w low then if modest w high then
        let first := Qfloor (run w low) in let last := Qfloor (run w high) in
        if (last - first <=? most_terms)%Z then forallb (fun z => modest (put w x (inject_Z z)) t) (along first last) else false
      else false else false
  end.
Definition point (qs : list Q) (x : positive) : Q := nth (Pos.to_nat x - 1) qs 0%Q.
Definition inside_Q (d : domain) (qs : list Q) : bool :=
  forallb (fun i => in_range_Q (nth i (ranges d) (From 0 false false)) (nth i qs 0%Q)) (seq 0 (length (ranges d) + length qs))
  && forallb (fun e => if modest (point qs) e then defined_Q (point qs) e && Qle_bool 0 (run (point qs) e) else false)
       (constraints d).
Definition related_Q (o : op) (a b : Q) : bool :=
  match o with Eq => Qeq_bool a b | Le => Qle_bool a b | Lt => less a b end.
Definition false_at_Q (w : positive -> Q) (r : relation) : bool :=
  let '(o, a, b) := r in
  if modest w (Sub a b) then defined_Q w a && defined_Q w b && negb (related_Q o (run w a) (run w b)) else false.

Lemma less_R a b : less a b = true -> Q2R a < Q2R b.
Proof.
  unfold less; intros H; apply negb_true_iff in H. apply Qlt_Rlt, Qnot_le_lt. intros L.
  apply Qle_bool_iff in L; congruence.
Qed.
Lemma Qle_bool_R a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intros H; now apply Qle_Rle, Qle_bool_iff. Qed.
Lemma Q2R_0 : Q2R 0 = 0. Proof. unfold Q2R; simpl; lra. Qed.
Lemma whole_R q : whole_Q q = true -> whole (Q2R q).
Proof. intros H; unfold whole; rewrite Q2R_floor, <- Q2R_integer. now apply Qeq_eqR, Qeq_bool_iff. Qed.
Lemma nonzero_R q : negb (Qeq_bool q 0) = true -> Q2R q <> 0.
Proof.
  intros H Z; apply negb_true_iff in H. rewrite <- Q2R_0 in Z. apply eqR_Qeq, Qeq_bool_iff in Z; congruence.
Qed.
Lemma in_range_Q_sound r q : in_range_Q r q = true -> in_range r (Q2R q).
Proof.
  destruct r as [low strict whole|closed]; simpl; intros H; apply andb_prop in H as [H G]; split.
  - rewrite <- Q2R_integer; destruct strict; [now apply less_R|now apply Qle_bool_R].
  - intros ->; simpl in G. exists (Int_part (Q2R q)). now apply whole_R.
  - apply less_R in H. now rewrite Q2R_0 in H.
  - destruct closed; [apply Qle_bool_R in G|apply less_R in G]; unfold Q2R at 2 in G; simpl in G; lra.
Qed.
Lemma defined_ext e : forall w w', (forall x, w x = w' x) -> defined w e -> defined w' e.
Proof.
  assert (V : forall w w' e, (forall x, w x = w' x) -> value w e = value w' e) by (intros; now apply (eval_ext over_R)).
  induction e; intros w w' H; cbn [defined]; auto; rewrite <- ?(V w w') by assumption;
    try (intros D; decompose [and] D; repeat split; eauto; fail).
  intros (Da & Db & Wa & Wb & D). repeat split; eauto. intros z I. apply IHe3 with (put w x (IZR z)); [|auto].
  intros y; unfold put. destruct (y =? x)%positive; auto.
Qed.
Lemma defined_Q_sound e : forall w, defined_Q w e = true -> defined (fun x => Q2R (w x)) e.
Proof.
  induction e; intros w; cbn [defined_Q defined]; intros H; auto;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [H ?] end;
    rewrite <- ?eval_agrees; repeat split; auto using whole_R, nonzero_R.
  - match goal with H : _ || _ = true |- _ => apply orb_prop in H as [L|L] end.
    + apply Qle_bool_R in L; rewrite Q2R_0 in L; auto.
    + right; now apply nonzero_R.
  - rewrite <- Q2R_0; now apply Qle_bool_R.
  - rewrite <- Q2R_0; now apply Qle_bool_R.
  - intros z I. rewrite !Q2R_floor in I.
    match goal with H : forallb _ _ = true |- _ => rewrite forallb_forall in H; specialize (H z I); apply IHe3 in H; revert H end.
    apply defined_ext. intros y; unfold put. destruct (y =? x)%positive; [apply Q2R_integer|reflexivity].
Qed.
Notation real qs := (fun x => Q2R (point qs x)).
(* A point that is seen to be in a domain is in it. *)
Theorem inside_Q_sound d qs : inside_Q d qs = true -> inside d (real qs).
Proof.
  intros H; apply andb_prop in H as [J C]; split.
  - intros x; apply in_range_Q_sound. unfold range_at, point. set (i := (Pos.to_nat x - 1)%nat).
    destruct (Nat.lt_ge_cases i (length (ranges d) + length qs)) as [L|G].
    + rewrite forallb_forall in J; apply J, in_seq; lia.
    + rewrite !nth_overflow by lia. reflexivity.
  - apply Forall_forall; intros e K. rewrite forallb_forall in C. specialize (C e K).
      destruct (modest _ e); [|discriminate]. apply andb_prop in C as [D C]. split.
    + exact (defined_Q_sound _ _ D).
    + apply Qle_bool_R in C. now rewrite eval_agrees, Q2R_0 in C.
Qed.
(* A relation that is seen to be false at a point is false there. *)
Theorem false_at_Q_sound qs r : false_at_Q (point qs) r = true -> false_at (real qs) r.
Proof.
  destruct r as [[o a] b]; unfold false_at_Q, false_at.
  intros H; destruct (modest _ _); [|discriminate]; apply andb_prop in H as [H R]; apply andb_prop in H as [A B].
  repeat split; try now apply defined_Q_sound. rewrite <- !eval_agrees. apply negb_true_iff in R.
  destruct o; cbn [related related_Q] in *; intros T.
  - apply eqR_Qeq, Qeq_bool_iff in T; congruence.
  - apply Rle_Qle, Qle_bool_iff in T; congruence.
  - apply Rlt_Qlt in T. unfold less in R; apply negb_false_iff, Qle_bool_iff in R. exact (Qlt_not_le _ _ T R).
Qed.
