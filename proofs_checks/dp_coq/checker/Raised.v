(* Powers of e that have names: each is replaced by what it lies between, and there is a point where they have these values. *)
From Coq Require Import Reals QArith Qreals List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds meaning.Distributions meaning.Laws
  meaning.Moments meaning.Errors meaning.Exponentials.
From DP Require Import checker.Agreement checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums.
From DP Require Import theorems.Expectations checker.Chances checker.DataSets checker.Filled checker.Estimates checker.Errors checker.Exponentials.
Import ListNotations.
Open Scope R_scope.

Definition among (x : positive) (l : list positive) : bool := existsb (Pos.eqb x) l.
Lemma among_In x l : among x l = true <-> In x l.
Proof.
  unfold among. rewrite existsb_exists. split; [intros (y & J & E); apply Pos.eqb_eq in E; now subst|].
  intros J. exists x. split; [exact J|apply Pos.eqb_refl].
Qed.
Lemma assigned_In l x b : assigned l x = Some b -> In (x, b) l.
Proof.
  induction l as [|[y c] l IH]; intros H; [discriminate|]. cbn [assigned] in H.
  destruct (Pos.eqb_spec x y) as [->|]; [injection H as ->; now left|right; now apply IH].
Qed.
Lemma assigned_none l x : among x (map fst l) = false -> assigned l x = None.
Proof.
  induction l as [|[y c] l IH]; [reflexivity|]. unfold among in *. cbn [map fst existsb assigned]. destruct (x =? y)%positive; [discriminate|exact IH].
Qed.
Lemma assigned_some l x : among x (map fst l) = true -> exists b, assigned l x = Some b.
Proof.
  induction l as [|[y c] l IH]; [discriminate|]. unfold among in *. cbn [map fst existsb assigned]. destruct (x =? y)%positive; [eauto|exact IH].
Qed.
Definition is_expr (a : option expr) (b : expr) : bool := match a with Some a => if expr_dec a b then true else false | None => false end.
Lemma is_expr_sound a b : is_expr a b = true -> a = Some b.
Proof. destruct a as [a|]; [|discriminate]. cbn. destruct (expr_dec a b); [now subst|discriminate]. Qed.

Section Raised.
  Variable s : exponentials.
  Notation d := (over (formula_of (assertion s))).
  Notation rs := (ranges d).
  Definition powers_of_e : list positive := map fst (exponents s).
  Definition errors_named : list positive := map fst (names_of (assertion s)).
  (* The names that stand for themselves; what is stated of these alone. *)
  Definition plain_names : list positive := filter (fun x => negb (among x (powers_of_e ++ errors_named))) (own_names d).
  Definition plain_domain : domain := Domain rs (filter (closed plain_names) (constraints d)).
  (* An exponent that is > 0 and at most 1: then the name is that of the u of `e_between`. *)
  Definition is_small (t : expr) : bool := nonnegative_e rs (Sub (Cst 1) t).
  Definition spelled (p : positive * expr) : positive * expr :=
    let (x, t) := p in
    (x, if is_small t then Add (Add (Cst 1) t) (Div (Mul (Mul t t) (Add (Var x) (Cst 2))) (Cst 4)) else Var x).
  Definition new_range (x : positive) : range :=
    match assigned (exponents s) x with Some t => if is_small t then Unit false else From 1 true false | None => range_at rs x end.
  Definition raised_domain : domain :=
    Domain (map (fun i => new_range (Pos.of_nat (S i))) (seq 0 (length rs))) (constraints plain_domain).
  Definition is_exponent (t : positive * expr) : bool :=
    positive_e rs (snd t) && closed plain_names (snd t) && among (fst t) (own_names d).
  Definition check_raised (shown : list (list expr * witness)) (powers : list (expr * positive)) (forms : list form)
    (rels : list relation) (steps : list step) : bool :=
    match error_exprs (names_of (assertion s)) shown with
    | Some l =>
        forallb is_exponent (exponents s) && forallb simple_relation rels && forallb simple_relation (map (filled_relation l) rels)
        && check_sums raised_domain powers forms
             (map (filled_relation (map spelled (exponents s))) (map (filled_relation l) rels)) steps
    | None => false
    end.

  Lemma plain_is_not_named x : among x plain_names = true -> among x (powers_of_e ++ errors_named) = false.
  Proof. intros H. apply among_In, filter_In in H as [_ H]. now apply negb_true_iff. Qed.
  Lemma plain_has_no_exponent x : among x plain_names = true -> assigned (exponents s) x = None.
  Proof.
    intros H. apply assigned_none. apply plain_is_not_named in H. unfold among in *. rewrite existsb_app in H. apply orb_false_elim in H as [H _]. exact H.
  Qed.
  Lemma range_at_map (f : positive -> range) x : 
    range_at (map (fun i => f (Pos.of_nat (S i))) (seq 0 (length rs))) x = if among x (own_names d) then f x else range_at rs x.
  Proof.
    unfold range_at. destruct (Nat.lt_ge_cases (Pos.to_nat x - 1) (length rs)) as [L|G].
    - assert (J : among x (own_names d) = true).
      { apply among_In, in_map_iff. exists (Pos.to_nat x). split; [apply Pos2Nat.id|]. apply in_seq. unfold many. lia. }
      rewrite J. rewrite (nth_indep _ _ (f (Pos.of_nat 1))) by (rewrite map_length, seq_length; exact L).
      rewrite map_nth with (d := 0%nat) (f := fun i => f (Pos.of_nat (S i))), seq_nth by exact L. f_equal.
      replace (S (0 + (Pos.to_nat x - 1))) with (Pos.to_nat x) by lia. apply Pos2Nat.id.
    - rewrite !nth_overflow; [|exact G|rewrite map_length, seq_length; exact G]. destruct (among x (own_names d)) eqn:J; [|reflexivity].
      apply among_In, in_map_iff in J as (n & <- & J). apply in_seq in J. unfold many in J. rewrite Nat2Pos.id in G by lia. lia.
  Qed.

  Section At.
    Variables (e : R -> R) (w : positive -> R).
    Hypothesis is_e : is_exponential e.
    Hypothesis named : is_point e s w.
    Hypothesis listed : forallb is_exponent (exponents s) = true.
    Definition lowered_names (x : positive) : R :=
      match assigned (exponents s) x with Some t => if is_small t then between (value w t) (w x) else w x | None => w x end.
    Lemma exponent_sound x t : In (x, t) (exponents s) ->
      0 < value w t /\ defined w t /\ closed plain_names t = true /\ among x (own_names d) = true /\ w x = e (value w t).
    Proof.
      intros J. rewrite forallb_forall in listed. specialize (listed _ J). unfold is_exponent in listed; cbn [fst snd] in listed.
      apply andb_prop in listed as [H O]; apply andb_prop in H as [P C]. destruct named as [[here _] F].
      apply (positive_e_sound _ _ (proj1 here)) in P as [P D]. rewrite Forall_forall in F. specialize (F _ J). auto.
    Qed.
    Lemma plain_alike : forall x, existsb (Pos.eqb x) plain_names = true -> w x = lowered_names x.
    Proof. intros x H. unfold lowered_names. now rewrite (plain_has_no_exponent x H). Qed.
    Lemma small_sound x t : In (x, t) (exponents s) -> is_small t = true -> value w t <= 1.
    Proof.
      intros _ H. destruct named as [[here _] _]. apply (nonnegative_e_sound _ _ (proj1 here)) in H as [H _].
      unfold value in *; cbn [eval sub integer of_Q over_R] in H. rewrite Q2R_integer in H. lra.
    Qed.
    Lemma raised_inside : inside raised_domain lowered_names.
    Proof.
      destruct named as [[[W C] _] _]. split.
      - intros x. cbn [ranges raised_domain]. rewrite range_at_map. destruct (among x (own_names d)) eqn:O.
        + unfold new_range, lowered_names. destruct (assigned (exponents s) x) as [t|] eqn:A; [|apply W].
          apply assigned_In in A. destruct (exponent_sound x t A) as (P & _ & _ & _ & E). rewrite E. destruct (is_small t) eqn:S.
          * apply small_sound with (1 := A) in S. destruct (e_between e is_e (value w t) (conj P S)) as [B _]. simpl. lra.
          * pose proof (e_above e is_e (value w t)). simpl. split; [lra|discriminate].
        + unfold lowered_names. destruct (assigned (exponents s) x) as [t|] eqn:A; [|apply W].
          apply assigned_In in A. destruct (exponent_sound x t A) as (_ & _ & _ & O' & _). congruence.
      - cbn [constraints raised_domain plain_domain]. rewrite Forall_forall in *. intros c J. apply filter_In in J as [J K].
        destruct (C c J) as [D P]. split; [exact (closed_defined _ _ _ _ K plain_alike D)|]. now rewrite <- (closed_value _ _ _ _ K plain_alike).
    Qed.
    Lemma assigned_spelled l x : assigned (map spelled l) x = option_map (fun t => snd (spelled (x, t))) (assigned l x).
    Proof.
      induction l as [|[y t] l IH]; [reflexivity|]. cbn [map spelled assigned]. destruct (Pos.eqb_spec x y) as [->|]; [reflexivity|exact IH].
    Qed.
    Lemma spelled_sound : Filled.stands_for (map spelled (exponents s)) lowered_names w.
    Proof.
      intros x. rewrite assigned_spelled. unfold lowered_names at 3. destruct (assigned (exponents s) x) as [t|] eqn:A; [|reflexivity].
      pose proof A as J. apply assigned_In in J. destruct (exponent_sound x t J) as (P & D & C & _ & E). cbn [option_map spelled snd].
      assert (V : value lowered_names t = value w t) by (symmetry; exact (closed_value _ _ _ _ C plain_alike)).
      assert (D' : defined lowered_names t) by exact (closed_defined _ _ _ _ C plain_alike D).
      destruct (is_small t) eqn:S.
      - pose proof (small_sound x t J S) as L. destruct (e_between e is_e _ (conj P L)) as [_ B].
        assert (X : lowered_names x = between (value w t) (w x)) by (unfold lowered_names; now rewrite A, S).
        split.
        + cbn [defined]. assert (F : value lowered_names (Cst 4) <> 0) by (unfold value; cbn [eval integer of_Q over_R]; rewrite Q2R_integer; lra). tauto.
        + unfold value in *; cbn [eval add mul div integer of_Q over_R]. rewrite V, X, !Q2R_integer, E. exact B.
      - split; [exact I|]. unfold value; cbn [eval]. unfold lowered_names. now rewrite A, S.
    Qed.
  End At.

  (* What is shown where the powers of e are spelled out is true of them. *)
  Theorem check_raised_sound shown powers forms rels steps e w : check_raised shown powers forms rels steps = true ->
    is_exponential e -> is_point e s w -> Forall (true_at w) rels /\ Forall (fun t => defined w (snd t)) (exponents s).
  Proof.
    unfold check_raised. intros H is_e named. destruct (error_exprs (names_of (assertion s)) shown) as [l|] eqn:X; [|discriminate].
    apply andb_prop in H as [H C]; apply andb_prop in H as [H S2]; apply andb_prop in H as [L S1]. split.
    2: { apply Forall_forall. intros [x t] J. exact (proj1 (proj2 (exponent_sound e w named L x t J))). }
    pose proof (error_exprs_sound w _ _ _ X (proj2 (proj1 named))) as F.
    apply (check_sums_sound _ _ _ _ _ _ (raised_inside e w is_e named L)) in C.
    rewrite !Forall_map in C. rewrite forallb_forall in S1, S2. rewrite Forall_forall in C. apply Forall_forall. intros [[o a] b] J.
    specialize (C _ J). pose proof (S1 _ J) as S3. specialize (S2 _ (in_map _ _ _ J)). cbn [simple_relation filled_relation] in *.
    apply andb_prop in S3 as [Sa Sb]; apply andb_prop in S2 as [Ta Tb].
    assert (St : Filled.stands_for l w w).
    { intros x. destruct (assigned l x) as [t|] eqn:A; [|reflexivity]. rewrite Forall_forall in F. apply assigned_In in A.
      destruct (F _ A) as [D V]. cbn [fst snd] in *. auto. }
    pose proof (spelled_sound e w is_e named L) as Sp.
    destruct (filled_sound l w w a Sa St) as [Va Da], (filled_sound l w w b Sb St) as [Vb Db].
    destruct (filled_sound _ _ w _ Ta Sp) as [Va' Da'], (filled_sound _ _ w _ Tb Sp) as [Vb' Db'].
    unfold true_at in *. rewrite Va', Va, Vb', Vb in C. tauto.
  Qed.
End Raised.
