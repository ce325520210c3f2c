(* Formulas that name errors: the names are replaced by what the errors are shown to be. *)
From Coq Require Import Reals QArith Qreals List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Moments meaning.Errors.
From DP Require Import checker.Agreement checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums.
From DP Require Import theorems.Expectations checker.Variances checker.Counts checker.Users checker.Moments checker.DataSets checker.Filled checker.Estimates.
Import ListNotations.
Open Scope R_scope.

Section Error.
  (* What a mechanism's error of one item is said to be; and the sum over its items, if that is affine in name 5. *)
  Definition established (M : mechanism) (f : expr) : bool :=
    simple f && match moment_expr M Error with Some e => zero_e (ranges (sizes M)) (Sub e f) | None => false end.
  Definition without (f : expr) : expr := filled [(5%positive, Cst 0)] f.
  Definition with_all (f : expr) : expr := filled [(5%positive, Cst 1)] f.
  Definition summed_expr (M : mechanism) (f : expr) : expr :=
    Add (Mul (if sensitive M then Var 1 else Var 2) (without f))
      (Mul (if sensitive M then Sub (Var 3) (Var 6) else Var 6) (Sub (with_all f) (without f))).
  Definition other_names (d : domain) : list positive := remove Pos.eq_dec 5%positive (own_names d).
  Definition share_is_free (M : mechanism) : bool :=
    match range_at (ranges (sizes M)) 5 with From 0 false false => true | _ => false end
    && forallb (closed (other_names (sizes M))) (constraints (sizes M)).
  Definition sums_up (M : mechanism) (f : expr) : bool :=
    established M f && share_is_free M
    && zero_e (ranges (sizes M)) (Sub f (Add (without f) (Mul (Var 5) (Sub (with_all f) (without f))))).
  Fixpoint sum_up (Ms : list mechanism) (fs : list expr) : option expr :=
    match Ms, fs with
    | [], [] => Some (Cst 0)
    | M :: Ms, f :: fs =>
        if sums_up M f then match sum_up Ms fs with Some e => Some (Add (summed_expr M f) e) | None => None end else None
    | _, _ => None
    end.
  Definition error_at_sizes (e : error) (fs : list expr) : option expr :=
    if summed e then sum_up (mechanisms e) fs
    else match mechanisms e, fs with [M], [f] => if established M f then Some f else None | _, _ => None end.
  Definition error_expr (e : error) (fs : list expr) : option expr :=
    match error_at_sizes e fs with
    | Some t => if simple t && closed (map fst (at_ e)) t then Some (filled (at_ e) t) else None
    | None => None
    end.

  Lemma established_sound M f w users x : established M f = true -> occurs M w users x ->
    moment_for Error M w users x = value w f /\ defined w f.
  Proof.
    unfold established. intros H (here & data & item_ & share). apply andb_prop in H as [_ H].
    destruct (moment_expr M Error) as [e|] eqn:E; [|discriminate].
    apply (zero_e_sound _ _ (proj1 here)) in H as [Z D]. unfold value in Z; cbn [eval sub over_R] in Z.
    destruct (moment_expr_sound M w users x here data item_ Error e E share) as (_ & _ & ->). cbn [defined] in D. split; [unfold value; lra|tauto].
  Qed.
  Lemma share_inside M w r : share_is_free M = true -> 0 <= r -> inside (sizes M) w -> inside (sizes M) (put w 5%positive r).
  Proof.
    intros H P [W C]. apply andb_prop in H as [H Cl]. split.
    - intros y. unfold put. destruct (Pos.eqb_spec y 5) as [->|]; [|apply W].
      destruct (range_at (ranges (sizes M)) 5) as [[|?|?] [|] [|]|]; try discriminate. simpl. split; [exact P|discriminate].
    - rewrite forallb_forall in Cl. rewrite Forall_forall in *. intros e J. specialize (C e J); specialize (Cl e J).
      assert (Al : forall y, existsb (Pos.eqb y) (other_names (sizes M)) = true -> w y = put w 5%positive r y).
      { intros y Y. apply existsb_exists in Y as (z & Y & E). apply Pos.eqb_eq in E as <-. unfold other_names in Y.
        apply in_remove in Y as [_ Y]. unfold put. apply Pos.eqb_neq in Y. now rewrite Y. }
      rewrite <- (closed_value _ _ _ _ Cl Al). split; [exact (closed_defined _ _ _ _ Cl Al (proj1 C))|exact (proj2 C)].
  Qed.
  Lemma filled_share f w r z : simple f = true -> value (put w 5%positive r) (filled [(5%positive, Cst z)] f) = value (put w 5%positive (IZR z)) f.
  Proof.
    intros S. apply (filled_sound _ _ (put w 5%positive (IZR z)) f S). intros y. cbn [assigned]. unfold put.
    destruct (Pos.eqb_spec y 5) as [->|]; [|reflexivity]. split; [exact I|apply value_Cst].
  Qed.
  Lemma filled_share' f w z : simple f = true -> value w (filled [(5%positive, Cst z)] f) = value (put w 5%positive (IZR z)) f.
  Proof.
    intros S. apply (filled_sound _ _ (put w 5%positive (IZR z)) f S). intros y. cbn [assigned]. unfold put.
    destruct (Pos.eqb_spec y 5) as [->|]; [|reflexivity]. split; [exact I|apply value_Cst].
  Qed.
  (* Every item of a user is counted once among all items. *)
  Lemma count_items_between a k s : NoDup s ->
    total (fun x => INR (times x s)) (seq a k) = INR (length (filter (fun y => (a <=? y)%nat && (y <? a + k)%nat) s)).
  Proof.
    intros D. induction D as [|y s NI D IH]; cbn [filter].
    - transitivity (total (fun _ : nat => 0) (seq a k)); [now apply total_ext_in|]. rewrite total_const. simpl; lra.
    - rewrite (total_ext_in _ (fun x => (if (x =? y)%nat then 1 else 0) + INR (times x s))).
      2: { intros x _. unfold times; cbn [count_occ]. destruct (Nat.eq_dec y x) as [->|NE].
           - rewrite Nat.eqb_refl, S_INR. lra.
           - destruct (Nat.eqb_spec x y); [congruence|lra]. }
      rewrite total_plus, IH. clear IH.
      assert (O : total (fun x => if (x =? y)%nat then 1 else 0) (seq a k) = if (a <=? y)%nat && (y <? a + k)%nat then 1 else 0).
      { clear. revert a. induction k as [|k IH]; intros a; cbn [seq].
        - destruct (Nat.leb_spec a y), (Nat.ltb_spec y (a + 0)); simpl; try lra; lia.
        - cbn [total fold_right]. fold (total (fun x => if (x =? y)%nat then 1 else 0) (seq (S a) k)). rewrite IH.
          destruct (Nat.eqb_spec a y), (Nat.leb_spec (S a) y), (Nat.ltb_spec y (S a + k)), (Nat.leb_spec a y), (Nat.ltb_spec y (a + S k));
            cbn [andb]; try lra; lia. }
      rewrite O. destruct (_ && _); cbn [length]; rewrite ?S_INR; lra.
  Qed.
  Lemma total_swap A B (f : A -> B -> R) l k : total (fun a => total (f a) k) l = total (fun b => total (fun a => f a b) l) k.
  Proof.
    induction l as [|a l IH]; cbn [total fold_right].
    - transitivity (total (fun _ : B => 0) k); [|now apply total_ext_in]. rewrite total_const; lra.
    - fold (total (fun a => total (f a) k) l). rewrite IH, <- total_plus. reflexivity.
  Qed.
  Lemma list_sum_total A (f : A -> nat) l : INR (list_sum (map f l)) = total (fun a => INR (f a)) l.
  Proof.
    induction l as [|a l IH]; [reflexivity|]. cbn [map total fold_right]. fold (total (fun a => INR (f a)) l). rewrite <- IH.
    change (list_sum (?a :: ?b)) with (a + list_sum b)%nat. apply plus_INR.
  Qed.
  Lemma all_shares M w users : data_set w users -> users <> [] -> w 3%positive = INR (size w 3) ->
    total (fun x => per_user (times x) users) (counted M w)
    = if sensitive M then w 3%positive - w 6%positive else w 6%positive.
  Proof.
    intros (F & n_is & g_is) NE m_is. unfold per_user in *. assert (P : INR (length users) <> 0) by (apply not_0_INR; destruct users; [congruence|discriminate]).
    rewrite (total_ext_in _ (fun x => / INR (length users) * total (fun s => INR (times x s)) users)).
    2: { intros x _. rewrite list_sum_total. unfold Rdiv; ring. }
    rewrite total_scal, total_swap. rewrite g_is, list_sum_total.
    rewrite (total_ext_in _ (fun s => if sensitive M then INR (size w 3) + -1 * INR (above (size w 1) s) else INR (above (size w 1) s))).
    - destruct (sensitive M).
      + rewrite total_plus, total_const, total_scal, m_is. field. exact P.
      + field. exact P.
    - intros s J. rewrite Forall_forall in F. destruct (F s J) as (D & L & B). unfold counted.
      destruct (sensitive M); rewrite count_items_between by exact D.
      + rewrite <- L. clear - B. unfold above. induction s as [|y s IH]; [simpl; lra|]. apply Forall_inv_tail in B. specialize (IH B).
        cbn [filter length]. cbn [Nat.leb andb Nat.add] in *. destruct (Nat.ltb_spec y (size w 1)), (Nat.leb_spec (size w 1) y); try lia;
          cbn [length]; rewrite ?S_INR in *; lra.
      + f_equal. unfold above. f_equal. clear - B. induction s as [|y s IH]; [reflexivity|]. pose proof (Forall_inv B) as Y. apply Forall_inv_tail in B.
        cbn [filter]. cbv beta in Y. rewrite (IH B). destruct (Nat.leb_spec (size w 1) y), (Nat.ltb_spec y (size w 1 + size w 2)); try lia; reflexivity.
  Qed.
  Lemma established_sizes M f : established M f = true -> sizes_stated M = true.
  Proof.
    unfold established, moment_expr. intros H. apply andb_prop in H as [_ H]. destruct (sizes_stated M); [reflexivity|discriminate].
  Qed.
  Lemma sums_up_sound M f w users : sums_up M f = true -> inside (sizes M) w -> data_set w users ->
    total (fun x => moment_for Error M (with_share w users x) users x) (counted M w) = value w (summed_expr M f)
    /\ defined w (summed_expr M f).
  Proof.
    unfold sums_up. intros H here data. apply andb_prop in H as [H Z]; apply andb_prop in H as [E Fr].
    assert (S : simple f = true) by (unfold established in E; apply andb_prop in E as [S _]; exact S).
    pose proof (established_sizes M f E) as Si. unfold sizes_stated in Si. repeat (apply andb_prop in Si as [Si ?]).
    assert (Nat_ : forall y, natural_e (ranges (sizes M)) (Var y) = true -> w y = INR (size w y)) by (intros; now apply (size_is M w here)).
    assert (NE : users <> []).
    { match goal with H : positive_e _ (Var 4) = true |- _ => apply (positive_e_sound _ _ (proj1 here)) in H as [P _] end.
      intros ->. destruct data as (_ & n0 & _). change (value w (Var 4)) with (w 4%positive) in P. rewrite n0 in P. simpl in P. lra. }
    set (a := value (put w 5%positive 0) f). set (b := value (put w 5%positive 1) f).
    rewrite (total_ext_in _ (fun x => a + per_user (times x) users * (b - a))).
    2: { intros x J. assert (O : occurs M (with_share w users x) users x).
         { split; [|split; [exact data|split; [exact J|reflexivity]]]. apply share_inside; [exact Fr| |exact here].
           unfold per_user. apply Rmult_le_pos; [apply pos_INR|]. left. apply Rinv_0_lt_compat, lt_0_INR. destruct users; [congruence|simpl; lia]. }
         destruct (established_sound M f _ _ _ E O) as [-> _].
         apply (zero_e_sound _ _ (proj1 (proj1 O))) in Z as [Z _]. unfold value in Z; cbn [eval sub add mul over_R] in Z.
         fold (value (with_share w users x) f) (value (with_share w users x) (without f)) (value (with_share w users x) (with_all f)) in Z.
         unfold without, with_all, with_share in *. rewrite !filled_share in Z by exact S. fold a b in Z.
         unfold put in Z at 2. cbn [Pos.eqb] in Z. change (IZR 0) with 0 in *. change (IZR 1) with 1 in *. fold a b in Z. lra. }
    rewrite total_plus, total_const. rewrite (total_ext_in (fun x => per_user (times x) users * (b - a)) (fun x => (b - a) * per_user (times x) users)) by (intros; ring).
    rewrite total_scal, all_shares by (auto; apply Nat_; assumption).
    assert (L : INR (length (counted M w)) = if sensitive M then w 1%positive else w 2%positive).
    { unfold counted. destruct (sensitive M); rewrite seq_length; symmetry; apply Nat_; assumption. }
    rewrite L. apply (zero_e_sound _ _ (proj1 here)) in Z as [_ D]. cbn [defined] in D. split.
    - unfold summed_expr, without, with_all. unfold value at 1; cbn [eval add mul sub over_R].
      fold (value w (filled [(5%positive, Cst 0)] f)) (value w (filled [(5%positive, Cst 1)] f)). rewrite !filled_share' by exact S.
      fold a b. destruct (sensitive M); cbn [eval sub over_R]; ring.
    - unfold summed_expr; cbn [defined]. destruct (sensitive M); cbn [defined]; tauto.
  Qed.
  Lemma sum_up_sound w users Ms : data_set w users -> forall fs e, sum_up Ms fs = Some e -> Forall (fun M => inside (sizes M) w) Ms ->
    total_error Ms w users = value w e /\ defined w e.
  Proof.
    intros data. unfold total_error. induction Ms as [|M Ms IH]; intros [|f fs] e H F; try discriminate; cbn [sum_up] in H.
    - injection H as <-. split; [symmetry; apply value_Cst|exact I].
    - destruct (sums_up M f) eqn:S; [|discriminate]. destruct (sum_up Ms fs) as [t|] eqn:T; [|discriminate]. injection H as <-.
      destruct (IH fs t T (Forall_inv_tail F)) as [V D]. destruct (sums_up_sound M f w users S (Forall_inv F) data) as [V' D'].
      cbn [flat_map]. rewrite fold_right_app, V. split; [|split; assumption].
      unfold value at 2; cbn [eval add over_R]. fold (value w (summed_expr M f)) (value w t). rewrite <- V'.
      generalize (value w t). clear. intros v. induction (counted M w) as [|x l IH]; cbn [map fold_right total]; [lra|].
      fold (total (fun x => moment_for Error M (with_share w users x) users x) l). rewrite IH. lra.
  Qed.
  (* An error is what its expression says. *)
  Theorem error_expr_sound e fs t w r : error_expr e fs = Some t -> is_error w e r -> r = value w t /\ defined w t.
  Proof.
    unfold error_expr. intros H (w' & users & At & X). destruct (error_at_sizes e fs) as [u|] eqn:E; [|discriminate].
    destruct (simple u && closed _ u) eqn:C; [|discriminate]. apply andb_prop in C as [S C]. injection H as <-.
    destruct (filled_closed _ _ _ _ S C At) as [-> Df]. rewrite Df. unfold error_at_sizes in E. destruct (summed e).
    - destruct X as (F & data & ->). exact (sum_up_sound w' users _ data _ _ E F).
    - destruct X as (M & x & J & O & ->). destruct (mechanisms e) as [|M' [|]]; try discriminate. destruct fs as [|f [|]]; try discriminate.
      destruct (established M' f) eqn:G; [|discriminate]. injection E as <-. destruct J as [<-|[]]. exact (established_sound M' f _ _ _ G O).
  Qed.

  (* A data set for an error, at a point. *)
  Definition error_at (qs : list Q) (e : error) (W : witness) : bool :=
    forallb (fun t => defined_Q (point qs) (snd t) && Qeq_bool (point (values W) (fst t)) (run (point qs) (snd t))) (at_ e)
    && (if summed e then match mechanisms e with [] => false | Ms => forallb (fun M => is_data_set (sizes M) W) Ms end
        else match mechanisms e with [M] => is_data_set (sizes M) W && is_counted (sensitive M) W | _ => false end).
  Notation real qs := (fun x => Q2R (point qs x)).
  Lemma error_at_sound qs e W : error_at qs e W = true -> exists r, is_error (real qs) e r.
  Proof.
    unfold error_at. intros H. apply andb_prop in H as [A H].
    assert (At : Forall (fun t => defined (real qs) (snd t) /\ real (values W) (fst t) = value (real qs) (snd t)) (at_ e)).
    { rewrite forallb_forall in A. apply Forall_forall. intros t J. specialize (A t J). apply andb_prop in A as [D E].
      split; [exact (defined_Q_sound _ _ D)|]. apply Qeq_bool_iff, Qeq_eqR in E. now rewrite E, eval_agrees. }
    unfold is_error. destruct (summed e) eqn:Su.
    - destruct (mechanisms e) as [|M Ms] eqn:Me; [discriminate|]. rewrite forallb_forall in H.
      exists (total_error (M :: Ms) (real (values W)) (users_of W)), (real (values W)), (users_of W). split; [exact At|].
      split; [|split; [|reflexivity]].
      + apply Forall_forall. intros M' J. exact (proj1 (data_set_sound _ _ (H M' J))).
      + exact (proj1 (proj2 (data_set_sound _ _ (H M (or_introl eq_refl))))).
    - destruct (mechanisms e) as [|M [|]] eqn:Me; try discriminate. apply andb_prop in H as [D C].
      destruct (data_set_sound _ _ D) as (here & data & P). destruct (counted_sound M W P C) as [J F].
      exists (moment_for Error M (real (values W)) (users_of W) (N.to_nat (item W))), (real (values W)), (users_of W). split; [exact At|].
      exists M, (N.to_nat (item W)). split; [now left|]. split; [exact (conj here (conj data (conj J F)))|reflexivity].
  Qed.
End Error.

(* For every error: what it is for one item of each mechanism, and a data set. *)
Fixpoint error_exprs (names : list (positive * error)) (shown : list (list expr * witness)) : option (list (positive * expr)) :=
  match names, shown with
  | [], [] => Some []
  | (x, e) :: names, (fs, _) :: shown =>
      match error_expr e fs, error_exprs names shown with Some t, Some l => Some ((x, t) :: l) | _, _ => None end
  | _, _ => None
  end.
Fixpoint errors_at (qs : list Q) (names : list (positive * error)) (shown : list (list expr * witness)) : bool :=
  match names, shown with
  | [], [] => true
  | (_, e) :: names, (_, W) :: shown => error_at qs e W && errors_at qs names shown
  | _, _ => false
  end.
Definition filled_relation (l : list (positive * expr)) (r : relation) : relation := let '(o, a, b) := r in (o, filled l a, filled l b).
Definition simple_relation (r : relation) : bool := let '(_, a, b) := r in simple a && simple b.
(* There is a point, at which the names have the values of the errors of these data sets. *)
Definition given_at (s : error_formula) (qs : list Q) (shown : list (list expr * witness)) (l : list (positive * expr)) : bool :=
  inside_Q (over (formula_of s)) qs && errors_at qs (names_of s) shown
  && forallb (fun t => Qeq_bool (point qs (fst t)) (run (point qs) (snd t))) l.
Definition check_errors (s : error_formula) (qs : list Q) (shown : list (list expr * witness)) (powers : list (expr * positive))
  (forms : list form) (steps : list step) : bool :=
  match error_exprs (names_of s) shown with
  | Some l => given_at s qs shown l && forallb simple_relation (relations (formula_of s))
              && check_sums (over (formula_of s)) powers forms (map (filled_relation l) (relations (formula_of s))) steps
  | None => false
  end.
Definition refute_errors (s : error_formula) (qs : list Q) (shown : list (list expr * witness)) (which : nat) : bool :=
  match error_exprs (names_of s) shown, nth_error (relations (formula_of s)) which with
  | Some l, Some r => given_at s qs shown l && false_at_Q (point qs) r
  | _, _ => false
  end.

Lemma error_exprs_sound w names : forall shown l, error_exprs names shown = Some l ->
  Forall (fun e => is_error w (snd e) (w (fst e))) names -> Forall (fun t => defined w (snd t) /\ w (fst t) = value w (snd t)) l.
Proof.
  induction names as [|[x e] names IH]; intros [|[fs W] shown] l H F; try discriminate; cbn [error_exprs] in H.
  - injection H as <-. constructor.
  - destruct (error_expr e fs) as [t|] eqn:E; [|discriminate]. destruct (error_exprs names shown) as [k|] eqn:K; [|discriminate].
    injection H as <-. constructor; [|exact (IH _ _ K (Forall_inv_tail F))]. apply Forall_inv in F. cbn [fst snd] in *.
    destruct (error_expr_sound e fs t w _ E F) as [V D]. auto.
Qed.
Lemma given_sound s qs shown l : error_exprs (names_of s) shown = Some l -> given_at s qs shown l = true ->
  given s (fun x => Q2R (point qs x)).
Proof.
  unfold given_at, given. intros X H. apply andb_prop in H as [H V]; apply andb_prop in H as [I A]. split; [now apply inside_Q_sound|].
  set (w := fun x => Q2R (point qs x)). revert shown l X V A. generalize (names_of s). intros names.
  induction names as [|[x e] names IH]; intros [|[fs W] shown] l X V A; try discriminate; cbn [error_exprs errors_at] in *.
  - constructor.
  - apply andb_prop in A as [A B]. destruct (error_expr e fs) as [t|] eqn:E; [|discriminate].
    destruct (error_exprs names shown) as [k|] eqn:K; [|discriminate]. injection X as <-. cbn [forallb fst snd] in V. apply andb_prop in V as [V1 V2].
    constructor; [|exact (IH _ _ K V2 B)]. cbn [fst snd]. destruct (error_at_sound _ _ _ A) as (r & R).
    destruct (error_expr_sound e fs t w r E R) as [-> _]. apply Qeq_bool_iff, Qeq_eqR in V1. rewrite eval_agrees in V1. fold w in R. rewrite V1. exact R.
Qed.
(* What is shown of the expressions is shown of the errors. *)
Theorem check_errors_sound s qs shown powers forms steps : check_errors s qs shown powers forms steps = true -> error_formula_holds s.
Proof.
  unfold check_errors. intros H. destruct (error_exprs (names_of s) shown) as [l|] eqn:X; [|discriminate].
  apply andb_prop in H as [H C]; apply andb_prop in H as [G S]. split; [exists (fun x => Q2R (point qs x)); exact (given_sound s qs shown l X G)|].
  intros w [here E]. pose proof (error_exprs_sound w _ _ _ X E) as L. apply (check_sums_sound _ _ _ w _ _ here) in C.
  rewrite Forall_map in C. rewrite forallb_forall in S. rewrite Forall_forall in C. apply Forall_forall. intros [[o a] b] J.
  specialize (C _ J); specialize (S _ J). cbn [simple_relation filled_relation] in *. apply andb_prop in S as [Sa Sb].
  assert (St : stands_for l w w).
  { intros x. destruct (assigned l x) as [t|] eqn:A; [|reflexivity]. rewrite Forall_forall in L.
    assert (J' : In (x, t) l).
    { clear - A. induction l as [|[y c] l IH]; [discriminate|]. cbn [assigned] in A.
      destruct (Pos.eqb_spec x y) as [->|]; [injection A as ->; now left|right; now apply IH]. }
    destruct (L _ J') as [D V]. cbn [fst snd] in *. auto. }
  destruct (filled_sound l w w a Sa St) as [Va Da], (filled_sound l w w b Sb St) as [Vb Db].
  unfold true_at in *. rewrite <- Va, <- Vb. tauto.
Qed.
Theorem refute_errors_sound s qs shown which : refute_errors s qs shown which = true -> error_formula_fails s.
Proof.
  unfold refute_errors. intros H. destruct (error_exprs (names_of s) shown) as [l|] eqn:X; [|discriminate].
  destruct (nth_error _ which) as [r|] eqn:N; [|discriminate]. apply andb_prop in H as [G F].
  exists (fun x => Q2R (point qs x)). split; [exact (given_sound s qs shown l X G)|].
  apply Exists_exists; exists r; split; [now apply nth_error_In in N|now apply false_at_Q_sound].
Qed.
