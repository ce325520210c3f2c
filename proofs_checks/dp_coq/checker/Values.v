(* Expressions as fractions in variables from 0 on: as in the kernel, x = low + y, or x = 1 / (1 + y), is put in. *)
From Coq Require Import Reals QArith Qreals List Lia Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains checker.Polynomials checker.Fractions checker.Agreement.
Import ListNotations.
Open Scope R_scope.

Definition strict_at (rs : list range) (x : positive) : bool :=
  match range_at rs x with From _ s _ => s | Unit closed => negb closed end.
Definition coordinate (rs : list range) (x : positive) : fraction :=
  match range_at rs x with
  | From low _ _ => Fraction [padd (pvar x) (pZ low)] []
  | Unit _ => Fraction [] [padd (pZ 1) (pvar x)]
  end.

Section Symbolic.
  Variable strict : positive -> bool.
  Definition nonnegative_f (f : fraction) : bool := nonnegative (product (above f)).
  Definition positive_f (f : fraction) : bool := positive_p strict (product (above f)).
  Definition zero_f (f : fraction) : bool :=
    let p := product (above f) in nonnegative p && nonnegative (popp p).
  Definition both (a b : option fraction) (f : fraction -> fraction -> option fraction) : option fraction :=
    match a, b with Some a, Some b => f a b | _, _ => None end.
  (* Powers of more factors than so many are refused, not computed. *)
  Definition most_factors : Z := 2000.
  Definition integer_power (f : fraction) (z : Z) : option fraction :=
    if (Z.of_nat (S (length (above f) + length (below f))) * Z.abs z <=? most_factors)%Z then
      if (0 <=? z)%Z then Some (natural_power_of f (Z.to_nat z)) else inverse strict (natural_power_of f (Z.to_nat (- z)))
    else None.
  (* The fraction that an expression is, if it is seen to be defined everywhere. *)
  Fixpoint symbolic (at_ : positive -> fraction) (e : expr) : option fraction :=
    match e with
    | Cst z => Some (constant z)
    | Var x => Some (at_ x)
    | Add a b => both (symbolic at_ a) (symbolic at_ b) (fun f g => Some (plus f g))
    | Sub a b => both (symbolic at_ a) (symbolic at_ b) (fun f g => Some (plus f (opposite g)))
    | Mul a b => both (symbolic at_ a) (symbolic at_ b) (fun f g => Some (multiplied f g))
    | Div a b => both (symbolic at_ a) (symbolic at_ b) (fun f g => option_map (multiplied f) (inverse strict g))
    | Neg a => option_map opposite (symbolic at_ a)
    | Pow a b => both (symbolic at_ a) (symbolic at_ b) (fun f g =>
        match literal g with Some z => integer_power f z | None => None end)
    | Min a b => both (symbolic at_ a) (symbolic at_ b) (fun f g =>
        if nonnegative_f (plus g (opposite f)) then Some f
        else if nonnegative_f (plus f (opposite g)) then Some g else None)
    | Sum x low high t => both (symbolic at_ low) (symbolic at_ high) (fun f g =>
        match literal f, literal g with
        | Some first, Some last =>
            fold_right (fun z rest => both (symbolic (put at_ x (constant z)) t) rest (fun f g => Some (plus f g)))
              (Some (constant 0)) (along first last)
        | _, _ => None
        end)
    | Floor _ | Binom _ _ => None
    end.
End Symbolic.

Lemma positive_power_is x n : positive_power over_R x n = x ^ Pos.to_nat n.
Proof.
  induction n as [n IH|n IH|]; cbn [positive_power mul over_R].
  - rewrite IH, Pos2Nat.inj_xI. cbn [pow]. rewrite <- pow_add. do 2 f_equal; lia.
  - rewrite IH, Pos2Nat.inj_xO, <- pow_add. f_equal; lia.
  - rewrite Pos2Nat.inj_1; simpl; lra.
Qed.
Lemma whole_IZR z : whole (IZR z) /\ Int_part (IZR z) = z.
Proof. assert (Int_part (IZR z) = z) by (apply floor_unique; lra). unfold whole; rewrite H; auto. Qed.
Lemma least_left x y : x <= y -> least over_R x y = x.
Proof. intros H; unfold least; cbn. destruct (Rle_dec x y); [reflexivity|contradiction]. Qed.
Lemma least_right x y : y <= x -> least over_R x y = y.
Proof. intros H; unfold least; cbn. destruct (Rle_dec x y); [lra|reflexivity]. Qed.

Section Sound.
  Variables (l : positive -> R) (strict : positive -> bool).
  Hypothesis from_zero : forall x, 0 <= l x.
  Hypothesis above_zero : forall x, strict x = true -> 0 < l x.
  Notation stands := (stands l).
  Lemma nonnegative_f_sound f x : stands f x -> nonnegative_f f = true -> 0 <= x.
  Proof.
    intros [P ->] H. rewrite <- phi_product. pose proof (total_positive _ _ P).
    apply Rmult_le_pos; [now apply nonnegative_sound|left; now apply Rinv_0_lt_compat].
  Qed.
  Lemma positive_f_sound f x : stands f x -> positive_f strict f = true -> 0 < x.
  Proof.
    intros [P ->] H. rewrite <- phi_product. pose proof (total_positive _ _ P).
    apply Rdiv_lt_0_compat; [now apply (positive_sound _ l strict)|assumption].
  Qed.
  Lemma zero_f_sound f x : stands f x -> zero_f f = true -> x = 0.
  Proof.
    intros [P ->] H. apply andb_prop in H as [G L]. rewrite <- phi_product. pose proof (total_positive _ _ P).
    apply nonnegative_sound with (l := l) in G; [|exact from_zero].
    apply nonnegative_sound with (l := l) in L; [|exact from_zero]. rewrite phi_opp in L.
    replace (phi l (product (above f))) with 0 by lra. unfold Rdiv; lra.
  Qed.
  Lemma both_some a b k h : both a b k = Some h -> exists f g, a = Some f /\ b = Some g /\ k f g = Some h.
  Proof. destruct a as [f|], b as [g|]; try discriminate. intros H; now exists f, g. Qed.

  (* The fraction that an expression is has its value, and the expression is defined. *)
  Theorem symbolic_sound e : forall at_ w, (forall x, stands (at_ x) (w x)) ->
    forall f, symbolic strict at_ e = Some f -> stands f (value w e) /\ defined w e.
  Proof.
    unfold value; induction e as [z|x|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa|a IHa b IHb
      |a IHa b IHb|x a IHa b IHb t IHt]; intros at_ w H h S; cbn [symbolic] in S; try discriminate;
      try (apply both_some in S as (f & g & Sa & Sb & S);
           destruct (IHa _ _ H _ Sa) as [Va Da], (IHb _ _ H _ Sb) as [Vb Db]);
      cbn [eval defined add sub mul div integer of_Q over_R].
    - injection S as <-. rewrite Q2R_integer. split; [apply stands_constant|exact I].
    - injection S as <-. split; [apply H|exact I].
    - injection S as <-. split; [now apply stands_plus|auto].
    - injection S as <-. split; [|auto]. unfold Rminus; apply stands_plus; [assumption|now apply stands_opposite].
    - injection S as <-. split; [now apply stands_multiplied|auto].
    - destruct (inverse strict g) as [k|] eqn:E; [|discriminate]. injection S as <-.
      destruct (stands_inverse l strict from_zero above_zero _ _ _ E Vb) as [N V].
      split; [now apply stands_multiplied|auto].
    - destruct (symbolic strict at_ a) as [f|] eqn:E; [|discriminate]. injection S as <-.
      destruct (IHa _ _ H _ E) as [V D]. split; [|exact D].
      rewrite Q2R_integer, Rminus_0_l. now apply stands_opposite.
    - destruct (literal g) as [z|] eqn:L; [|discriminate]. apply (stands_literal l _ _ _ L) in Vb.
      unfold value in *; rewrite Vb. destruct (whole_IZR z) as [W F]. cbn [floor over_R]. rewrite F.
      unfold integer_power in S. destruct (_ <=? most_factors)%Z; [|discriminate]. destruct (Z.leb_spec 0 z) as [G|G].
      + injection S as <-. assert (0 <= IZR z) by now apply IZR_le. split; [|auto].
        destruct z as [|p|p]; [|clear G|lia].
        * cbn [power integer of_Q over_R]. rewrite Q2R_integer. apply stands_constant.
        * cbn [power]. rewrite positive_power_is. now apply stands_power.
      + destruct z as [|p|p]; try lia. cbn [Z.opp Z.to_nat] in S.
        pose proof (stands_power l _ _ (Pos.to_nat p) Va) as P.
        destruct (stands_inverse l strict from_zero above_zero _ _ _ S P) as [N V]. split.
        * cbn [power div integer of_Q over_R]. rewrite positive_power_is, Q2R_integer.
          unfold Rdiv; rewrite Rmult_1_l. exact V.
        * repeat split; auto. right. intros Z; apply N. unfold value in Z; rewrite Z. apply pow_i, Pos2Nat.is_pos.
    - destruct (nonnegative_f (plus g (opposite f))) eqn:E.
      + injection S as <-. split; [|auto]. rewrite least_left; [assumption|].
        assert (0 <= eval over_R w b + - eval over_R w a); [|lra].
        refine (nonnegative_f_sound _ _ _ E). apply stands_plus; [assumption|now apply stands_opposite].
      + destruct (nonnegative_f (plus f (opposite g))) eqn:G; [|discriminate]. injection S as <-.
        split; [|auto]. rewrite least_right; [assumption|].
        assert (0 <= eval over_R w a + - eval over_R w b); [|lra].
        refine (nonnegative_f_sound _ _ _ G). apply stands_plus; [assumption|now apply stands_opposite].
    - destruct (literal f) as [first|] eqn:F; [|discriminate]. destruct (literal g) as [last|] eqn:G; [|discriminate].
      apply (stands_literal l _ _ _ F) in Va; apply (stands_literal l _ _ _ G) in Vb.
      unfold value in *; rewrite Va, Vb. destruct (whole_IZR first) as [W E], (whole_IZR last) as [W' E'].
      cbn [floor over_R]; rewrite E, E'.
      assert (K : stands h (fold_right (fun z s => eval over_R (put w x (Q2R (inject_Z z))) t + s) (Q2R (inject_Z 0)) (along first last))
        /\ forall z, In z (along first last) -> defined (put w x (IZR z)) t).
      { clear -S IHt H. revert h S. induction (along first last) as [|z zs IH]; cbn [fold_right]; intros h S.
        - injection S as <-. rewrite Q2R_integer. split; [apply stands_constant|contradiction].
        - apply both_some in S as (f & g & Sf & Sg & S). injection S as <-. destruct (IH _ Sg) as [V D].
          assert (forall y, stands (put at_ x (constant z) y) (put w x (IZR z) y)) as P.
          { intros y; unfold put. destruct (y =? x)%positive; [apply stands_constant|apply H]. }
          destruct (IHt _ _ P _ Sf) as [V' D']. rewrite Q2R_integer. split; [now apply stands_plus|].
          intros y [<-|I]; auto. }
      destruct K as [V D]. split; [exact V|]. repeat split; auto.
  Qed.
End Sound.

(* The coordinates of a point of a domain. *)
Definition lowered (rs : list range) (w : positive -> R) (x : positive) : R :=
  match range_at rs x with From low _ _ => w x - IZR low | Unit _ => / w x - 1 end.
Section Region.
  Variables (rs : list range) (w : positive -> R).
  Hypothesis within : forall x, in_range (range_at rs x) (w x).
  Lemma lowered_ge x : 0 <= lowered rs w x.
  Proof.
    pose proof (within x) as I; revert I; unfold lowered. destruct (range_at rs x) as [low [] h|[]]; simpl; intros [H G]; try lra.
    - assert (1 <= / w x) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra.
    - assert (1 < / w x) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra). lra.
  Qed.
  Lemma lowered_gt x : strict_at rs x = true -> 0 < lowered rs w x.
  Proof.
    pose proof (within x) as I; revert I; unfold lowered, strict_at.
    destruct (range_at rs x) as [low [] h|[]]; simpl; intros [H G] S; try discriminate; try lra.
    assert (1 < / w x) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra). lra.
  Qed.
  Lemma coordinate_stands x : stands (lowered rs w) (coordinate rs x) (w x).
  Proof.
    pose proof (lowered_ge x) as G; pose proof (within x) as I; revert G I; unfold coordinate.
    destruct (range_at rs x) as [low s h|c] eqn:E; intros G I; (split; [repeat constructor|]); cbn [above below total fold_right];
      rewrite ?phi_add, ?phi_var; unfold lowered in *; rewrite E in *.
    - change (phi _ (pZ low)) with (IZR low). field.
    - change (phi _ (pZ 1)) with 1. lra.
    - change (phi _ (pZ 1)) with 1. destruct I as [I _]. field; lra.
  Qed.
  Definition valued (e : expr) : option fraction := symbolic (strict_at rs) (coordinate rs) e.
  Definition nonnegative_e (e : expr) : bool := match valued e with Some f => nonnegative_f f | None => false end.
  Definition positive_e (e : expr) : bool := match valued e with Some f => positive_f (strict_at rs) f | None => false end.
  Definition zero_e (e : expr) : bool := match valued e with Some f => zero_f f | None => false end.
  Lemma valued_sound e f : valued e = Some f -> stands (lowered rs w) f (value w e) /\ defined w e.
  Proof. apply (symbolic_sound _ _ lowered_ge lowered_gt). exact coordinate_stands. Qed.
  (* What is seen to be >= 0 is, everywhere in the ranges. *)
  Theorem nonnegative_e_sound e : nonnegative_e e = true -> 0 <= value w e /\ defined w e.
  Proof.
    unfold nonnegative_e; destruct (valued e) as [f|] eqn:E; [|discriminate]. intros H.
    destruct (valued_sound _ _ E) as [V D]. split; [|exact D]. exact (nonnegative_f_sound _ lowered_ge _ _ V H).
  Qed.
  (* What is seen to be > 0 is, everywhere in the ranges. *)
  Theorem positive_e_sound e : positive_e e = true -> 0 < value w e /\ defined w e.
  Proof.
    unfold positive_e; destruct (valued e) as [f|] eqn:E; [|discriminate]. intros H.
    destruct (valued_sound _ _ E) as [V D]. split; [|exact D]. exact (positive_f_sound _ _ lowered_ge lowered_gt _ _ V H).
  Qed.
  (* What is seen to be 0 is, everywhere in the ranges. *)
  Theorem zero_e_sound e : zero_e e = true -> value w e = 0 /\ defined w e.
  Proof.
    unfold zero_e; destruct (valued e) as [f|] eqn:E; [|discriminate]. intros H.
    destruct (valued_sound _ _ E) as [V D]. split; [|exact D]. exact (zero_f_sound _ lowered_ge _ _ V H).
  Qed.
End Region.
