(* Evidence for a relation in a domain: none, if it has no names; an identity; or a scale > 0, multipliers >= 0 of what is stated and of squares,
   after which no coefficient is negative; of a rest that is affine in a name, at both of its ends. *)
From Coq Require Import Reals List Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas checker.Values checker.Constants.
Import ListNotations.
Open Scope R_scope.

Record step := Step {
  scale : expr; multipliers : list (nat * expr); squares : list (expr * expr); ends : option (positive * expr) }.

(* What an expression is where a name has a value: a proposal, whose use is checked. *)
Fixpoint substituted (x : positive) (by_ : expr) (e : expr) : expr :=
  let s := substituted x by_ in
  match e with
  | Cst _ => e
  | Var y => if (y =? x)%positive then by_ else e
  | Add a b => Add (s a) (s b) | Sub a b => Sub (s a) (s b) | Mul a b => Mul (s a) (s b) | Div a b => Div (s a) (s b)
  | Neg a => Neg (s a) | Pow a b => Pow (s a) (s b) | Floor a => Floor (s a) | Min a b => Min (s a) (s b)
  | Binom a b => Binom (s a) (s b)
  | Sum y low high t => Sum y (s low) (s high) (if (y =? x)%positive then t else s t)
  end.

Section Checker.
  Variable d : domain.
  Notation rs := (ranges d).
  Definition sign (o : op) (e : expr) : bool := match o with Lt => positive_e rs e | _ => nonnegative_e rs e end.
  Definition stated (e : expr) : bool := nonnegative_e rs e || existsb (fun c => zero_e rs (Sub c e)) (constraints d).
  (* high rest = (high - x) (rest at 0) + x (rest at high), as of everything that is affine in x. *)
  Definition between (o : op) (x : positive) (high rest : expr) : bool :=
    let low_rest := substituted x (Cst 0) rest in
    let high_rest := substituted x high rest in
    zero_e rs (Sub (Mul high rest) (Add (Mul (Sub high (Var x)) low_rest) (Mul (Var x) high_rest)))
    && positive_e rs high && stated (Var x) && stated (Sub high (Var x)) && sign o low_rest && sign o high_rest.
  Definition taken (s : step) : list expr :=
    map (fun m => Mul (snd m) (nth (fst m) (constraints d) (Cst 0))) (multipliers s)
    ++ map (fun m => Mul (fst m) (Mul (snd m) (snd m))) (squares s).
  Definition shows (o : op) (gap : expr) (s : step) : bool :=
    let rest := fold_left Sub (taken s) (Mul gap (scale s)) in
    positive_e rs (scale s) && forallb (fun m => nonnegative_e rs (snd m)) (multipliers s)
    && forallb (fun m => nonnegative_e rs (fst m)) (squares s)
    && match ends s with None => sign o rest | Some (x, high) => between o x high rest end.
  Definition check_relation (r : relation) (s : step) : bool :=
    let '(o, a, b) := r in
    if constant_relation r then true
    else match o with Eq => zero_e rs (Sub b a) | _ => shows o (Sub b a) s end.
  Fixpoint check_relations (rels : list relation) (steps : list step) : bool :=
    match rels, steps with
    | [], [] => true
    | r :: rels, s :: steps => check_relation r s && check_relations rels steps
    | _, _ => false
    end.

  Variable w : positive -> R.
  Hypothesis here : inside d w.
  Definition signed (o : op) (x : R) : Prop := match o with Lt => 0 < x | _ => 0 <= x end.
  Lemma sign_sound o e : sign o e = true -> signed o (value w e) /\ defined w e.
  Proof.
    destruct here as [W _], o; simpl; intros H; try exact (nonnegative_e_sound _ _ W _ H).
    exact (positive_e_sound _ _ W _ H).
  Qed.
  Lemma stated_sound e : stated e = true -> 0 <= value w e.
  Proof.
    destruct here as [W C]; intros H; apply orb_prop in H as [H|H].
    - now apply (nonnegative_e_sound _ _ W) in H.
    - apply existsb_exists in H as (c & I & Z). apply (zero_e_sound _ _ W) in Z as [Z _].
      rewrite Forall_forall in C. destruct (C _ I) as [_ G]. unfold value in *; cbn [eval sub over_R] in Z. lra.
  Qed.
  Lemma between_sound o x high rest : between o x high rest = true -> signed o (value w rest) /\ defined w rest.
  Proof.
    destruct here as [W _]; unfold between; intros H.
    apply andb_prop in H as [H S1]; apply andb_prop in H as [H S0]; apply andb_prop in H as [H B].
    apply andb_prop in H as [H A]; apply andb_prop in H as [Z P].
    apply (zero_e_sound _ _ W) in Z as [Z D]. apply (positive_e_sound _ _ W) in P as [P _].
    apply stated_sound in A; apply stated_sound in B. apply sign_sound in S0 as [S0 _]; apply sign_sound in S1 as [S1 _].
    split; [|cbn [defined] in D; tauto]. unfold value in *; cbn [eval sub add mul over_R] in *.
    set (h := eval over_R w high) in *; set (r := eval over_R w rest) in *; set (v := w x) in *.
    set (r0 := eval over_R w (substituted x (Cst 0) rest)) in *; set (r1 := eval over_R w (substituted x high rest)) in *.
    assert (E : h * r = (h - v) * r0 + v * r1) by lra. clear Z.
    destruct o; simpl in *.
    - assert (0 <= (h - v) * r0) by now apply Rmult_le_pos. assert (0 <= v * r1) by now apply Rmult_le_pos.
      apply Rmult_le_reg_l with h; lra.
    - assert (0 <= (h - v) * r0) by now apply Rmult_le_pos. assert (0 <= v * r1) by now apply Rmult_le_pos.
      apply Rmult_le_reg_l with h; lra.
    - apply Rmult_lt_reg_l with h; [exact P|]. rewrite Rmult_0_r, E.
      destruct (Rle_lt_or_eq_dec _ _ A) as [L|<-]; [|rewrite Rmult_0_l, Rplus_0_r, Rminus_0_r; now apply Rmult_lt_0_compat].
      assert (0 <= (h - v) * r0) by (apply Rmult_le_pos; lra). assert (0 < v * r1) by now apply Rmult_lt_0_compat. lra.
  Qed.
  Lemma value_rest es e :
    value w (fold_left Sub es e) = value w e - fold_right (fun t total => value w t + total) 0 es.
  Proof.
    revert e; induction es as [|t es IH]; intros e; simpl; [lra|]. rewrite IH; unfold value; cbn [eval sub over_R]; lra.
  Qed.
  Lemma defined_rest es e : defined w (fold_left Sub es e) -> defined w e.
  Proof. revert e; induction es as [|t es IH]; intros e; simpl; auto. intros H; apply IH in H; cbn [defined] in H; tauto. Qed.
  Lemma taken_nonnegative s :
    forallb (fun m => nonnegative_e rs (snd m)) (multipliers s) = true ->
    forallb (fun m => nonnegative_e rs (fst m)) (squares s) = true -> Forall (fun t => 0 <= value w t) (taken s).
  Proof.
    destruct here as [W C]; intros M S. unfold taken; apply Forall_app; split; rewrite Forall_map; apply Forall_forall; intros m J.
    - rewrite forallb_forall in M; destruct (nonnegative_e_sound _ _ W _ (M _ J)) as [N _].
      unfold value in *; cbn [eval mul over_R]. apply Rmult_le_pos; [exact N|].
      destruct (nth_in_or_default (fst m) (constraints d) (Cst 0)) as [K| ->].
      + rewrite Forall_forall in C; exact (proj2 (C _ K)).
      + cbn; unfold Q2R; simpl; lra.
    - rewrite forallb_forall in S; destruct (nonnegative_e_sound _ _ W _ (S _ J)) as [N _].
      unfold value in *; cbn [eval mul over_R]. apply Rmult_le_pos; [exact N|]. apply Rle_0_sqr.
  Qed.
  (* A gap that is shown to be >= 0, or > 0, is, and is defined. *)
  Theorem shows_sound o gap s : shows o gap s = true -> signed o (value w gap) /\ defined w gap.
  Proof.
    destruct here as [W _]; unfold shows; set (rest := fold_left _ _ _). intros H.
    apply andb_prop in H as [H F]; apply andb_prop in H as [H S]; apply andb_prop in H as [P M].
    apply (positive_e_sound _ _ W) in P as [P _]. pose proof (taken_nonnegative s M S) as T.
    assert (signed o (value w rest) /\ defined w rest) as [G D].
    { destruct (ends s) as [[x high]|]; [exact (between_sound _ _ _ _ F)|exact (sign_sound _ _ F)]. }
    split; [|apply defined_rest in D; cbn [defined] in D; tauto].
    unfold rest in G; rewrite value_rest in G. unfold value at 1 in G; cbn [eval mul over_R] in G.
    fold (value w gap) (value w (scale s)) in G.
    assert (0 <= fold_right (fun t total => value w t + total) 0 (taken s)) by (clear -T; induction T; simpl; lra).
    destruct o; simpl in *; nra.
  Qed.
  Lemma check_relation_sound r s : check_relation r s = true -> true_at w r.
  Proof.
    destruct r as [[o a] b]; unfold check_relation. intros H.
    destruct (constant_relation (o, a, b)) eqn:C; [now apply constant_relation_sound|].
    unfold true_at. assert (signed o (value w (Sub b a)) /\ (o = Eq -> value w (Sub b a) = 0) /\ defined w (Sub b a)) as (G & Z & D).
    { destruct o.
      - destruct here as [W _]. destruct (zero_e_sound _ _ W _ H) as [Z D].
        split; [change (0 <= value w (Sub b a)); lra|auto].
      - destruct (shows_sound _ _ _ H) as [G D]. split; [exact G|split; [discriminate|exact D]].
      - destruct (shows_sound _ _ _ H) as [G D]. split; [exact G|split; [discriminate|exact D]]. }
    cbn [defined] in D. repeat split; try tauto. unfold value in *; cbn [eval sub over_R] in *.
    destruct o; simpl in *; try lra. specialize (Z eq_refl); lra.
  Qed.
  (* Relations that have been checked are true everywhere in the domain. *)
  Theorem check_relations_sound rels : forall steps, check_relations rels steps = true -> Forall (true_at w) rels.
  Proof.
    induction rels as [|r rels IH]; intros [|s steps] H; try discriminate; constructor;
      apply andb_prop in H as [H K]; [exact (check_relation_sound _ _ H)|exact (IH _ K)].
  Qed.
End Checker.
