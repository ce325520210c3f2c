(* "Every compared ratio is at most the limit", at all sizes, for reports of a bit for every item: what is checked, and that it holds. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Constants checker.Steps checker.Powers checker.Sums checker.Sentences checker.Quantifiers checker.Readings
  checker.Comparisons checker.Users checker.Bits checker.Places checker.Vectors checker.Factors theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

(* Names beside those of a domain, each of a number. *)
Fixpoint longer (k : nat) (d : domain) : domain := match k with O => d | S k => longer k (along_it d) end.
Fixpoint closed_each (k : nat) (d : domain) : bool :=
  match k with O => true | S k => forallb (closed (own_names d)) (constraints d) && closed_each k (along_it d) end.
Fixpoint placed (d : domain) (w : positive -> R) (ns : list nat) : positive -> R :=
  match ns with [] => w | n :: ns => placed (along_it d) (put w (Pos.of_nat (S (many d))) (INR n)) ns end.
Lemma many_along d : many (along_it d) = S (many d).
Proof. unfold many, along_it. cbn [ranges]. rewrite app_length. cbn [length]. lia. Qed.
Lemma own_longer d x : existsb (Pos.eqb x) (own_names d) = true -> existsb (Pos.eqb x) (own_names (along_it d)) = true.
Proof.
  unfold own_names. rewrite many_along, !existsb_exists. intros (y & I & E). exists y. split; [|exact E]. apply in_map_iff in I as (n & <- & I).
  apply in_map. apply in_seq in I. apply in_seq. lia.
Qed.
Lemma placed_inside ns : forall d w, inside d w -> closed_each (length ns) d = true -> inside (longer (length ns) d) (placed d w ns).
Proof.
  induction ns as [|n ns IH]; intros d w here C; [exact here|]. apply andb_prop in C as [A B]. cbn [length longer placed].
  apply IH; [|exact B]. now apply along_inside.
Qed.
Lemma placed_own ns : forall d w x, existsb (Pos.eqb x) (own_names d) = true -> placed d w ns x = w x.
Proof.
  induction ns as [|n ns IH]; intros d w x I; [reflexivity|]. cbn [placed]. rewrite IH by (now apply own_longer). symmetry. now apply own_put.
Qed.
Lemma placed_at ns : forall d w i n, nth_error ns i = Some n -> placed d w ns (Pos.of_nat (S (many d) + i)) = INR n.
Proof.
  induction ns as [|k ns IH]; intros d w [|i] n E; try discriminate; cbn [placed nth_error] in *.
  - injection E as ->. rewrite Nat.add_0_r, placed_own; [apply put_here|]. unfold own_names. rewrite many_along. apply existsb_exists.
    exists (Pos.of_nat (S (many d))). split; [|apply Pos.eqb_refl]. apply in_map, in_seq. lia.
  - replace (S (many d) + S i)%nat with (S (many (along_it d)) + i)%nat by (rewrite many_along; lia). now apply IH.
Qed.

(* A sentence is the one that is stated. *)
Definition sentence_dec (a b : sentence) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.
(* The limit is a power of the base. *)
Definition exponent_of (f : powers) (l : expr) : option expr :=
  match l with
  | Var x => if (x =? base f)%positive then Some (Cst 1) else None
  | Pow (Var x) e => if (x =? base f)%positive then Some e else None
  | _ => None
  end.
Definition no_exponents (e : expr) : bool := match exponents e with [] => true | _ => false end.
Lemma exponent_sound f l e w : exponent_of f l = Some e -> defined w e -> 1 <= w (base f) -> (exists z, value w e = IZR z) -> 0 <= value w e -> no_exponents e = true ->
  exists n, value w e = INR n /\ value w l = w (base f) ^ n /\ defined w l /\ Forall (fun a => 0 <= value w a) (exponents l).
Proof.
  intros X D B (z & V) P N. assert (Z : (0 <= z)%Z) by (rewrite V in P; now apply le_IZR in P).
  assert (I : value w e = INR (Z.to_nat z)) by (rewrite V, INR_IZR_INZ, Z2Nat.id; [reflexivity|exact Z]).
  exists (Z.to_nat z). split; [exact I|].
  destruct l as [|x| | | | | |[|x| | | | | | | | | |] b| | | |]; try discriminate; cbn [exponent_of] in X; destruct (Pos.eqb_spec x (base f)) as [->|]; try discriminate; injection X as <-.
  - rewrite value_Cst in V. apply eq_IZR in V as <-. split; [change (Z.to_nat 1) with 1%nat; unfold value; cbn [eval pow]; lra|]. split; [exact Logic.I|constructor].
  - unfold no_exponents in N. destruct (exponents b) as [|a l] eqn:E; [|discriminate]. cbn [defined exponents]. rewrite E. cbn [app].
    destruct (whole_IZR z) as [W F]. repeat split; try assumption.
    + unfold value at 1. cbn [eval floor over_R]. fold (value w b). rewrite V, F, power_is, <- (Z2Nat.id z) at 1 by exact Z.
      symmetry. apply pow_powerRZ.
    + rewrite V. exact W.
    + now left.
    + now constructor.
Qed.

Record derived := Derived { about : reading; with_powers : powers; adding : list step }.
Section Check.
  Variables (d : domain) (T : positive) (r : rows) (p : derived).
  Notation q := (about p).
  Notation f := (with_powers p).
  Definition variables : vector expr :=
    let x i := Var (Pos.of_nat (S (many d) + i)) in Vector (x 0%nat) (x 1%nat) (x 2%nat) (x 3%nat) (x 4%nat) (x 5%nat).
  Definition of_pairs : domain := Domain (ranges (longer 6 d)) (constraints (longer 6 d) ++ facts q variables).
  Definition plainly (rels : list Formulas.relation) : bool := check_relations d rels (map (fun _ => plain) rels).
  Definition own (e : expr) : bool := closed (own_names d) e.
  Definition readable : bool :=
    (2 <? T)%positive && forallb (speakable T) [least q; most q; limit q] && no_exponents (least q) && no_exponents (most q)
    && forallb own [Var 1; Var 2; least q; most q] && closed_each 6 d && natural_at d 1 && natural_at d 2
    && (negb (nonempty q) || (natural_at d 3 && (3 <? T)%positive))
    && plainly (basic f ++ [(Le, Cst 0, least q); (Le, Cst 0, most q)]).
  Definition bounded_by (e : expr) : bool :=
    own e && whole_e d e && no_exponents e && plainly [(Le, Cst 0, e)] && of_bits r && plainly (bounding (relation q) r f)
    && check_relations of_pairs (adding_up (rate_of f) (shift f) e variables) (adding p).

  Section Sound.
    Variable w : positive -> R.
    Hypothesis here : inside d w.
    Notation size x := (Z.to_nat (Int_part (w x))).
    Notation K := (size 1%positive).
    Notation M := (size 2%positive).
    Hypothesis ready : readable = true.
    Lemma plainly_sound rels : plainly rels = true -> Forall (true_at w) rels.
    Proof. intros H. exact (check_relations_sound d w here _ _ H). Qed.
    Lemma natural_size x : natural_at d x = true -> w x = INR (size x).
    Proof.
      intros H. destruct (natural_at_sound d w here x H) as (z & E & Z). rewrite E. destruct (whole_IZR z) as [_ ->].
      rewrite INR_IZR_INZ, Z2Nat.id by exact Z. reflexivity.
    Qed.
    Lemma ready_sound : (2 < T)%positive /\ w 1%positive = INR K /\ w 2%positive = INR M /\ Forall (true_at w) (basic f)
      /\ defined w (least q) /\ defined w (most q) /\ closed_each 6 d = true /\ (forall e, In e [Var 1; Var 2; least q; most q] -> own e = true)
      /\ forallb (speakable T) [least q; most q; limit q] = true /\ no_exponents (least q) = true /\ no_exponents (most q) = true
      /\ (nonempty q = true -> w 3%positive = INR (size 3%positive) /\ (3 < T)%positive).
    Proof.
      unfold readable in ready. repeat (apply andb_prop in ready as [ready ?]). apply plainly_sound in H. apply Forall_app in H as [B H].
      pose proof (Forall_inv H) as (_ & L & _). pose proof (Forall_inv (Forall_inv_tail H)) as (_ & G & _).
      assert (N3 : nonempty q = true -> w 3%positive = INR (size 3%positive) /\ (3 < T)%positive).
      { intros N. rewrite N in H0. apply andb_prop in H0 as [A C]. split; [now apply natural_size|now apply Pos.ltb_lt]. }
      rewrite forallb_forall in H4. apply Pos.ltb_lt in ready.
      exact (conj ready (conj (natural_size _ H2) (conj (natural_size _ H1) (conj B (conj L (conj G (conj H3 (conj H4 (conj H7 (conj H6 (conj H5 N3))))))))))).
    Qed.

    Section Pair.
      Variables s s' : list nat.
      Hypothesis pair : compared_pair w K M q s s'.
      Notation counts := (number_vector (place_of K s s') (seq 0 (K + M))).
      Lemma pair_sets : In s (every (K + M)) /\ In s' (every (K + M)).
      Proof. destruct pair as (I & I' & _). apply filter_In in I, I'. tauto. Qed.
      Lemma sized_sound a : In a (compared_sets w K M q) -> value w (least q) <= INR (length a) <= value w (most q).
      Proof.
        intros I. apply filter_In in I as [_ S]. unfold sized in S. rewrite !at_most_R in S.
        destruct (Rle_dec (value w (least q)) (INR (length a))); [|discriminate]. destruct (Rle_dec (INR (length a)) (value w (most q))); [|discriminate]. lra.
      Qed.
      Lemma pair_counts : true_of q w K M counts.
      Proof.
        destruct pair_sets as [S S']. destruct pair as (I & I' & C). apply sized_sound in I, I'.
        rewrite (size_count K M s s' S) in I. rewrite (size_count' K M s s' S') in I'.
        pose proof (sensitive_count K M s s') as X. pose proof (other_count K M s s') as Y. pose proof (compared_counts K M s s' S S' _ C) as Z.
        unfold true_of, number_vector. cbn [ls ln gs gn bs bn]. repeat split; try lia; try tauto; exact Z.
      Qed.
      Notation w6 := (placed d w (all_counts counts)).
      Lemma variables_are : has_values w6 variables counts.
      Proof. unfold has_values, variables. cbn [ls ln gs gn bs bn]. repeat split; unfold value; cbn [eval]; now apply placed_at. Qed.
      Lemma own_value e : own e = true -> value w6 e = value w e.
      Proof. intros O. apply (closed_value e (own_names d)); [exact O|]. intros x I. now apply placed_own. Qed.
      Lemma own_defined e : own e = true -> defined w e -> defined w6 e.
      Proof. intros O. apply (closed_defined e (own_names d)); [exact O|]. intros x I. symmetry. now apply placed_own. Qed.
      Lemma pair_inside : inside of_pairs w6.
      Proof.
        destruct ready_sound as (_ & K_is & M_is & _ & L & G & C & O & _).
        destruct (placed_inside (all_counts counts) d w here C) as [W X]. split; [exact W|]. cbn [constraints of_pairs]. apply Forall_app. split; [exact X|].
        assert (K6 : w6 1%positive = INR K) by (rewrite <- K_is; apply (own_value (Var 1)), O; cbn; tauto).
        assert (M6 : w6 2%positive = INR M) by (rewrite <- M_is; apply (own_value (Var 2)), O; cbn; tauto).
        assert (F : Forall (fun e => 0 <= value w6 e) (facts q variables)).
        { apply (facts_iff q w6 K M variables counts K6 M6 variables_are). pose proof pair_counts as P. unfold true_of in *.
          rewrite !own_value by (apply O; cbn; tauto). exact P. }
        assert (D : Forall (defined w6) (facts q variables)).
        { assert (DL : defined w6 (least q)) by (apply own_defined; [apply O; cbn; tauto|exact L]).
          assert (DM : defined w6 (most q)) by (apply own_defined; [apply O; cbn; tauto|exact G]).
          unfold facts, size_one, size_other. apply Forall_app. split; [repeat constructor; assumption|]. destruct (relation q); repeat constructor. }
        rewrite Forall_forall in *. intros e I. split; auto.
      Qed.
      Variable e : expr.
      Hypothesis bounds : bounded_by e = true.
      Lemma bounds_sound : own e = true /\ (exists z, value w e = IZR z) /\ no_exponents e = true /\ defined w e /\ 0 <= value w e /\ of_bits r = true
        /\ Forall (true_at w) (bounding (relation q) r f)
        /\ check_relations of_pairs (adding_up (rate_of f) (shift f) e variables) (adding p) = true.
      Proof.
        unfold bounded_by in bounds. repeat (apply andb_prop in bounds as [bounds ?]).
        match goal with H : plainly [_] = true |- _ => apply plainly_sound, Forall_inv in H as (_ & D & P) end. cbn [related] in P. rewrite value_Cst in P.
        repeat split; try assumption; [now apply (whole_e_sound d w here)|now apply plainly_sound].
      Qed.
      Lemma pair_adds_up : INR (total_rate (rate_of f) counts) <= value w e /\ adds_up (rate_of f) w (shift f) counts.
      Proof.
        destruct bounds_sound as (O & _ & _ & _ & _ & _ & _ & A).
        pose proof (check_relations_sound _ _ pair_inside _ _ A) as F. apply (adding_up_sound _ _ _ _ _ _ variables_are) in F as [F G].
        rewrite own_value in F by exact O. now split.
      Qed.
      Lemma all_occur x : In x (seq 0 (K + M)) -> occurs f (place_of K s s' x) = true.
      Proof.
        exact (places_occur w K M f s s' (proj2 pair_adds_up) x).
      Qed.
      Notation law := (law over_R w (fun _ => []) K M (Push Blanked (EachItems r))).
      Notation xs := (seq 0 (K + M)).
      Lemma shown_admissible bs x b : counts_in (relation q) s s' (report_of K xs bs) = true -> In (x, b) (combine xs bs) ->
        admissible (relation q) (place_of K s s' x) b = true.
      Proof.
        unfold admissible, counts_in, place_of. cbn [fst snd]. destruct (relation q); try reflexivity. intros C I.
        destruct (Nat.ltb_spec x K) as [L|L]; [reflexivity|]. destruct b; [|reflexivity]. cbn [orb negb].
        rewrite forallb_forall in C. apply C. apply beside_report. now split.
      Qed.
      (* The chance of a report that is compared is at most a power of the base times that under the other set, and the exponent is at most that of the limit. *)
      Theorem chance_bounded v : subject w K M (size 3%positive) (Push Blanked (EachItems r)) q s s' v ->
        chance (relation q) (law s) (key (relation q) v) <= w (base f) ^ total_rate (rate_of f) counts * chance (relation q) (law s') (key (relation q) v)
        /\ 0 <= chance (relation q) (law s') (key (relation q) v).
      Proof.
        destruct ready_sound as (_ & K_is & _ & B & _). destruct bounds_sound as (_ & _ & _ & _ & _ & bits & F & _).
        intros ((z & _ & I) & _ & C). destruct (reports_of_bits w K M r bits s z v I) as (bs & L & ->).
        rewrite !(chance_is_product w K M r _ K_is bits) by exact L.
        destruct (factors_at_most w K M r _ f B s s' bs F L) as [P Q].
        - intros x b J. split; [apply all_occur; now apply in_combine_l in J|now apply (shown_admissible bs)].
        - rewrite (multiple_is_power w K M f B s s' (proj2 pair_adds_up)) in Q. now split.
      Qed.
    End Pair.
    (* So it is at most the limit times that. *)
    Theorem limit_holds e s s' v : exponent_of f (limit q) = Some e -> bounded_by e = true -> compared_pair w K M q s s' ->
      subject w K M (size 3%positive) (Push Blanked (EachItems r)) q s s' v ->
      chance (relation q) (law over_R w (fun _ => []) K M (Push Blanked (EachItems r)) s) (key (relation q) v)
      <= value w (limit q) * chance (relation q) (law over_R w (fun _ => []) K M (Push Blanked (EachItems r)) s') (key (relation q) v).
    Proof.
      intros X B P S. destruct (chance_bounded s s' P e B v S) as [C N]. destruct (pair_adds_up s s' P e B) as [A _].
      destruct (bounds_sound e B) as (_ & W & E & D & G & _). destruct ready_sound as (_ & _ & _ & Bs & _).
      destruct (base_shift w f Bs) as [one _]. destruct (exponent_sound f (limit q) e w X D one W G E) as (n & V & L & _).
      rewrite L. apply Rle_trans with (1 := C). apply Rmult_le_compat_r; [exact N|]. apply Rle_pow; [exact one|]. rewrite V in A. now apply INR_le.
    Qed.
  End Sound.
End Check.

(* A reading that is true of the law at all points of its domain. *)
Theorem reading_holds (t : law_sentence) (p : derived) :
  (exists w, inside (sizes_of t) w) -> what t = ratio_text (rows_of t) (about p) -> readable (sizes_of t) (rows_of t) p = true ->
  (forall w, inside (sizes_of t) w ->
    let K := Z.to_nat (Int_part (w 1%positive)) in
    let M := Z.to_nat (Int_part (w 2%positive)) in
    let m := Z.to_nat (Int_part (w 3%positive)) in
    let q := about p in
    let law := law over_R w (fun _ => []) K M (term_of t) in
    defined w (limit q) /\ Forall (fun a => 0 <= value w a) (exponents (limit q))
    /\ (forall s z v, In (z, v) (law s) -> exists a l, v = Tup [a; items l])
    /\ (forall s s' v, compared_pair w K M q s s' -> subject w K M m (term_of t) q s s' v ->
      chance (relation q) (law s) (key (relation q) v) <= value w (limit q) * chance (relation q) (law s') (key (relation q) v))
    /\ (smallest q = true -> exists s s' v, compared_pair w K M q s s' /\ subject w K M m (term_of t) q s s' v
      /\ chance (relation q) (law s) (key (relation q) v) = value w (limit q) * chance (relation q) (law s') (key (relation q) v))) ->
  law_sentence_holds t.
Proof.
  intros some text ready H. split; [exact some|]. intros w here log _. set (lg := fun y => if Rlt_dec 0 y then Some (log y) else None).
  destruct (ready_sound (sizes_of t) (rows_of t) p w here ready) as (two & K_is & M_is & _ & Dl & Dm & _ & _ & Sp & El & Em & N3).
  destruct (H w here) as (D & E & shape & bound & reach). rewrite forallb_forall in Sp.
  assert (none : forall y, no_exponents y = true -> Forall (fun a => 0 <= value w a) (exponents y)).
  { intros y N. unfold no_exponents in N. destruct (exponents y); [constructor|discriminate]. }
  rewrite text. apply (says_ratio lg w _ _ (Z.to_nat (Int_part (w 3%positive))) (term_of t) (rows_of t) (about p) K_is M_is two N3).
  - intros s z v _ J. exact (shape s z v J).
  - intros y env [<-|[<-|[<-|[]]]] agree; apply (spoken_says lg w (rows_of t) env agree); try (apply Sp; cbn; tauto); try assumption; now apply none.
  - unfold data_of. now rewrite put_here.
  - intros y L. unfold data_of. rewrite put_there; [reflexivity|]. intros ->. now apply Pos.lt_irrefl in L.
  - exact bound.
  - exact reach.
Qed.
