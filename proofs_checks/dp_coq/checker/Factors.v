(* The factors of the bits of items, by places: what is checked of them, and what it says of the chances of a report. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws.
From DP Require Import checker.Agreement checker.Values checker.Steps checker.Sums checker.Quantifiers checker.Readings checker.Comparisons checker.Users
  checker.Bits checker.Places checker.Vectors theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

(* A factor at most base^rate for an item that is lost or gained; times a shift where it is lost, divided by it where it is gained. *)
Record powers := Rated { base : positive; shift : expr; rate_of : rates }.
Definition rate_at (l : rates) (p : place) : option nat :=
  match p with
  | (true, (true, false)) => ls l | (false, (true, false)) => ln l | (true, (false, true)) => gs l | (false, (false, true)) => gn l
  | _ => Some 0%nat
  end.
Definition kind_at (sens held : bool) : kind := if sens then (if held then Sen1 else Sen0) else (if held then Non1 else Non0).
(* A bit that the reading compares: an item that is shown and not sensitive is in both sets. *)
Definition admissible (c : compared) (p : place) (b : bool) : bool :=
  match c with Joint => fst p || negb b || (fst (snd p) && snd (snd p)) | _ => true end.

Section Relations.
  Variables (c : compared) (r : rows) (f : powers).
  Definition chance_at (sens held b : bool) : expr :=
    let l := cells_of r (kind_at sens held) in
    match c with
    | Marginal => if sens then weight b l else Add (weight true l) (weight false l)
    | _ => weight b l
    end.
  Definition raised (n : nat) : expr := Pow (Var (base f)) (Cst (Z.of_nat n)).
  Definition sides (p : place) (b : bool) : list (expr * expr) :=
    let '(sens, (one, other)) := p in
    let x := chance_at sens one b in
    let y := chance_at sens other b in
    match one, other with
    | true, false => [(x, Mul (Mul (shift f) (raised (rate (rate_at (rate_of f) p)))) y)]
    | false, true => [(Mul (shift f) x, Mul (raised (rate (rate_at (rate_of f) p))) y)]
    | _, _ => []
    end.
  Definition bounded_at (p : place) (b : bool) : list Formulas.relation :=
    if admissible c p b then
      (Le, Cst 0, chance_at (fst p) (fst (snd p)) b) :: (Le, Cst 0, chance_at (fst p) (snd (snd p)) b) :: map (fun q => (Le, fst q, snd q)) (sides p b)
    else [].
  Definition reached_at (p : place) (b : bool) : list Formulas.relation :=
    (Lt, Cst 0, chance_at (fst p) (snd (snd p)) b) :: map (fun q => (Eq, fst q, snd q)) (sides p b).
  Definition occurs (p : place) : bool := match rate_at (rate_of f) p with Some _ => true | None => false end.
  Definition bounding : list Formulas.relation := flat_map (fun p => if occurs p then bounded_at p true ++ bounded_at p false else []) places.
  Definition basic : list Formulas.relation := [(Le, Cst 1, Var (base f)); (Lt, Cst 0, shift f)].
End Relations.

Section Sound.
  Variables (w : positive -> R) (K M : nat) (r : rows) (c : compared) (f : powers).
  Hypothesis K_is : w 1%positive = INR K.
  Hypothesis sound : Forall (true_at w) (basic f).
  Notation beta := (w (base f)).
  Notation u := (value w (shift f)).
  Lemma base_shift : 1 <= beta /\ 0 < u.
  Proof.
    pose proof (Forall_inv sound) as (_ & _ & A). pose proof (Forall_inv (Forall_inv_tail sound)) as (_ & _ & B).
    cbn [related] in A, B. unfold value in A, B at 1. cbn [eval integer of_Q over_R] in A, B. rewrite Q2R_integer in A, B. now split.
  Qed.
  Definition multiple_at (p : place) : R :=
    let '(sens, (one, other)) := p in
    match one, other with
    | true, false => u * beta ^ rate (rate_at (rate_of f) p)
    | false, true => / u * beta ^ rate (rate_at (rate_of f) p)
    | _, _ => 1
    end.
  Lemma multiple_positive p : 0 < multiple_at p.
  Proof.
    destruct base_shift as [B U]. assert (P : forall n, 0 < beta ^ n) by (intros n; apply pow_lt; lra).
    pose proof (Rinv_0_lt_compat _ U). destruct p as [a [[] []]]; cbn [multiple_at]; try lra; apply Rmult_lt_0_compat; auto.
  Qed.
  Lemma value_raised n : value w (raised f n) = beta ^ n.
  Proof.
    unfold value, raised. cbn [eval integer of_Q floor over_R]. rewrite Q2R_integer. destruct (whole_IZR (Z.of_nat n)) as [_ ->].
    destruct n as [|n]; [cbn [Z.of_nat power integer of_Q over_R pow]; apply Q2R_integer|]. cbn [Z.of_nat power]. rewrite positive_power_is.
    now rewrite SuccNat2Pos.id_succ.
  Qed.
  Lemma value_sides p b q : In q (sides c r f p b) -> related Le (value w (fst q)) (value w (snd q)) ->
    value w (chance_at c r (fst p) (fst (snd p)) b) <= multiple_at p * value w (chance_at c r (fst p) (snd (snd p)) b).
  Proof.
    destruct base_shift as [_ U]. assert (V : forall a b, value w (Mul a b) = value w a * value w b) by reflexivity.
    destruct p as [a [[] []]]; cbn [sides fst snd multiple_at]; try (intros []; fail); intros [<-|[]]; cbn [fst snd related]; rewrite !V, value_raised; intros H.
    - exact H.
    - apply Rmult_le_reg_l with (1 := U). rewrite <- !Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact H.
  Qed.
  Lemma value_sides_equal p b q : In q (sides c r f p b) -> value w (fst q) = value w (snd q) ->
    value w (chance_at c r (fst p) (fst (snd p)) b) = multiple_at p * value w (chance_at c r (fst p) (snd (snd p)) b).
  Proof.
    destruct base_shift as [_ U]. assert (V : forall a b, value w (Mul a b) = value w a * value w b) by reflexivity.
    destruct p as [a [[] []]]; cbn [sides fst snd multiple_at]; try (intros []; fail); intros [<-|[]]; cbn [fst snd]; rewrite !V, value_raised; intros H.
    - exact H.
    - apply Rmult_eq_reg_l with (2 := Rgt_not_eq _ _ U). rewrite <- !Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact H.
  Qed.
  Lemma same_sides p b : sides c r f p b = [] -> multiple_at p = 1 /\ fst (snd p) = snd (snd p).
  Proof. destruct p as [a [[] []]]; cbn; try discriminate; now split. Qed.
  Lemma sides_cases p b : sides c r f p b = [] \/ exists q, In q (sides c r f p b).
  Proof. destruct (sides c r f p b) as [|q l]; [now left|right; exists q; now left]. Qed.

  Variables (s s' : list nat).
  Notation at_ := (place_of K s s').
  Notation xs := (seq 0 (K + M)).
  Lemma factor_is held x b : factor (matters c K) (fun y => weights w r (bit_kind K y (held y))) x b = value w (chance_at c r (x <? K)%nat (held x) b).
  Proof.
    assert (V : forall a b, value w (Add a b) = value w a + value w b) by reflexivity.
    unfold factor, matters, chance_at, weights. change (bit_kind K x (held x)) with (kind_at (x <? K)%nat (held x)).
    destruct c; try (now destruct b). destruct (x <? K)%nat; [now destruct b|]. rewrite V. reflexivity.
  Qed.
  Lemma factor_one x b : factor (matters c K) (weights_of w K r s) x b = value w (chance_at c r (fst (at_ x)) (fst (snd (at_ x))) b).
  Proof. exact (factor_is (fun y => is_held y s) x b). Qed.
  Lemma factor_other x b : factor (matters c K) (weights_of w K r s') x b = value w (chance_at c r (fst (at_ x)) (snd (snd (at_ x))) b).
  Proof. exact (factor_is (fun y => is_held y s') x b). Qed.
  Notation m := (fun x => multiple_at (at_ x)).
  (* The factors of a report that is compared are at most those of the other set, times the powers. *)
  Theorem factors_at_most bs : Forall (true_at w) (bounding c r f) -> length bs = length xs ->
    (forall x b, In (x, b) (combine xs bs) -> occurs f (at_ x) = true /\ admissible c (at_ x) b = true) ->
    0 <= factors (matters c K) (weights_of w K r s') xs bs
    /\ factors (matters c K) (weights_of w K r s) xs bs <= multiple m xs * factors (matters c K) (weights_of w K r s') xs bs.
  Proof.
    intros B L A. destruct (factors_bounded (matters c K) (weights_of w K r s) (weights_of w K r s') m xs bs L) as (_ & P & Q); [|now split]. intros x b I.
    destruct (A x b I) as [O G]. rewrite factor_one, factor_other. set (p := at_ x) in *.
    assert (F : Forall (true_at w) (bounded_at c r f p b)).
    { apply Forall_forall. intros e J. rewrite Forall_forall in B. apply B. apply in_flat_map. exists p. split; [apply in_places|].
      rewrite O. apply in_or_app. destruct b; [now left|now right]. }
    unfold bounded_at in F. rewrite G in F. pose proof (Forall_inv F) as (_ & _ & N). pose proof (Forall_inv (Forall_inv_tail F)) as (_ & _ & N').
    apply Forall_inv_tail, Forall_inv_tail in F. rewrite Forall_map in F. cbn [related] in N, N'. rewrite value_Cst in N, N'.
    pose proof (multiple_positive p). repeat split; [exact N|lra|exact N'|].
    destruct (sides_cases p b) as [Z|[q J]].
    - destruct (same_sides p b Z) as [-> ->]. lra.
    - rewrite Forall_forall in F. destruct (F q J) as (_ & _ & X). exact (value_sides p b q J X).
  Qed.
  (* They are equal where they are at every place. *)
  Theorem factors_equal (bit_at : place -> bool) :
    (forall x, In x xs -> Forall (true_at w) (reached_at c r f (at_ x) (bit_at (at_ x)))) ->
    let bs := map (fun x => bit_at (at_ x)) xs in
    factors (matters c K) (weights_of w K r s) xs bs = multiple m xs * factors (matters c K) (weights_of w K r s') xs bs
    /\ factors (matters c K) (weights_of w K r s) xs bs <> 0.
  Proof.
    intros F bs. apply (factors_reached (matters c K) (weights_of w K r s) (weights_of w K r s') m); [apply map_length|]. intros x b I.
    assert (J : In x xs /\ b = bit_at (at_ x)).
    { unfold bs in I. split; [now apply in_combine_l in I|]. clear F. induction xs as [|y l IH]; [destruct I|].
      destruct I as [I|I]; [now injection I as -> <-|exact (IH I)]. }
    destruct J as [J ->]. specialize (F x J). rewrite factor_one, factor_other. set (p := at_ x) in *. set (b := bit_at p) in *.
    pose proof (Forall_inv F) as (_ & _ & N). apply Forall_inv_tail in F. rewrite Forall_map in F. cbn [related] in N. rewrite value_Cst in N.
    pose proof (multiple_positive p). repeat split; [lra|lra|].
    destruct (sides_cases p b) as [Z|[q G]].
    - destruct (same_sides p b Z) as [-> ->]. lra.
    - rewrite Forall_forall in F. destruct (F q G) as (_ & _ & X). exact (value_sides_equal p b q G X).
  Qed.
  (* Where the powers add up, there are no items but at places that have one. *)
  Theorem places_occur : adds_up (rate_of f) w (shift f) (number_vector at_ xs) -> forall x, In x xs -> occurs f (at_ x) = true.
  Proof.
    intros (A & B & C & D & _) x I. unfold number_vector in *. cbn [ls ln gs gn] in *.
    assert (N : number at_ xs (at_ x) <> 0%nat).
    { unfold number. intros Z. apply length_zero_iff_nil in Z. assert (J : In x (filter (fun y => same_place (at_ y) (at_ x)) xs)).
      { apply filter_In. split; [exact I|]. now apply same_place_iff. }
      rewrite Z in J. exact J. }
    unfold occurs. destruct (at_ x) as [[] [[] []]]; cbn [rate_at]; try reflexivity;
      match goal with |- match ?o with Some _ => _ | None => _ end = true => destruct o eqn:E; [reflexivity|] end.
    - destruct (N (A eq_refl)).
    - destruct (N (C eq_refl)).
    - destruct (N (B eq_refl)).
    - destruct (N (D eq_refl)).
  Qed.
  (* The powers add up. *)
  Theorem multiple_is_power : adds_up (rate_of f) w (shift f) (number_vector at_ xs) ->
    multiple m xs = beta ^ total_rate (rate_of f) (number_vector at_ xs).
  Proof.
    intros (A & B & C & D & S). destruct base_shift as [_ U]. rewrite multiple_of_places. unfold powers_of, places, total_rate, number_vector in *.
    cbn [fold_right multiple_at rate_at ls ln gs gn] in *. fold lost_sen lost_non gained_sen gained_non. rewrite !pow1.
    rewrite !Rpow_mult_distr, <- !pow_mult, !pow_add.
    set (a := number at_ xs lost_sen) in *. set (b := number at_ xs lost_non) in *. set (g := number at_ xs gained_sen) in *. set (d := number at_ xs gained_non) in *.
    assert (X : u ^ a * u ^ b * (/ u) ^ g * (/ u) ^ d = 1).
    { rewrite Rmult_assoc, <- !pow_add. destruct S as [S|S].
      - assert (one : u = 1). { destruct (shift f) as [[|[]|]| | | | | | | | | | |]; try discriminate. apply value_Cst. }
        rewrite one, Rinv_1, !pow1. lra.
      - rewrite S, <- Rpow_mult_distr, Rinv_r, pow1 by lra. reflexivity. }
    transitivity ((u ^ a * u ^ b * (/ u) ^ g * (/ u) ^ d) * (beta ^ (rate (ls (rate_of f)) * a) * beta ^ (rate (ln (rate_of f)) * b)
      * beta ^ (rate (gs (rate_of f)) * g) * beta ^ (rate (gn (rate_of f)) * d))); [ring|]. rewrite X. ring.
  Qed.
End Sound.
