(* Polynomials over the integers, those of Coq's own micromega in Horner form, and what coefficients say about signs. *)
From Coq Require Import Reals List Lra ZArith Bool Setoid EnvRing Ring_theory.
Open Scope R_scope.

Definition pol := @Pol Z.
Definition padd : pol -> pol -> pol := Padd 0%Z Z.add Z.eqb.
Definition psub : pol -> pol -> pol := Psub 0%Z Z.add Z.sub Z.opp Z.eqb.
Definition pmul : pol -> pol -> pol := Pmul 0%Z 1%Z Z.add Z.mul Z.eqb.
Definition popp : pol -> pol := Popp Z.opp.
Definition pvar (x : positive) : pol := mk_X 0%Z 1%Z x.
Definition pZ (z : Z) : pol := Pc z.
Definition phi (l : positive -> R) (p : pol) : R := Pphi Rplus Rmult IZR l p.

Lemma Zmorph : ring_morph 0 1 Rplus Rmult Rminus Ropp eq 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Z.eqb IZR.
Proof.
  constructor; auto using plus_IZR, mult_IZR, minus_IZR, opp_IZR. intros x y H; now apply Z.eqb_eq in H as ->.
Qed.
Definition Rsth : Equivalence (@eq R) := RelationClasses.eq_equivalence.
Definition Reqe : ring_eq_ext Rplus Rmult Ropp eq := Eq_ext Rplus Rmult Ropp.
Definition Rath := Rth_ARth Rsth Reqe RTheory.
Lemma phi_add l p q : phi l (padd p q) = phi l p + phi l q.
Proof. exact (Padd_ok Rsth Reqe Rath Zmorph q p l). Qed.
Lemma phi_sub l p q : phi l (psub p q) = phi l p - phi l q.
Proof. exact (Psub_ok Rsth Reqe Rath Zmorph q p l). Qed.
Lemma phi_mul l p q : phi l (pmul p q) = phi l p * phi l q.
Proof. exact (Pmul_ok Rsth Reqe Rath Zmorph p q l). Qed.
Lemma phi_opp l p : phi l (popp p) = - phi l p.
Proof. exact (Popp_ok Rsth Reqe Rath Zmorph p l). Qed.
Lemma phi_var l x : phi l (pvar x) = l x.
Proof. symmetry; exact (mkX_ok Rsth Reqe Rath Zmorph x l). Qed.
Definition same (p q : pol) : bool := Peq Z.eqb p q.
Lemma same_sound l p q : same p q = true -> phi l p = phi l q.
Proof. intros H; exact (Peq_ok Rsth Reqe Zmorph p q H l). Qed.

(* No coefficient is negative: then no value is, where no variable is. *)
Fixpoint nonnegative (p : pol) : bool :=
  match p with Pc c => (0 <=? c)%Z | Pinj _ q => nonnegative q | PX p _ q => nonnegative p && nonnegative q end.
(* Some monomial has a positive coefficient and positive variables only. *)
Fixpoint shows_positive (strict : positive -> bool) (p : pol) : bool :=
  match p with
  | Pc c => (0 <? c)%Z
  | Pinj j q => shows_positive (fun x => strict (x + j)%positive) q
  | PX p _ q => (strict 1%positive && shows_positive strict p) || shows_positive (fun x => strict (x + 1)%positive) q
  end.
Definition positive_p (strict : positive -> bool) (p : pol) : bool := nonnegative p && shows_positive strict p.

Lemma pow_pos_ge x i : 0 <= x -> 0 <= pow_pos Rmult x i.
Proof. intros H; induction i; simpl; repeat apply Rmult_le_pos; auto. Qed.
Lemma pow_pos_gt x i : 0 < x -> 0 < pow_pos Rmult x i.
Proof. intros H; induction i; simpl; repeat apply Rmult_lt_0_compat; auto. Qed.
Lemma nonnegative_sound p : forall l, (forall x, 0 <= l x) -> nonnegative p = true -> 0 <= phi l p.
Proof.
  unfold phi; induction p as [c|j q IH|p IHp i q IHq]; simpl; intros l H T.
  - apply IZR_le, Z.leb_le, T.
  - apply IH; auto; intros x; apply H.
  - apply andb_prop in T as [Tp Tq]. specialize (IHp l H Tp).
    assert (0 <= Pphi Rplus Rmult IZR (Env.tail l) q) by (apply IHq; auto; intros x; apply H).
    assert (0 <= pow_pos Rmult (Env.hd l) i) by apply pow_pos_ge, H.
    assert (0 <= Pphi Rplus Rmult IZR l p * pow_pos Rmult (Env.hd l) i) by now apply Rmult_le_pos.
    lra.
Qed.
Lemma shows_positive_sound p : forall l s, (forall x, 0 <= l x) -> (forall x, s x = true -> 0 < l x) ->
  nonnegative p = true -> shows_positive s p = true -> 0 < phi l p.
Proof.
  unfold phi; induction p as [c|j q IH|p IHp i q IHq]; simpl; intros l s H S T U.
  - apply IZR_lt, Z.ltb_lt, U.
  - apply IH with (s := fun x => s (x + j)%positive); auto; intros x; try apply H; apply S.
  - apply andb_prop in T as [Tp Tq].
    pose proof (nonnegative_sound p l H Tp) as Np. unfold phi in Np.
    assert (Nq : 0 <= Pphi Rplus Rmult IZR (Env.tail l) q)
      by (apply (nonnegative_sound q (Env.tail l)); auto; intros x; apply H).
    assert (Ni : 0 <= pow_pos Rmult (Env.hd l) i) by apply pow_pos_ge, H.
    pose proof (Rmult_le_pos _ _ Np Ni). apply orb_prop in U as [U|U].
    + apply andb_prop in U as [U1 U2]. specialize (IHp l s H S Tp U2).
      assert (0 < pow_pos Rmult (Env.hd l) i) by now apply pow_pos_gt, S.
      assert (0 < Pphi Rplus Rmult IZR l p * pow_pos Rmult (Env.hd l) i) by now apply Rmult_lt_0_compat. lra.
    + assert (0 < Pphi Rplus Rmult IZR (Env.tail l) q); [|lra].
      apply IHq with (s := fun x => s (x + 1)%positive); auto; intros x; try apply H; apply S.
Qed.

Lemma positive_sound p l s : (forall x, 0 <= l x) -> (forall x, s x = true -> 0 < l x) -> positive_p s p = true -> 0 < phi l p.
Proof. intros H S T; apply andb_prop in T as [T U]. exact (shows_positive_sound p l s H S T U). Qed.
