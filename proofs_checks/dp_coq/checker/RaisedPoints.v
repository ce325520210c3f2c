(* A point at which names have the values of powers of e, and of errors: its other coordinates are rational. *)
From Coq Require Import Reals QArith Qreals List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds meaning.Distributions meaning.Laws
  meaning.Moments meaning.Errors meaning.Exponentials.
From DP Require Import checker.Agreement checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums.
From DP Require Import theorems.Expectations checker.Chances checker.DataSets checker.Filled checker.Estimates checker.Errors checker.Exponentials
  checker.Raised.
Import ListNotations.
Open Scope R_scope.

(* Errors are not negative. *)
Lemma moment_is_not_negative M f w users x : established M f = true -> occurs M w users x -> 0 <= moment_for Error M w users x.
Proof.
  unfold established. intros H (here & data & item_ & share). apply andb_prop in H as [_ H].
  destruct (moment_expr M Error) as [e|] eqn:E; [|discriminate].
  destruct (moment_expr_sound M w users x here data item_ Error e E share) as (L & _ & _). unfold moment_for; cbn [moment_of].
  apply E_nonneg; [|intros; apply pow2_ge_0]. apply law_sequence. intros u J. apply in_map_iff in J as (y & <- & J).
  rewrite Forall_forall in L. now apply L.
Qed.
Lemma share_is_not_negative {A} (f : A -> nat) l : 0 <= per_user f l.
Proof.
  unfold per_user. destruct l as [|a l]; [simpl; unfold Rdiv; rewrite Rmult_0_l; lra|].
  apply Rmult_le_pos; [apply pos_INR|]. left. apply Rinv_0_lt_compat, lt_0_INR. simpl; lia.
Qed.
Lemma error_is_not_negative e fs t w r : error_expr e fs = Some t -> is_error w e r -> 0 <= r.
Proof.
  unfold error_expr, error_at_sizes. intros H (w' & users & _ & X). destruct (summed e).
  - destruct (sum_up (mechanisms e) fs) as [u|] eqn:U; [|discriminate]. clear H. destruct X as (F & data & ->). unfold total_error.
    revert fs u U F. induction (mechanisms e) as [|M Ms IH]; intros fs u U F; [simpl; lra|]. destruct fs as [|f fs]; [discriminate|]. cbn [sum_up] in U.
    destruct (sums_up M f) eqn:S; [|discriminate]. destruct (sum_up Ms fs) as [v|] eqn:V; [|discriminate].
    specialize (IH fs v V (Forall_inv_tail F)). apply Forall_inv in F. cbn [flat_map]. rewrite fold_right_app.
    unfold sums_up in S. apply andb_prop in S as [S _]; apply andb_prop in S as [S Fr].
    revert IH. generalize (fold_right Rplus 0 (flat_map (fun M => map (fun x => moment_for Error M (with_share w' users x) users x) (counted M w')) Ms)).
    intros rest P. assert (Al : forall x, In x (counted M w') -> In x (counted M w')) by auto. revert Al.
    generalize (counted M w') at 1 3. intros l Al. induction l as [|x l IHl]; [exact P|]. cbn [map fold_right]. apply Rplus_le_le_0_compat.
    + apply (moment_is_not_negative M f); [exact S|]. split; [|split; [exact data|split; [apply Al; now left|reflexivity]]].
      apply share_inside; [exact Fr|apply share_is_not_negative|exact F].
    + apply IHl. intros y J. apply Al. now right.
  - destruct X as (M & x & J & O & ->). destruct (mechanisms e) as [|M' [|]]; try discriminate. destruct fs as [|f [|]]; try discriminate.
    destruct (established M' f) eqn:G; [|discriminate]. destruct J as [<-|[]]. exact (moment_is_not_negative M' f _ _ _ G O).
Qed.

Section Point.
  Variables (s : exponentials) (qs : list Q).
  Notation d := (over (formula_of (assertion s))).
  Notation plain := (plain_names s).
  Notation here := (fun x => Q2R (point qs x)).
  Definition is_power_of_e (t : expr) : bool := match t with Var x => among x (powers_of_e s) | _ => false end.
  Definition lifted (l : list (positive * expr)) : list (positive * expr) := filter (fun t => is_power_of_e (snd t)) l.
  (* In a domain, these names are above 1, and nothing else is stated of them. *)
  Definition may_be_lifted (l : list (positive * expr)) (d : domain) : bool :=
    forallb (fun t => (6 <? fst t)%positive && match range_at (ranges d) (fst t) with From 1 true false => true | _ => false end) (lifted l)
    && forallb (closed (filter (fun x => negb (among x (map fst (lifted l)))) (own_names d))) (constraints d).
  Definition raised_error_at (e : error) (W : witness) : bool :=
    forallb (fun t => is_expr (assigned (lifted (at_ e)) (fst t)) (snd t)
      || (negb (among (fst t) (map fst (lifted (at_ e)))) && closed plain (snd t) && modest (point qs) (snd t)
          && defined_Q (point qs) (snd t) && Qeq_bool (point (values W) (fst t)) (run (point qs) (snd t)))) (at_ e)
    && forallb (fun M => may_be_lifted (at_ e) (sizes M) && is_data_set (sizes M) W) (mechanisms e)
    && (if summed e then match mechanisms e with [] => false | _ => true end
        else match mechanisms e with [M] => is_counted (sensitive M) W | _ => false end).
  Fixpoint raised_errors_at (names : list (positive * error)) (shown : list (list expr * witness)) : bool :=
    match names, shown with
    | [], [] => true
    | (_, e) :: names, (_, W) :: shown => raised_error_at e W && raised_errors_at names shown
    | _, _ => false
    end.
  (* The exponent of e that an expression is. *)
  Fixpoint raised_to (a : expr) : option Q :=
    match a with
    | Var x => match assigned (exponents s) x with Some t => Some (run (point qs) t) | None => None end
    | Pow a b =>
        if closed plain b then if modest (point qs) b then
          if defined_Q (point qs) b && whole_Q (run (point qs) b) && Qle_bool 0 (run (point qs) b)
          then match raised_to a with Some q => Some (Qmult (run (point qs) b) q) | None => None end else None
        else None else None
    | _ => None
    end.
  Definition spends_as_much (c : expr) : bool :=
    match c with
    | Sub a b => match raised_to a, raised_to b with Some p, Some q => Qeq_bool p q | _, _ => false end
    | _ => false
    end.
  Fixpoint different (l : list positive) : bool := match l with [] => true | x :: l => negb (among x l) && different l end.
  Definition is_exponent_at (t : positive * expr) : bool :=
    is_expr (assigned (exponents s) (fst t)) (snd t) && negb (among (fst t) (errors_named s)) && closed plain (snd t)
    && (if modest (point qs) (snd t) then less 0 (run (point qs) (snd t)) else false).
  Definition raised_point (shown : list (list expr * witness)) : bool :=
    inside_Q (plain_domain s) qs
    && forallb (fun x => match range_at (ranges d) x with From 0 false false => true | _ => false end) (powers_of_e s ++ errors_named s)
    && forallb (fun c => closed plain c || spends_as_much c) (constraints d)
    && forallb is_exponent_at (exponents s) && different (errors_named s)
    && raised_errors_at (names_of (assertion s)) shown
    && forallb (fun e => forallb (fun t => is_power_of_e (snd t) || closed plain (snd t)) (at_ (snd e))) (names_of (assertion s)).

  Variable e : R -> R.
  Hypothesis is_e : is_exponential e.
  Definition with_powers_of_e (x : positive) : R := match assigned (exponents s) x with Some t => e (value here t) | None => here x end.
  Lemma plain_here : forall x, existsb (Pos.eqb x) plain = true -> here x = with_powers_of_e x.
  Proof. intros x H. unfold with_powers_of_e. now rewrite (plain_has_no_exponent s x H). Qed.
  Section Lifted.
    Variables (E : error) (W : witness).
    Definition lifted_point (y : positive) : R :=
      match assigned (lifted (at_ E)) y with Some b => value with_powers_of_e b | None => Q2R (point (values W) y) end.
    Hypothesis positive_exponents : forallb is_exponent_at (exponents s) = true.
    Lemma power_above_1 t : is_power_of_e t = true -> 1 < value with_powers_of_e t.
    Proof.
      destruct t; try discriminate. cbn [is_power_of_e]. intros H. apply assigned_some in H as (t & A). unfold value; cbn [eval].
      unfold with_powers_of_e. rewrite A. apply assigned_In in A. rewrite forallb_forall in positive_exponents.
      specialize (positive_exponents _ A). unfold is_exponent_at in positive_exponents; cbn [snd] in positive_exponents.
      apply andb_prop in positive_exponents as [_ P]. destruct (modest _ _); [|discriminate]. apply less_R in P.
      rewrite eval_agrees, Q2R_0 in P. pose proof (e_above e is_e (value here t)). lra.
    Qed.
    Lemma lifted_or_same M y : may_be_lifted (at_ E) (sizes M) = true -> assigned (lifted (at_ E)) y <> None ->
      1 < lifted_point y /\ (6 < y)%positive /\ range_at (ranges (sizes M)) y = From 1 true false.
    Proof.
      intros H N. apply andb_prop in H as [H _]. unfold lifted_point. destruct (assigned (lifted (at_ E)) y) as [b|] eqn:A; [|congruence].
      apply assigned_In in A. rewrite forallb_forall in H. specialize (H _ A). cbn [fst] in H. apply andb_prop in H as [H R].
      split; [|split].
      - apply filter_In in A as [_ A]. exact (power_above_1 b A).
      - now apply Pos.ltb_lt.
      - destruct (range_at (ranges (sizes M)) y) as [[|[?|?|]|?] [|] [|]|]; try discriminate. reflexivity.
    Qed.
    Lemma lifted_inside M : may_be_lifted (at_ E) (sizes M) = true -> inside (sizes M) (fun x => Q2R (point (values W) x)) ->
      inside (sizes M) lifted_point.
    Proof.
      intros H [I C]. split.
      - intros y. destruct (assigned (lifted (at_ E)) y) as [b|] eqn:A.
        + destruct (lifted_or_same M y H) as (P & _ & ->); [congruence|]. simpl. split; [exact P|discriminate].
        + unfold lifted_point. rewrite A. apply I.
      - apply andb_prop in H as [_ H]. rewrite forallb_forall in H. rewrite Forall_forall in *. intros c J. specialize (H c J).
        destruct (C c J) as [D P].
        assert (Al : forall y, existsb (Pos.eqb y) (filter (fun x => negb (among x (map fst (lifted (at_ E))))) (own_names (sizes M))) = true ->
          Q2R (point (values W) y) = lifted_point y).
        { intros y Y. apply among_In, filter_In in Y as [_ Y]. apply negb_true_iff in Y. unfold lifted_point. now rewrite (assigned_none _ _ Y). }
        split; [exact (closed_defined _ _ _ _ H Al D)|]. now rewrite <- (closed_value _ _ _ _ H Al).
    Qed.
    Lemma raised_error_exists : raised_error_at E W = true -> exists r, is_error with_powers_of_e E r.
    Proof.
      unfold raised_error_at. intros H. apply andb_prop in H as [H C]; apply andb_prop in H as [A F]. rewrite forallb_forall in F.
      assert (At : Forall (fun t => defined with_powers_of_e (snd t) /\ lifted_point (fst t) = value with_powers_of_e (snd t)) (at_ E)).
      { rewrite forallb_forall in A. apply Forall_forall. intros t J. specialize (A t J). apply orb_prop in A as [A|A].
        - apply is_expr_sound in A. unfold lifted_point. rewrite A. split; [|reflexivity]. apply assigned_In, filter_In in A as [_ A]. cbn [snd] in A.
          destruct (snd t); try discriminate. exact I.
        - apply andb_prop in A as [A Q]; apply andb_prop in A as [A D]; apply andb_prop in A as [A _]; apply andb_prop in A as [N K].
          apply negb_true_iff in N. unfold lifted_point. rewrite (assigned_none _ _ N). apply Qeq_bool_iff, Qeq_eqR in Q.
          rewrite eval_agrees in Q. split; [exact (closed_defined _ _ _ _ K plain_here (defined_Q_sound _ _ D))|].
          rewrite Q. exact (closed_value _ _ _ _ K plain_here). }
      assert (Each : forall M, In M (mechanisms E) -> inside (sizes M) lifted_point /\ data_set lifted_point (users_of W)
        /\ (0 < sum_of W (fun _ => 1%nat))%N /\ (forall y, (y <= 6)%positive -> lifted_point y = Q2R (point (values W) y))).
      { intros M J. specialize (F M J). apply andb_prop in F as [L D]. destruct (data_set_sound _ _ D) as (here_ & data & P).
        assert (Same : forall y, (y <= 6)%positive -> lifted_point y = Q2R (point (values W) y)).
        { intros y Y. destruct (assigned (lifted (at_ E)) y) as [b|] eqn:B.
          - destruct (lifted_or_same M y L) as (_ & G & _); [congruence|]. lia.
          - unfold lifted_point. now rewrite B. }
        split; [exact (lifted_inside M L here_)|]. split; [|split; [exact P|exact Same]].
        unfold data_set, size in *. rewrite !Same by lia. exact data. }
      unfold is_error. destruct (summed E).
      - destruct (mechanisms E) as [|M Ms] eqn:Me; [discriminate|].
        exists (total_error (M :: Ms) lifted_point (users_of W)), lifted_point, (users_of W). split; [exact At|].
        split; [apply Forall_forall; intros M' J; exact (proj1 (Each M' J))|]. split; [|reflexivity]. exact (proj1 (proj2 (Each M (or_introl eq_refl)))).
      - destruct (mechanisms E) as [|M [|]] eqn:Me; try discriminate. destruct (Each M (or_introl eq_refl)) as (In_ & data & P & Same).
        destruct (counted_sound M W P C) as [J S]. exists (moment_for Error M lifted_point (users_of W) (N.to_nat (item W))), lifted_point, (users_of W).
        split; [exact At|]. exists M, (N.to_nat (item W)). split; [now left|]. split; [|reflexivity].
        split; [exact In_|]. split; [exact data|]. split; [|rewrite Same by lia; exact S].
        unfold counted, size in *. rewrite !Same by lia. exact J.
    Qed.
  End Lifted.
  (* Values of all errors, at once. *)
  Lemma raised_errors_exist : forallb is_exponent_at (exponents s) = true -> forall names shown l, error_exprs names shown = Some l ->
    raised_errors_at names shown = true -> different (map fst names) = true ->
    exists g, (forall x, 0 <= g x) /\ Forall (fun t => is_error with_powers_of_e (snd t) (g (fst t))) names.
  Proof.
    intros P. induction names as [|[x E] names IH]; intros [|[fs W] shown] l X H D; try discriminate.
    - exists (fun _ => 0). split; [intros; lra|constructor].
    - cbn [error_exprs raised_errors_at map fst different] in *. apply andb_prop in H as [R H]; apply andb_prop in D as [N D].
      destruct (error_expr E fs) as [t|] eqn:T; [|discriminate]. destruct (error_exprs names shown) as [k|] eqn:K; [|discriminate].
      destruct (IH shown k K H D) as (g & G & F). destruct (raised_error_exists E W P R) as (r & I).
      exists (put g x r). split.
      + intros y. unfold put. destruct (y =? x)%positive; [exact (error_is_not_negative E fs t _ r T I)|apply G].
      + constructor; cbn [fst snd]; [unfold put; rewrite Pos.eqb_refl; exact I|]. rewrite Forall_forall in *. intros t' J. specialize (F t' J).
        unfold put. destruct (Pos.eqb_spec (fst t') x) as [Q|]; [|exact F]. exfalso. apply negb_true_iff in N.
        assert (among x (map fst names) = true) by (apply among_In; rewrite <- Q; now apply in_map). congruence.
  Qed.

  Section Whole.
    Variable g : positive -> R.
    Definition whole_point (x : positive) : R := if among x (errors_named s) then g x else with_powers_of_e x.
    Hypothesis exponents_at : forallb is_exponent_at (exponents s) = true.
    Lemma plain_whole : forall x, existsb (Pos.eqb x) plain = true -> here x = whole_point x.
    Proof.
      intros x H. unfold whole_point. pose proof (plain_is_not_named s x H) as N. unfold among in N. rewrite existsb_app in N.
      apply orb_false_elim in N as [_ N]. unfold among. rewrite N. now apply plain_here.
    Qed.
    Lemma power_of_e_at x t : assigned (exponents s) x = Some t -> whole_point x = e (value here t).
    Proof.
      intros A. unfold whole_point, with_powers_of_e. rewrite A. apply assigned_In in A. rewrite forallb_forall in exponents_at.
      specialize (exponents_at _ A). unfold is_exponent_at in exponents_at; cbn [fst] in exponents_at.
      apply andb_prop in exponents_at as [H _]; apply andb_prop in H as [H _]; apply andb_prop in H as [_ N]. apply negb_true_iff in N. now rewrite N.
    Qed.
    Lemma raised_to_sound a : forall q, raised_to a = Some q -> value whole_point a = e (Q2R q) /\ defined whole_point a.
    Proof.
      induction a as [z|x|a _ b _|a _ b _|a _ b _|a _ b _|a _|a IH b _|a _|a _ b _|a _ b _|x a _ b _ t _]; intros q H; try discriminate; cbn [raised_to] in H.
      - destruct (assigned (exponents s) x) as [t|] eqn:A; [|discriminate]. injection H as <-. rewrite eval_agrees.
        split; [exact (power_of_e_at x t A)|exact I].
      - destruct (closed plain b) eqn:C; [|discriminate]. destruct (modest _ _); [|discriminate].
        destruct (_ && _ && _) eqn:K; [|discriminate]. apply andb_prop in K as [K L]; apply andb_prop in K as [D Z].
        destruct (raised_to a) as [p|]; [|discriminate]. injection H as <-. destruct (IH p eq_refl) as [V Da].
        set (k := run (point qs) b) in *. pose proof (whole_R _ Z) as Wk. unfold whole in Wk. apply Qle_bool_R in L. rewrite Q2R_0 in L.
        assert (Vb : value whole_point b = Q2R k) by (unfold k; rewrite eval_agrees; symmetry; exact (closed_value _ _ _ _ C plain_whole)).
        assert (Db : defined whole_point b) by exact (closed_defined _ _ _ _ C plain_whole (defined_Q_sound _ _ D)).
        split.
        + unfold value in *; cbn [eval floor over_R]. rewrite V, Vb, power_is, Q2R_mult.
          assert (N : (0 <= Int_part (Q2R k))%Z) by (apply le_IZR; rewrite <- Wk; exact L).
          rewrite <- (Z2Nat.id _ N), <- pow_powerRZ, <- (e_multiple e is_e). rewrite INR_IZR_INZ, Z2Nat.id, <- Wk by exact N. reflexivity.
        + cbn [defined]. rewrite Vb. repeat split; auto.
    Qed.
    Lemma spends_as_much_sound c : spends_as_much c = true -> defined whole_point c /\ 0 <= value whole_point c.
    Proof.
      destruct c as [| | |a b| | | | | | | |]; try discriminate. cbn [spends_as_much].
      destruct (raised_to a) as [p|] eqn:A, (raised_to b) as [q|] eqn:B; try discriminate. intros H. apply Qeq_bool_iff, Qeq_eqR in H.
      destruct (raised_to_sound a p A) as [Va Da], (raised_to_sound b q B) as [Vb Db]. split; [exact (conj Da Db)|].
      unfold value in *; cbn [eval sub over_R]. rewrite Va, Vb, H. lra.
    Qed.
  End Whole.

  (* The point is one that is meant. *)
  Theorem raised_point_sound shown l : error_exprs (names_of (assertion s)) shown = Some l -> raised_point shown = true -> exists w, is_point e s w.
  Proof.
    intros X H. unfold raised_point in H. apply andb_prop in H as [H Cl]; apply andb_prop in H as [H Er]; apply andb_prop in H as [H Di];
      apply andb_prop in H as [H Ex]; apply andb_prop in H as [H Co]; apply andb_prop in H as [In_ Ra].
    destruct (raised_errors_exist Ex _ _ _ X Er Di) as (g & G & F). exists (whole_point g). apply inside_Q_sound in In_ as [W C].
    split; [split; [split|]|].
    - intros x. destruct (among x (powers_of_e s ++ errors_named s)) eqn:N.
      + rewrite forallb_forall in Ra. apply among_In in N as N'. specialize (Ra x N'). cbv beta in Ra.
        destruct (range_at (ranges d) x) as [[|?|?] [|] [|]|]; try discriminate. simpl. split; [|discriminate].
        unfold whole_point, with_powers_of_e. destruct (among x (errors_named s)) eqn:M; [apply G|].
        unfold among in N, M. rewrite existsb_app, M, orb_false_r in N. destruct (assigned_some (exponents s) x N) as (t & ->).
        left. apply e_positive, is_e.
      + unfold whole_point, with_powers_of_e. unfold among in N. rewrite existsb_app in N. apply orb_false_elim in N as [N M].
        unfold among. rewrite M, (assigned_none _ _ N). apply W.
    - rewrite forallb_forall in Co. apply Forall_forall. intros c J. specialize (Co c J). apply orb_prop in Co as [K|K].
      + rewrite Forall_forall in C. destruct (C c) as [D P]; [apply filter_In; auto|].
        split; [exact (closed_defined _ _ _ _ K (plain_whole g) D)|]. now rewrite <- (closed_value _ _ _ _ K (plain_whole g)).
      + exact (spends_as_much_sound g Ex c K).
    - rewrite Forall_forall in *. intros t J. specialize (F t J). rewrite forallb_forall in Cl. specialize (Cl t J). rewrite forallb_forall in Cl.
      assert (N : among (fst t) (errors_named s) = true) by (apply among_In; now apply in_map).
      unfold whole_point at 2. rewrite N. destruct F as (w' & users & At & Y). exists w', users. split; [|exact Y].
      rewrite Forall_forall in *. intros u K. specialize (At u K). specialize (Cl u K). destruct At as [D V].
      assert (Same : value (whole_point g) (snd u) = value with_powers_of_e (snd u) /\ (defined with_powers_of_e (snd u) -> defined (whole_point g) (snd u))).
      { apply orb_prop in Cl as [P|P].
        - destruct (snd u) as [|x| | | | | | | | | |]; try discriminate. cbn [is_power_of_e] in P. destruct (assigned_some _ _ P) as (v & A).
          unfold value; cbn [eval defined]. rewrite (power_of_e_at g Ex x v A). unfold with_powers_of_e. rewrite A. split; auto.
        - assert (Al : forall y, existsb (Pos.eqb y) plain = true -> with_powers_of_e y = whole_point g y)
            by (intros y Z; rewrite <- (plain_here y Z); now apply plain_whole).
          split; [symmetry; exact (closed_value _ _ _ _ P Al)|exact (closed_defined _ _ _ _ P Al)]. }
      rewrite (proj1 Same). split; [exact (proj2 Same D)|exact V].
    - apply Forall_forall. intros [x t] J. cbn [fst snd]. rewrite forallb_forall in Ex. pose proof (Ex _ J) as K. unfold is_exponent_at in K; cbn [fst snd] in K.
      apply andb_prop in K as [K _]; apply andb_prop in K as [K Ct]; apply andb_prop in K as [A _]. apply is_expr_sound in A.
      assert (Ex' : forallb is_exponent_at (exponents s) = true) by now apply forallb_forall.
      rewrite (power_of_e_at g Ex' x t A). f_equal. exact (closed_value _ _ _ _ Ct (plain_whole g)).
  Qed.
End Point.

(* Formulas, and bounds, whose names are powers of e and errors: a point, and what is shown. *)
Definition bounded_by (c : expr * relation) : list relation :=
  let '(o, a, b) := snd c in [(Lt, Cst 0, fst c); (Le, a, Mul (fst c) b)].
Definition to_be_shown (s : exponentials) (cs : list expr) : option (list relation) :=
  let rels := relations (formula_of (assertion s)) in
  match up_to s with
  | None => Some rels
  | Some names => if (length cs =? length rels)%nat && forallb (closed names) cs then Some (flat_map bounded_by (combine cs rels)) else None
  end.
Definition check_exponentials (s : exponentials) (qs : list Q) (shown : list (list expr * witness)) (cs : list expr)
  (powers : list (expr * positive)) (forms : list form) (steps : list step) : bool :=
  match to_be_shown s cs, error_exprs (names_of (assertion s)) shown with
  | Some rels, Some _ => raised_point s qs shown && check_raised s shown powers forms rels steps
  | _, _ => false
  end.
(* What is checked holds. *)
Theorem check_exponentials_sound s qs shown cs powers forms steps :
  check_exponentials s qs shown cs powers forms steps = true -> exponentials_hold s.
Proof.
  unfold check_exponentials. intros H e is_e. destruct (to_be_shown s cs) as [rels|] eqn:T; [|discriminate].
  destruct (error_exprs _ _) as [l|] eqn:X; [|discriminate]. apply andb_prop in H as [P H].
  assert (All : forall w, is_point e s w -> Forall (true_at w) rels /\ Forall (fun t => defined w (snd t)) (exponents s))
    by (intros w M; exact (check_raised_sound s shown powers forms rels steps e w H is_e M)).
  split; [split; [exact (raised_point_sound s qs e is_e shown l X P)|intros w M; exact (proj2 (All w M))]|].
  unfold to_be_shown in T. unfold everywhere. destruct (up_to s) as [names|].
  - destruct (_ && _) eqn:L; [|discriminate]. apply andb_prop in L as [L F]. apply Nat.eqb_eq in L. injection T as <-.
    rewrite forallb_forall in F. apply Forall_forall. intros r I. apply In_nth with (d := r) in I as (n & N & E).
    set (c := nth n cs (Cst 1)). assert (M : In (c, r) (combine cs (relations (formula_of (assertion s))))).
    { rewrite <- E. unfold c. rewrite <- combine_nth by exact L. apply nth_In. rewrite combine_length. lia. }
    exists (fun w => value w c). split.
    + intros w w' A. apply (closed_value c names); [apply F, nth_In; lia|]. intros x J; apply A. now apply among_In.
    + intros w J. destruct (All w J) as [R _]. rewrite Forall_flat_map, Forall_forall in R. specialize (R _ M). destruct r as [[o a] b].
      cbn [bounded_by fst snd] in *. pose proof (Forall_inv R) as (_ & _ & Pos_). apply Forall_inv_tail, Forall_inv in R as (D & (_ & D') & G).
      cbn [related] in *. unfold value in Pos_ at 1; cbn [eval integer of_Q over_R] in Pos_. rewrite Q2R_integer in Pos_. auto.
  - injection T as <-. apply Forall_forall. intros r J w M. destruct (All w M) as [R _]. rewrite Forall_forall in R. exact (R r J).
Qed.
