(* The judgement "moment = formula": what is computed of a user, averaged over the users of any data set. *)
From Coq Require Import Reals QArith Qround List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values checker.Points checker.Steps checker.Powers checker.Sums.
From DP Require Import theorems.Expectations checker.Variances checker.Counts checker.Users checker.Chances checker.Moments checker.DataSets checker.Filled.
Import ListNotations.
Open Scope R_scope.

Definition is_stated (e : expr) (l : list expr) : bool := existsb (fun c => if expr_dec c e then true else false) l.
Section Mechanism.
  Variable M : mechanism.
  Notation d := (sizes M).
  Notation rs := (ranges (sizes M)).
  (* No other items than sensitive ones are stated to exist; users are stated to hold one item. *)
  Definition alone : bool := is_stated (Neg (Var 2)) (constraints d).
  Definition of_one_item : bool := sensitive M && alone && is_stated (Sub (Cst 1) (Var 3)) (constraints d).
  Definition computed (u : who) : option quad := moments_of rs (sensitive M) alone (its_law M) u.
  (* Of a user who holds the item, and of one who does not. *)
  Definition of_users : option (quad * quad) :=
    match computed (Whole true), computed (Whole false) with
    | Some q, Some r => Some (q, r)
    | _, _ => if of_one_item then
        match computed (One Mine), computed (One Sensitive) with Some q, Some r => Some (q, r) | _, _ => None end
      else None
    end.
  Definition averaged (a b c : expr) : expr := Add (Add (Mul (Var 5) a) (Mul (Sub (Cst 1) (Var 5)) b)) (Mul (Var 6) c).
  Definition mean_of (q r : quad) : expr := Div (Sub (averaged (mean0 q) (mean0 r) (mean1 r)) (offset M)) (slope M).
  Definition variance_of (q r : quad) : expr := Div (averaged (var0 q) (var0 r) (var1 r)) (Mul (Var 4) (Square (slope M))).
  Definition derived (k : moment) (q r : quad) : option expr :=
    match k with
    | Mean => Some (mean_of q r)
    | Variance => Some (variance_of q r)
    | Error => Some (Add (variance_of q r) (Square (Sub (mean_of q r) (Var 5))))
    | Chance => None
    end.
  (* The chance that the report of one user shows the item, who holds it or does not. *)
  Definition same (a b : expr) : bool := if expr_dec a b then true else false.
  Definition who_reports : option bool :=
    if is_stated (Sub (Var 5) (Cst 1)) (constraints d) then Some true
    else if is_stated (Neg (Var 5)) (constraints d) then Some false else None.
  Definition chance_expr : option expr :=
    if is_stated (Sub (Cst 1) (Var 4)) (constraints d) && same (offset M) (Cst 0) && same (slope M) (Cst 1) then
      match who_reports with
      | Some h => option_map (Sub (Cst 1)) (misses_of rs (sensitive M) alone (its_law M) (Whole h))
      | None => None
      end
    else None.
  Definition has_value (e : expr) : bool := match valued rs e with Some _ => true | None => false end.
  Definition sizes_stated : bool :=
    natural_e rs (Var 1) && natural_e rs (Var 2) && natural_e rs (Var 3) && positive_e rs (Var 3) && positive_e rs (Var 4)
    && has_value (Div (offset M) (slope M)).
  Definition moment_expr (k : moment) : option expr :=
    if sizes_stated then
      match (match k with Chance => None | _ => of_users end) with
      | Some (q, r) => if zero_e rs (Sub (mean1 q) (mean1 r)) && zero_e rs (Sub (var1 q) (var1 r)) then derived k q r else None
      | None => match k with Chance => chance_expr | _ => None end
      end
    else None.

  Section Sound.
    Variables (w : positive -> R) (users : list (list nat)) (x : nat).
    Hypothesis here : inside d w.
    Hypothesis data : data_set w users.
    Hypothesis item : In x (counted M w).
    Notation K := (size w 1).
    Notation N := (size w 2).
    Notation report := (report w (its_law M)).
    Lemma is_stated_sound e : is_stated e (constraints d) = true -> 0 <= value w e.
    Proof.
      intros H. apply existsb_exists in H as (c & J & E). destruct (expr_dec c e) as [->|]; [|discriminate].
      destruct here as [_ C]. rewrite Forall_forall in C. exact (proj2 (C _ J)).
    Qed.
    Lemma size_is y : natural_e rs (Var y) = true -> w y = INR (size w y).
    Proof. intros H. exact (natural_sound rs w (Var y) (proj1 here) H). Qed.
    Lemma alone_sound : natural_e rs (Var 2) = true -> alone = true -> N = 0%nat.
    Proof.
      intros H A. apply is_stated_sound in A. unfold value in A; cbn [eval sub integer of_Q over_R] in A. rewrite Q2R_integer, (size_is _ H) in A.
      assert (INR N <= INR 0) as L by (simpl; lra). apply INR_le in L. lia.
    Qed.
    Lemma times_01 s : In s users -> times x s = 1%nat \/ times x s = 0%nat.
    Proof.
      intros J. destruct data as (F & _). rewrite Forall_forall in F. destruct (F s J) as (D & _).
      rewrite times_distinct by exact D. destruct (in_dec _ _ _); auto.
    Qed.
    Definition of_user (q r : quad) (s : list nat) : quad := if (times x s =? 1)%nat then q else r.
    Lemma user_sound q r s : sizes_stated = true -> of_users = Some (q, r) -> In s users ->
      moves (report s) (count x) (mean_at w (of_user q r s) (INR (above K s))) (var_at w (of_user q r s) (INR (above K s))).
    Proof.
      intros S Q J. unfold sizes_stated in S. repeat (apply andb_prop in S as [S ?]). destruct here as [W _].
      assert (P : (0 < size w 3)%nat).
      { match goal with H : positive_e rs (Var 3) = true |- _ => apply (positive_e_sound _ _ W) in H as [H _];
          unfold value in H; cbn [eval] in H; rewrite size_is in H by assumption; apply INR_lt; exact H end. }
      assert (Sen : sensitive M = (x <? K)%nat /\ (x < K + N)%nat).
      { pose proof item as I. unfold counted in I. destruct (sensitive M); apply in_seq in I;
          destruct (Nat.ltb_spec x K); split; try reflexivity; lia. }
      destruct Sen as [Sen In_]. pose proof data as (F & _). rewrite Forall_forall in F. destruct (F s J) as (D & L & B).
      assert (A : alone = true -> N = 0%nat) by (apply alone_sound; assumption).
      assert (G : forall u q', computed u = Some q' -> describes w x u s (INR (above K s)) ->
        moves (report s) (count x) (mean_at w q' (INR (above K s))) (var_at w q' (INR (above K s)))).
      { intros u q' C De. unfold computed in C.
        refine (moments_sound rs w (fun _ => []) (sensitive M) alone x W _ _ P Sen A In_ (its_law M) u q' s _ C De (fun _ _ => D));
          apply size_is; assumption. }
      assert (Whole_ : forall h q', computed (Whole h) = Some q' -> times x s = (if h then 1 else 0)%nat ->
        moves (report s) (count x) (mean_at w q' (INR (above K s))) (var_at w q' (INR (above K s)))).
      { intros h q' C T. apply (G _ _ C). repeat split; auto. }
      assert (One_ : of_one_item = true -> forall q' r', computed (One Mine) = Some q' -> computed (One Sensitive) = Some r' ->
        moves (report s) (count x) (mean_at w (of_user q' r' s) (INR (above K s))) (var_at w (of_user q' r' s) (INR (above K s)))).
      { intros O q' r' C C'. unfold of_one_item in O. apply andb_prop in O as [O M1]; apply andb_prop in O as [_ Al].
        specialize (A Al). apply is_stated_sound in M1. unfold value in M1; cbn [eval sub integer of_Q over_R] in M1.
        rewrite Q2R_integer, size_is in M1 by assumption.
        assert (m1 : INR (size w 3) <= INR 1) by (simpl; lra). apply INR_le in m1.
        destruct s as [|y [|]]; cbn [length] in L; try lia. rewrite Forall_forall in B. specialize (B y (or_introl eq_refl)).
        assert (V : INR (above K [y]) = 0) by (unfold above; cbn [filter]; destruct (Nat.leb_spec K y); [lia|reflexivity]).
        unfold of_user, times; cbn [count_occ]. destruct (Nat.eq_dec y x) as [->|NE]; cbn [Nat.eqb].
        - apply (G _ _ C). exists x. split; [reflexivity|]. split; [|exact V]. unfold group_of. now rewrite Nat.eqb_refl.
        - apply (G _ _ C'). exists y. split; [reflexivity|]. split; [|exact V]. unfold group_of.
          destruct (Nat.eqb_spec y x); [congruence|]. destruct (Nat.ltb_spec y K); [reflexivity|lia]. }
      unfold of_users in Q. assert (T := times_01 s J). unfold of_user.
      destruct (computed (Whole true)) as [q1|] eqn:C1, (computed (Whole false)) as [q0|] eqn:C0;
        try (destruct of_one_item eqn:O; [|discriminate]; destruct (computed (One Mine)) as [q2|] eqn:C2; [|discriminate];
             destruct (computed (One Sensitive)) as [q3|] eqn:C3; [|discriminate]; injection Q as <- <-; exact (One_ eq_refl _ _ eq_refl eq_refl)).
      injection Q as <- <-. destruct T as [T|T]; rewrite T; cbn [Nat.eqb]; [now apply (Whole_ true)|now apply (Whole_ false)].
    Qed.
    Lemma total_users (a b c : R) : total (fun s => (if (times x s =? 1)%nat then a else b) + INR (above K s) * c) users
      = INR (list_sum (map (times x) users)) * a + (INR (length users) - INR (list_sum (map (times x) users))) * b
        + INR (list_sum (map (above K) users)) * c.
    Proof.
      assert (T : forall s, In s users -> times x s = 1%nat \/ times x s = 0%nat) by exact times_01. clear data.
      induction users as [|s l IH]; [simpl; lra|]. cbn [total fold_right map length].
      fold (total (fun s => (if (times x s =? 1)%nat then a else b) + INR (above K s) * c) l). rewrite IH by (intros; apply T; simpl; auto).
      change (list_sum (?a :: ?b)) with (a + list_sum b)%nat. rewrite !plus_INR, S_INR.
      destruct (T s (or_introl eq_refl)) as [-> | ->]; cbn [Nat.eqb INR]; lra.
    Qed.
    Lemma average_sound (e0 e1 : quad -> expr) q r : users <> [] -> w 5%positive = per_user (times x) users ->
      value w (e1 q) = value w (e1 r) ->
      total (fun s => value w (e0 (of_user q r s)) + INR (above K s) * value w (e1 (of_user q r s))) users
      = w 4%positive * value w (averaged (e0 q) (e0 r) (e1 r)).
    Proof.
      intros NE F E. destruct data as (_ & n_is & G).
      rewrite (total_ext_in _ (fun s => (if (times x s =? 1)%nat then value w (e0 q) else value w (e0 r)) + INR (above K s) * value w (e1 r))).
      2: { intros s _. unfold of_user. destruct (times x s =? 1)%nat; [rewrite E|]; reflexivity. }
      rewrite total_users. unfold value; cbn [averaged eval add sub mul integer of_Q over_R]. rewrite Q2R_integer, F, G, n_is. unfold per_user.
      field. apply not_0_INR. destruct users; [congruence|discriminate].
    Qed.
    Lemma shown_total (reports : list val) : INR (list_sum (map (fun y => times x (flat y)) reports)) = total (count x) reports.
    Proof.
      induction reports as [|y l IH]; [reflexivity|]. cbn [map total fold_right]. fold (total (count x) l). rewrite <- IH.
      change (list_sum (?a :: ?b)) with (a + list_sum b)%nat. apply plus_INR.
    Qed.
    (* The estimate has this mean and this variance. *)
    Lemma estimate_moves q r : sizes_stated = true -> of_users = Some (q, r) -> w 5%positive = per_user (times x) users ->
      value w (mean1 q) = value w (mean1 r) -> value w (var1 q) = value w (var1 r) ->
      moves (rsequence (map report users)) (estimate M w x) (value w (mean_of q r)) (value w (variance_of q r))
      /\ defined w (Div (offset M) (slope M)).
    Proof.
      intros S Q F EM EV. pose proof S as S'. unfold sizes_stated in S'. apply andb_prop in S' as [S' HV]. apply andb_prop in S' as [_ Pn].
      unfold has_value in HV. destruct (valued rs (Div (offset M) (slope M))) as [fr|] eqn:V; [|discriminate].
      apply (valued_sound _ _ (proj1 here)) in V as [_ V]. split; [|exact V]. cbn [defined] in V. destruct V as (_ & _ & NZ).
      apply (positive_e_sound _ _ (proj1 here)) in Pn as [Pn _]. change (value w (Var 4)) with (w 4%positive) in Pn.
      assert (NE : users <> []).
      { intros ->. destruct data as (_ & n0 & _). rewrite n0 in Pn. simpl in Pn. lra. }
      pose proof (@moves_sequence _ _ report (count x) (fun s => mean_at w (of_user q r s) (INR (above K s)))
        (fun s => var_at w (of_user q r s) (INR (above K s))) users (fun s J => user_sound q r s S Q J)) as T.
      unfold mean_at, var_at in T. rewrite (average_sound mean0 mean1), (average_sound var0 var1) in T by assumption.
      apply (@moves_affine _ _ _ _ _ 0 (w 4%positive)) in T; [|lra].
      apply (@moves_affine _ _ _ _ _ (value w (offset M)) (value w (slope M))) in T; [|exact NZ].
      assert (X : forall o, ((total (count x) o - 0) / w 4%positive - value w (offset M)) / value w (slope M) = estimate M w x o).
      { intros o. unfold estimate. now rewrite shown_total, Rminus_0_r. }
      apply (moves_ext _ X) in T.
      apply (moves_is T); unfold mean_of, variance_of, Square, value; cbn [eval sub mul div over_R]; unfold value in NZ; field; repeat split; lra || exact NZ.
    Qed.
    Lemma chance_sound e : sizes_stated = true -> chance_expr = Some e -> w 5%positive = per_user (times x) users ->
      Forall (fun s => is_law (report s)) users /\ defined w (Div (offset M) (slope M)) /\ moment_for Chance M w users x = value w e.
    Proof.
      unfold chance_expr, same. intros S C share. destruct (is_stated (Sub (Cst 1) (Var 4)) _) eqn:One_; [|discriminate].
      destruct (expr_dec (offset M) (Cst 0)) as [Off|]; [|discriminate]. destruct (expr_dec (slope M) (Cst 1)) as [Sl|]; [|discriminate].
      cbn [andb] in C. destruct who_reports as [h|] eqn:Wh; [|discriminate].
      destruct (misses_of rs (sensitive M) alone (its_law M) (Whole h)) as [q|] eqn:Q; [|discriminate]. injection C as <-.
      unfold sizes_stated in S. repeat (apply andb_prop in S as [S ?]). destruct here as [W _].
      assert (P : (0 < size w 3)%nat).
      { match goal with H : positive_e rs (Var 3) = true |- _ => apply (positive_e_sound _ _ W) in H as [H _];
          unfold value in H; cbn [eval] in H; rewrite size_is in H by assumption; apply INR_lt; exact H end. }
      assert (n_pos : 0 < w 4%positive).
      { match goal with H : positive_e rs (Var 4) = true |- _ => apply (positive_e_sound _ _ W) in H as [H _]; exact H end. }
      apply is_stated_sound in One_. unfold value in One_; cbn [eval sub integer of_Q over_R] in One_. rewrite Q2R_integer in One_.
      pose proof times_01 as T01. pose proof item as I. pose proof alone_sound as Al. pose proof data as (F & n_is & _). rewrite n_is in n_pos, One_.
      assert (Len : length users = 1%nat).
      { assert (length users <= 1)%nat by (apply INR_le; simpl; lra). assert (0 < length users)%nat by (apply INR_lt; exact n_pos). lia. }
      destruct users as [|s [|]]; try discriminate Len. apply Forall_inv in F as (D & L & B).
      assert (T : times x s = (if h then 1 else 0)%nat).
      { assert (w5 : w 5%positive = INR (times x s)).
        { rewrite share. unfold per_user. cbn [map length]. change (list_sum [times x s]) with (times x s + 0)%nat. rewrite Nat.add_0_r. simpl; field. }
        unfold who_reports in Wh. destruct (is_stated (Sub (Var 5) (Cst 1)) _) eqn:St1.
        - injection Wh as <-. apply is_stated_sound in St1. unfold value in St1; cbn [eval sub integer of_Q over_R] in St1. rewrite Q2R_integer, w5 in St1.
          destruct (T01 s (or_introl eq_refl)) as [E|E]; rewrite E in St1 |- *; [reflexivity|simpl in St1; lra].
        - destruct (is_stated (Neg (Var 5)) _) eqn:St0; [|discriminate]. injection Wh as <-. apply is_stated_sound in St0.
          unfold value in St0; cbn [eval sub integer of_Q over_R] in St0. rewrite Q2R_integer, w5 in St0.
          destruct (T01 s (or_introl eq_refl)) as [E|E]; rewrite E in St0 |- *; [simpl in St0; lra|reflexivity]. }
      assert (Sen : sensitive M = (x <? K)%nat /\ (x < K + N)%nat).
      { unfold counted in I. destruct (sensitive M); apply in_seq in I;
          destruct (Nat.ltb_spec x K); split; try reflexivity; lia. }
      destruct Sen as [Sen In_].
      assert (G : misses x (report s) (value w q)).
      { refine (misses_sound rs w (fun _ => []) (sensitive M) alone x W _ _ P Sen (Al _) In_ (its_law M) (Whole h) q s (INR (above K s)) Q _ (fun _ _ => D));
          try (apply size_is; assumption); [assumption|]. repeat split; auto. }
      destruct G as [Law Eq]. split; [constructor; [exact Law|constructor]|]. split.
      - rewrite Off, Sl. cbn [defined]. rewrite value_Cst. repeat split; lra.
      - unfold moment_for. cbn [moment_of map sequence]. rewrite E_bind.
        rewrite (E_ext _ _ (fun y => 1 + (-1) * miss x y)).
        + rewrite E_plus, E_scal, Eq, (proj2 Law), value_Sub1. lra.
        + intros y. rewrite E_push, E_point. unfold estimate. rewrite Off, Sl, !value_Cst, n_is. cbn [map length].
          change (list_sum [times x (flat y)]) with (times x (flat y) + 0)%nat. rewrite Nat.add_0_r. unfold miss.
          destruct (times x (flat y)) as [|k]; cbn [Nat.eqb].
          * destruct (Req_EM_T _ 0) as [|NE]; [lra|]. destruct NE. simpl; field.
          * destruct (Req_EM_T _ 0) as [Z|]; [|lra]. exfalso. assert (Pos : 0 < INR (Datatypes.S k)) by (apply lt_0_INR; lia).
            replace ((INR (Datatypes.S k) / INR 1 - 0) / 1) with (INR (Datatypes.S k)) in Z by (simpl (INR 1); field). lra.
    Qed.
    Theorem moment_expr_sound k e : moment_expr k = Some e -> w 5%positive = per_user (times x) users ->
      Forall (fun s => is_law (report s)) users /\ defined w (Div (offset M) (slope M)) /\ moment_for k M w users x = value w e.
    Proof.
      unfold moment_expr. destruct sizes_stated eqn:S; [|discriminate]. intros D F.
      assert (k = Chance \/ k <> Chance) as [->|NC] by (destruct k; auto; right; discriminate); [exact (chance_sound e S D F)|].
      assert (D' : match of_users with
        | Some (q, r) => if zero_e rs (Sub (mean1 q) (mean1 r)) && zero_e rs (Sub (var1 q) (var1 r)) then derived k q r else None
        | None => None end = Some e) by (destruct k; [exact D|exact D|exact D|congruence]). clear D.
      destruct of_users as [[q r]|] eqn:Q; [|discriminate].
      destruct (zero_e rs _ && zero_e rs _) eqn:Z; [|discriminate]. rename D' into D. apply andb_prop in Z as [ZM ZV].
      apply (zero_e_sound _ _ (proj1 here)) in ZM as [ZM _]; apply (zero_e_sound _ _ (proj1 here)) in ZV as [ZV _].
      unfold value in ZM, ZV; cbn [eval sub over_R] in ZM, ZV.
      destruct (estimate_moves q r S Q F) as [E V]; try (unfold value; lra).
      split; [apply Forall_forall; intros s J; exact (proj1 (user_sound q r s S Q J))|]. split; [exact V|].
      unfold moment_for. rewrite <- F. destruct k; cbn [derived] in D; try discriminate; injection D as <-; cbn [moment_of].
      - exact (proj1 (proj2 E)).
      - exact (Variances.variance_of E).
      - rewrite (error_of (w 5%positive) E). unfold Square, value; cbn [eval add sub mul over_R]. ring.
    Qed.
  End Sound.
End Mechanism.

(* An expression where m = 1 is stated. *)
Definition at_one (M : mechanism) (e : expr) : expr :=
  if is_stated (Sub (Cst 1) (Var 3)) (constraints (sizes M)) && simple e then filled [(3%positive, Cst 1)] e else e.
Definition check_moment (s : moments) (W : witness) (powers : list (expr * positive)) (forms : list form) (steps : list step) : bool :=
  is_data_set (sizes (of s)) W && is_counted (sensitive (of s)) W
  && match moment_expr (of s) (which s) with
     | Some e => check_sums (sizes (of s)) powers forms [(Eq, at_one (of s) e, at_one (of s) (formula_is s))] steps
     | None => false
     end.
Lemma at_one_sound M w e : sizes_stated M = true -> inside (sizes M) w ->
  value w (at_one M e) = value w e /\ (defined w (at_one M e) <-> defined w e).
Proof.
  intros S here. unfold at_one. destruct (is_stated _ _ && simple e) eqn:A; [|split; reflexivity]. apply andb_prop in A as [A Si].
  apply (filled_sound [(3%positive, Cst 1)] w w e Si). intros x. cbn [assigned]. destruct (Pos.eqb_spec x 3) as [->|]; [|reflexivity].
  split; [exact I|]. rewrite value_Cst. apply (is_stated_sound M w here) in A. unfold value in A; cbn [eval sub integer of_Q over_R] in A.
  rewrite Q2R_integer in A. unfold sizes_stated in S. repeat (apply andb_prop in S as [S ?]).
  assert (E : w 3%positive = INR (size w 3)) by (apply (size_is M w here); assumption).
  match goal with H : positive_e _ (Var 3) = true |- _ => apply (positive_e_sound _ _ (proj1 here)) in H as [P _] end.
  change (value w (Var 3)) with (w 3%positive) in P. rewrite E in *.
  assert (L : (size w 3 <= 1)%nat) by (apply INR_le; simpl; lra). assert (G : (0 < size w 3)%nat) by (apply INR_lt; exact P).
  replace (size w 3) with 1%nat by lia. reflexivity.
Qed.
Lemma moment_expr_sizes M k e : moment_expr M k = Some e -> sizes_stated M = true.
Proof. unfold moment_expr. destruct (sizes_stated M); [reflexivity|discriminate]. Qed.
(* A moment that has been checked is one, for every data set. *)
Theorem check_moment_sound s W powers forms steps : check_moment s W powers forms steps = true -> moment_holds s.
Proof.
  unfold check_moment. intros H. apply andb_prop in H as [H C]; apply andb_prop in H as [D I].
  apply data_set_sound in D as (In_ & D & P). apply (counted_sound (of s)) in I as [I F]; [|exact P].
  split; [exists (fun y => Q2R (point (values W) y)), (users_of W), (N.to_nat (item W)); exact (conj In_ (conj D (conj I F)))|].
  intros w users x (here & data & counted_ & share). destruct (moment_expr (of s) (which s)) as [e|] eqn:E; [|discriminate].
  destruct (moment_expr_sound (of s) w users x here data counted_ _ _ E share) as (L & V & M).
  pose proof (moment_expr_sizes _ _ _ E) as S.
  apply (check_sums_sound _ _ _ w _ _ here) in C. apply Forall_inv in C as (_ & DF & EQ). cbn [related] in EQ.
  destruct (at_one_sound (of s) w e S here) as [Ve _], (at_one_sound (of s) w (formula_is s) S here) as [Vf Df].
  rewrite M, <- Ve, <- Vf, EQ. tauto.
Qed.
(* Near a point: what is an integer >= a is one >= what it is there. *)
Definition from_here (qs : list Q) (ri : nat * range) : range :=
  match ri with
  | (i, From low false true) => From (Z.max low (Qfloor (nth i qs 0%Q))) false true
  | (_, r) => r
  end.
Definition near (M : mechanism) (qs : list Q) : mechanism :=
  let rs := ranges (sizes M) in
  Mechanism (Domain (map (from_here qs) (combine (seq 0 (length rs)) rs)) (constraints (sizes M))) (its_law M) (sensitive M) (offset M) (slope M).
Definition refute_moment (s : moments) (W : witness) : bool :=
  let M := near (of s) (values W) in
  is_data_set (sizes (of s)) W && is_data_set (sizes M) W && is_counted (sensitive (of s)) W
  && match moment_expr M (which s) with
     | Some e => false_at_Q (point (values W)) (Eq, e, formula_is s)
     | None => false
     end.
(* A formula that is another number at a data set is not the moment. *)
Theorem refute_moment_sound s W : refute_moment s W = true -> moment_fails s.
Proof.
  unfold refute_moment. intros H. apply andb_prop in H as [H C]; apply andb_prop in H as [H I]; apply andb_prop in H as [D D'].
  apply data_set_sound in D as (here & data & P). apply (counted_sound (of s)) in I as [item_ share]; [|exact P].
  apply data_set_sound in D' as (here' & _ & _). set (M := near (of s) (values W)) in *.
  destruct (moment_expr M (which s)) as [e|] eqn:E; [|discriminate].
  destruct (moment_expr_sound M _ _ _ here' data item_ _ _ E share) as (_ & _ & X).
  apply false_at_Q_sound in C as (_ & DF & NE). cbn [related] in NE.
  exists (fun y => Q2R (point (values W) y)), (users_of W), (N.to_nat (item W)).
  split; [exact (conj here (conj data (conj item_ share)))|]. split; [exact DF|].
  change (moment_for (which s) (of s)) with (moment_for (which s) M). now rewrite X.
Qed.
