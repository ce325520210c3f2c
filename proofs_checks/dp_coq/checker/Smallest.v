(* "The limit is the smallest": at all sizes two sets that are compared reach it; and the check of a ratio, or of the smallest constant. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums checker.Sentences
  checker.Quantifiers checker.Readings checker.Comparisons checker.Users checker.Bits checker.Places checker.Vectors checker.Factors checker.Ratios
  theorems.Expectations theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

(* Numbers of items of two sets, by whether whole numbers are >= 0; with a step for everything that is shown of them. *)
Inductive cases := Leaf (numbers : vector expr) (steps : list step) | Branch (of : expr) (yes no : cases).

Section Cases.
  Variables (q : reading) (more : vector expr -> list Formulas.relation).
  Definition exact (v : vector expr) : list Formulas.relation :=
    map (fun x => (Le, Cst 0, x)) (all_counts v ++ facts q v) ++ (Le, Cst 1, Add (Add (ls v) (ln v)) (Add (gs v) (gn v))) :: more v.
  Fixpoint check_cases (d : domain) (c : cases) : bool :=
    match c with
    | Leaf v steps => forallb (whole_e d) (all_counts v) && check_relations d (exact v) steps
    | Branch x yes no =>
        whole_e d x && zero_e (ranges d) (Sub x x)
        && check_cases (Domain (ranges d) (constraints d ++ [x])) yes
        && check_cases (Domain (ranges d) (constraints d ++ [Sub (Neg x) (Cst 1)])) no
    end.
  Variables (w : positive -> R) (K M : nat).
  Hypotheses (K_is : w 1%positive = INR K) (M_is : w 2%positive = INR M).
  (* At every point one of the cases has numbers of sets that are compared. *)
  Theorem cases_sound c : forall d', inside d' w -> check_cases d' c = true ->
    exists v n, has_values w v n /\ true_of q w K M n /\ (0 < ls n + ln n + gs n + gn n)%nat /\ Forall (true_at w) (more v).
  Proof.
    induction c as [v steps|x yes IHy no IHn]; intros d' here H; cbn [check_cases] in H.
    - apply andb_prop in H as [W C]. pose proof (check_relations_sound _ _ here _ _ C) as F. unfold exact in F.
      apply Forall_app in F as [P F]. pose proof (Forall_inv F) as (_ & _ & S).
      apply Forall_inv_tail in F. cbn [related] in S. rewrite Forall_map in P. apply Forall_app in P as [N P].
      assert (Z : forall x, In x (all_counts v) -> exists n, value w x = INR n).
      { intros x I. rewrite forallb_forall in W. destruct (whole_e_sound d' w here x (W x I)) as (z & V). rewrite Forall_forall in N.
        destruct (N x I) as (_ & _ & G). cbn [related] in G. rewrite value_Cst, V in G. apply le_IZR in G. exists (Z.to_nat z).
        now rewrite V, INR_IZR_INZ, Z2Nat.id. }
      destruct v as [a b g h i j]. unfold all_counts in Z. cbn [ls ln gs gn bs bn] in *.
      destruct (Z a) as [na Va]; [cbn; tauto|]. destruct (Z b) as [nb Vb]; [cbn; tauto|]. destruct (Z g) as [ng Vg]; [cbn; tauto|].
      destruct (Z h) as [nh Vh]; [cbn; tauto|]. destruct (Z i) as [ni Vi]; [cbn; tauto|]. destruct (Z j) as [nj Vj]; [cbn; tauto|].
      set (v := Vector a b g h i j) in *. set (n := Vector na nb ng nh ni nj).
      assert (are : has_values w v n) by (unfold has_values; cbn; tauto). exists v, n.
      split; [exact are|]. split; [|split; [|exact F]].
      + apply (facts_iff q w K M v n K_is M_is are). rewrite Forall_forall in *. intros x I. destruct (P x I) as (_ & _ & G).
        cbn [related] in G. now rewrite value_Cst in G.
      + assert (V : forall a b, value w (Add a b) = value w a + value w b) by reflexivity. rewrite !V, value_Cst, Va, Vb, Vg, Vh, <- !plus_INR in S.
        cbn [ls ln gs gn n]. destruct (na + nb + (ng + nh))%nat eqn:X; [cbn [INR] in S; lra|lia].
    - apply andb_prop in H as [H Hn]. apply andb_prop in H as [H Hy]. apply andb_prop in H as [W D]. destruct here as [R C].
      destruct (zero_e_sound _ _ R _ D) as [_ [Dx _]]. destruct (whole_e_sound d' w (conj R C) x W) as (z & V). destruct (Z_le_dec 0 z) as [L|L].
      + apply (IHy _) with (2 := Hy). split; [exact R|]. cbn [constraints]. apply Forall_app. split; [exact C|]. constructor; [|constructor].
        split; [exact Dx|]. rewrite V. now apply IZR_le.
      + apply (IHn _) with (2 := Hn). split; [exact R|]. cbn [constraints]. apply Forall_app. split; [exact C|]. constructor; [|constructor].
        split; [cbn [defined]; tauto|]. assert (G : (z <= -1)%Z) by lia. apply IZR_le in G.
        change (value w (Sub (Neg x) (Cst 1))) with (integer over_R 0 - value w x - value w (Cst 1)). rewrite value_Cst, number_datum, V. lra.
  Qed.
  (* Numbers of sets that are compared are those of such sets. *)
  Theorem witness_pair n : true_of q w K M n -> (0 < ls n + ln n + gs n + gn n)%nat ->
    exists s s', compared_pair w K M q s s' /\ number_vector (place_of K s s') (seq 0 (K + M)) = n.
  Proof.
    intros (roomK & roomM & S & S' & C) P. destruct n as [a b g h i j]. cbn [ls ln gs gn bs bn] in *.
    set (s := one_set K M a b i j). set (s' := other_set K M a b g h i j). exists s, s'.
    destruct (sets_are_sets K M a b g h i j) as [I I']. fold s in I. fold s' in I'.
    destruct (witness_counts K M a b g h i j roomK roomM) as (A & B & G & H & X & Y). fold s in A, B, G, H, X, Y. fold s' in A, B, G, H, X, Y.
    split; [|unfold number_vector; now rewrite A, B, G, H, X, Y].
    assert (Z : forall l, In l (every (K + M)) -> value w (least q) <= INR (length l) <= value w (most q) -> In l (compared_sets w K M q)).
    { intros l J [U V]. apply filter_In. split; [exact J|]. unfold sized. rewrite !at_most_R.
      destruct (Rle_dec (value w (least q)) (INR (length l))); [|contradiction]. destruct (Rle_dec (INR (length l)) (value w (most q))); [reflexivity|contradiction]. }
    split; [|split].
    - apply Z; [exact I|]. rewrite (size_count K M s s' I), A, B, X, Y. exact S.
    - apply Z; [exact I'|]. rewrite (size_count' K M s s' I'), G, H, X, Y. exact S'.
    - apply (witness_compared K M a b g h i j roomK roomM (relation q) P). exact C.
  Qed.
End Cases.

Section Check.
  Variables (r : rows) (q : reading) (f : powers) (e : expr) (bit_at : list bool).
  Definition adding_exactly (v : vector expr) : list Formulas.relation := (Le, e, powers_sum (rate_of f) v) :: adding_up (rate_of f) (shift f) e v.
  Fixpoint bit_of (ps : list place) (bs : list bool) (x : place) : bool :=
    match ps, bs with a :: ps, b :: bs => if same_place a x then b else bit_of ps bs x | _, _ => false end.
  Notation chosen := (bit_of places bit_at).
  (* A report that reaches the limit: its bits are those which the reading compares, at all places where there may be items. *)
  Definition check_bits (d : domain) : bool :=
    let alone := existsb (fun c => zero_e (ranges d) (Sub c (Neg (Var 2)))) (constraints d) in
    forallb (fun x => negb (occurs f x) || (alone && negb (fst x))
      || (admissible (relation q) x (chosen x) && plainly d (reached_at (relation q) r f x (chosen x)))) places.

  Theorem exactly_sound w v n : has_values w v n -> Forall (true_at w) (adding_exactly v) ->
    value w e = INR (total_rate (rate_of f) n) /\ adds_up (rate_of f) w (shift f) n.
  Proof.
    intros are F. pose proof (Forall_inv F) as (_ & _ & E). apply Forall_inv_tail in F. cbn [related] in E.
    destruct (adding_up_sound _ _ _ _ _ _ are F) as [A B]. rewrite (value_powers _ _ _ _ are) in E. split; [lra|exact B].
  Qed.
End Check.

Section Reached.
  Variables (d : domain) (r : rows) (q : reading) (f : powers) (e : expr) (bit_at : list bool) (w : positive -> R).
  Notation K := (Z.to_nat (Int_part (w 1%positive))).
  Notation M := (Z.to_nat (Int_part (w 2%positive))).
  Notation xs := (seq 0 (K + M)).
  Notation t := (Push Blanked (EachItems r)).
  Notation law := (law over_R w (fun _ => []) K M t).
  Notation c := (relation q).
  Hypotheses (here : inside d w) (K_is : w 1%positive = INR K) (M_is : w 2%positive = INR M) (Bs : Forall (true_at w) (basic f)) (bits : of_bits r = true).
  Hypothesis limits : forall n, value w e = INR n -> value w (limit q) = w (base f) ^ n.
  Hypothesis bits_checked : check_bits r q f bit_at d = true.
  Hypothesis all_count : nonempty q = false.
  (* The numbers of two sets that add up to the exponent give two sets and a report that reach the limit. *)
  Theorem limit_reached n : true_of q w K M n -> (0 < ls n + ln n + gs n + gn n)%nat -> value w e = INR (total_rate (rate_of f) n) -> adds_up (rate_of f) w (shift f) n ->
    exists s s' v, compared_pair w K M q s s' /\ subject w K M (Z.to_nat (Int_part (w 3%positive))) t q s s' v
      /\ chance c (law s) (key c v) = value w (limit q) * chance c (law s') (key c v).
  Proof.
    intros T P E Ad. destruct (witness_pair q w K M n T P) as (s & s' & pair & N).
    set (at_ := place_of K s s'). set (choose := fun x => bit_of places bit_at (at_ x)).
    fold at_ in N.
    assert (Up : adds_up (rate_of f) w (shift f) (number_vector at_ xs)) by (rewrite N; exact Ad).
    assert (R : forall x, In x xs -> admissible c (at_ x) (choose x) = true /\ Forall (true_at w) (reached_at c r f (at_ x) (choose x))).
    { intros x J. unfold check_bits in bits_checked. rewrite forallb_forall in bits_checked. specialize (bits_checked _ (in_places (at_ x))).
      rewrite (places_occur w K M f s s' Up x J : occurs f (at_ x) = true) in bits_checked. cbn [negb orb] in bits_checked.
      apply orb_prop in bits_checked as [Q|Q].
      - apply andb_prop in Q as [Q Q']. exfalso. apply existsb_exists in Q as (k & L & Q). apply (zero_e_sound _ _ (proj1 here)) in Q as [Q _].
        pose proof (proj2 here) as F. rewrite Forall_forall in F. destruct (F k L) as [_ F'].
        change (value w (Sub k (Neg (Var 2)))) with (value w k - (integer over_R 0 - w 2%positive)) in Q. rewrite number_datum, M_is in Q.
        assert (Z : M = 0%nat) by (apply INR_eq; pose proof (pos_INR M); cbn [INR] in *; lra). apply in_seq in J.
        unfold at_, place_of in Q'. cbn [fst] in Q'. apply negb_true_iff, Nat.ltb_ge in Q'. lia.
      - apply andb_prop in Q as [Q Q']. split; [exact Q|]. now apply (plainly_sound d w here). }
    set (bs := map choose xs). assert (L : length bs = length xs) by apply map_length.
    destruct (factors_equal w K M r c f Bs s s' (bit_of places bit_at) (fun x J => proj2 (R x J))) as [F Z]. fold at_ in F, Z. fold choose in F, Z. fold bs in F, Z.
    assert (PR : forall l, chance c (law l) (key c (report_of K xs bs)) = factors (matters c K) (weights_of w K r l) xs bs)
      by (intros l; now apply chance_is_product).
    rewrite <- PR in Z. destruct (possible_report c (law s) _ Z) as (v & z & O & J & same_key). exists s, s', v. split; [exact pair|]. split.
    - split; [now exists z|]. split; [congruence|]. unfold counts_in. destruct c eqn:Ec; try reflexivity. destruct (reports_of_bits w K M r bits s z v J) as (bs' & L' & ->).
      assert (Al : alike (matters Joint K) xs bs bs' = true).
      { rewrite <- (key_alike Joint K xs bs' bs (seq_NoDup _ _) L' L). now apply equal_iff. }
      apply forallb_forall. intros x Q. apply beside_report in Q as [Q Q']. pose proof (in_combine_l _ _ _ _ Q) as Ix.
      assert (Jx : In (x, choose x) (combine xs bs)).
      { unfold bs. clear - Ix. induction xs as [|y l IH]; [destruct Ix|]. cbn [map combine]. destruct Ix as [->|Ix]; [now left|right; now apply IH]. }
      pose proof (proj1 (alike_iff (matters Joint K) xs (seq_NoDup _ _) bs' bs L' L) Al x true (choose x) Q Jx eq_refl) as Tr.
      destruct (R x Ix) as [Adm _]. rewrite <- Tr in Adm. unfold admissible, at_, place_of in Adm. cbn [fst snd negb orb] in Adm.
      destruct (Nat.ltb_spec x K) as [Lt|_]; [lia|]. exact Adm.
    - pose proof (multiple_is_power w K M f Bs s s' Up) as MP. fold at_ in MP.
      rewrite same_key, !PR, F, MP, N. now rewrite (limits _ E).
  Qed.
End Reached.

(* A ratio, or the smallest constant, of reports of bits: a point of the domain, the reading and the powers; the powers,
   the bits and the numbers of those that reach the constant. *)
Record ratio_proof := RatioProof { at_point : list Q; bound_proof : derived; reach_rates : rates; reach_bits : list bool; reach_cases : cases }.
Definition reaching (x : ratio_proof) : powers := Rated (base (with_powers (bound_proof x))) (shift (with_powers (bound_proof x))) (reach_rates x).
Definition check_ratio (t : law_sentence) (x : ratio_proof) : bool :=
  let d := sizes_of t in
  let p := bound_proof x in
  inside_Q d (at_point x)
  && (if sentence_dec (what t) (ratio_text (rows_of t) (about p)) then true else false)
  && match term_of t, exponent_of (with_powers p) (limit (about p)) with
     | Push Blanked (EachItems r), Some e =>
         readable d (rows_of t) p && bounded_by d r p e
         && (negb (smallest (about p)) || (negb (nonempty (about p)) && check_bits r (about p) (reaching x) (reach_bits x) d && check_cases (about p) (adding_exactly (reaching x) e) d (reach_cases x)))
     | _, _ => false
     end.
(* What is checked of the law holds. *)
Theorem check_ratio_sound t x : check_ratio t x = true -> law_sentence_holds t.
Proof.
  unfold check_ratio. intros H. apply andb_prop in H as [H C]. apply andb_prop in H as [I W].
  destruct (sentence_dec _ _) as [text|]; [|discriminate].
  destruct (term_of t) as [| | | | | | | |fn u] eqn:term; try discriminate. destruct fn; try discriminate. destruct u as [| |r| | | | | |]; try discriminate.
  set (p := bound_proof x) in *. destruct (exponent_of (with_powers p) (limit (about p))) as [e|] eqn:limits; [|discriminate].
  apply andb_prop in C as [C S]. apply andb_prop in C as [ready bounds].
  apply (reading_holds t p); [exists (fun y => Q2R (point (at_point x) y)); now apply inside_Q_sound|exact text|exact ready|]. intros w here. cbv zeta. rewrite term.
  destruct (ready_sound (sizes_of t) (rows_of t) p w here ready) as (_ & K_is & M_is & Bs & _).
  destruct (bounds_sound (sizes_of t) r p w here e bounds) as (_ & whole_value & Ex & D & V & bits & _).
  destruct (base_shift w (with_powers p) Bs) as [one _].
  destruct (exponent_sound (with_powers p) _ e w limits D one whole_value V Ex) as (n & value_n & Ln & Dlim & Elim).
  split; [exact Dlim|]. split; [exact Elim|]. split; [|split].
  - intros s z v J. exact (shape_of_bits w _ _ r bits s z v J).
  - intros s s' v pair J. exact (limit_holds (sizes_of t) (rows_of t) r p w here ready e s s' v limits bounds pair J).
  - intros small. rewrite small in S. cbn [negb orb] in S. apply andb_prop in S as [B Cs]. apply andb_prop in B as [One B]. apply negb_true_iff in One.
    destruct (cases_sound (about p) (adding_exactly (reaching x) e) w _ _ K_is M_is (reach_cases x) _ here Cs) as (v & k & are & T & P & F).
    destruct (exactly_sound (reaching x) e w v k are F) as [E A].
    apply (limit_reached (sizes_of t) r (about p) (reaching x) e (reach_bits x) w here K_is M_is Bs bits) with (n := k); try assumption.
    intros m value_m. rewrite Ln. apply (f_equal (pow _)), INR_eq. now rewrite <- value_n.
Qed.
