(* Fractions of polynomials as lists of factors. What stands above and below is struck out before anything is multiplied:
   sums and products of fractions whose denominators share factors stay small. *)
From Coq Require Import Reals List Lra ZArith Bool.
From DP Require Import checker.Polynomials.
Import ListNotations.
Open Scope R_scope.

Record fraction := Fraction { above : list pol; below : list pol }.
Definition is_one (p : pol) : bool := match p with EnvRing.Pc 1%Z => true | _ => false end.
Definition times (p q : pol) : pol := if is_one p then q else if is_one q then p else pmul p q.
Definition product (l : list pol) : pol := fold_right times (pZ 1) l.

(* A factor taken out of a list; and what two lists share, with what is left of both. *)
Fixpoint take (p : pol) (l : list pol) : option (list pol) :=
  match l with
  | [] => None
  | q :: l => if same p q then Some l else match take p l with Some rest => Some (q :: rest) | None => None end
  end.
Fixpoint split (a b : list pol) : list pol * list pol * list pol :=
  match a with
  | [] => ([], [], b)
  | p :: a => match take p b with
              | Some b => let '(c, a, b) := split a b in (p :: c, a, b)
              | None => let '(c, a, b) := split a b in (c, p :: a, b)
              end
  end.

Definition constant (z : Z) : fraction := if (z =? 1)%Z then Fraction [] [] else Fraction [pZ z] [].
Definition opposite (f : fraction) : fraction := Fraction (pZ (-1) :: above f) (below f).
Definition plus (f g : fraction) : fraction :=
  let '(common, d, e) := split (below f) (below g) in
  let '(shared, n, m) := split (above f) (above g) in
  Fraction (padd (times (product n) (product e)) (times (product m) (product d)) :: shared) (common ++ d ++ e).
Definition multiplied (f g : fraction) : fraction :=
  let '(_, n, e) := split (above f) (below g) in
  let '(_, m, d) := split (above g) (below f) in
  Fraction (n ++ m) (d ++ e).
Fixpoint natural_power_of (f : fraction) (n : nat) : fraction :=
  match n with O => constant 1 | S n => let g := natural_power_of f n in Fraction (above f ++ above g) (below f ++ below g) end.

Section Inverse.
  Variable strict : positive -> bool.   (* which variables are positive *)
  (* Factors of one sign each: whether an odd number of them is negative, and their absolute values. *)
  Fixpoint signs (l : list pol) : option (bool * list pol) :=
    match l with
    | [] => Some (false, [])
    | p :: l => match signs l with
                | Some (negative, l) =>
                    if positive_p strict p then Some (negative, p :: l)
                    else if positive_p strict (popp p) then Some (negb negative, popp p :: l) else None
                | None => None
                end
    end.
  Definition inverse (f : fraction) : option fraction :=
    match signs (above f) with
    | Some (negative, l) => Some (Fraction (if negative then pZ (-1) :: below f else below f) l)
    | None => None
    end.
End Inverse.
(* The integer that a fraction of constants is. *)
Definition literal (f : fraction) : option Z :=
  match product (above f), product (below f) with
  | EnvRing.Pc n, EnvRing.Pc d => if (d * (n / d) =? n)%Z then Some (n / d)%Z else None
  | _, _ => None
  end.

Lemma phi_one l : phi l (pZ 1) = 1. Proof. reflexivity. Qed.
Lemma phi_times l p q : phi l (times p q) = phi l p * phi l q.
Proof.
  unfold times, is_one.
  destruct p as [[|[]|]| |]; try destruct q as [[|[]|]| |]; rewrite ?phi_mul; unfold phi; simpl; lra.
Qed.
Section Sound.
  Variable l : positive -> R.
  Notation value_of := (phi l).
  Definition total (ps : list pol) : R := fold_right (fun p t => value_of p * t) 1 ps.
  Notation positives ps := (Forall (fun p => 0 < value_of p) ps).
  Lemma phi_product ps : value_of (product ps) = total ps.
  Proof.
    induction ps as [|p ps IH]; [apply phi_one|].
    change (value_of (times p (product ps)) = value_of p * total ps). now rewrite phi_times, IH.
  Qed.
  Lemma total_cons p ps : total (p :: ps) = value_of p * total ps. Proof. reflexivity. Qed.
  Lemma total_app ps qs : total (ps ++ qs) = total ps * total qs.
  Proof. induction ps as [|p ps IH]; simpl; [lra|]. rewrite IH; lra. Qed.
  Lemma total_positive ps : positives ps -> 0 < total ps.
  Proof. induction 1; simpl; [lra|]. now apply Rmult_lt_0_compat. Qed.

  Lemma take_total p ps rest : take p ps = Some rest -> total ps = value_of p * total rest.
  Proof.
    revert rest; induction ps as [|q ps IH]; intros rest; simpl; [discriminate|].
    destruct (same p q) eqn:E; [intros [= <-]; now rewrite (same_sound l p q E)|].
    destruct (take p ps) as [r|]; [|discriminate]. intros [= <-]; simpl. rewrite (IH r eq_refl); lra.
  Qed.
  Lemma take_positive p ps rest : take p ps = Some rest -> positives ps -> positives rest.
  Proof.
    revert rest; induction ps as [|q ps IH]; intros rest; simpl; [discriminate|].
    intros H P; pose proof (Forall_inv P); pose proof (Forall_inv_tail P).
    destruct (same p q); [injection H as <-; auto|].
    destruct (take p ps) as [r|]; [|discriminate]. injection H as <-; constructor; auto.
  Qed.
  Lemma split_total a : forall b c a' b', split a b = (c, a', b') -> total a = total c * total a' /\ total b = total c * total b'.
  Proof.
    induction a as [|p a IH]; intros b c a' b'; simpl.
    - intros [= <- <- <-]; simpl; lra.
    - destruct (take p b) as [r|] eqn:T.
      + destruct (split a r) as [[c1 a1] b1] eqn:E. intros [= <- <- <-]. destruct (IH _ _ _ _ E) as [-> H].
        rewrite (take_total _ _ _ T), H; simpl; lra.
      + destruct (split a b) as [[c1 a1] b1] eqn:E. intros [= <- <- <-]. destruct (IH _ _ _ _ E) as [-> ->]. simpl; lra.
  Qed.
  Lemma split_positive a : forall b c a' b', split a b = (c, a', b') ->
    (positives a -> positives c /\ positives a') /\ (positives b -> positives b').
  Proof.
    induction a as [|p a IH]; intros b c a' b'; simpl.
    - intros [= <- <- <-]; auto.
    - destruct (take p b) as [r|] eqn:T.
      + destruct (split a r) as [[c1 a1] b1] eqn:E. intros [= <- <- <-]. destruct (IH _ _ _ _ E) as [H K]. split.
        * intros P; pose proof (Forall_inv P); apply Forall_inv_tail in P; apply H in P as [? ?]; auto.
        * intros P; apply K; eapply take_positive; eauto.
      + destruct (split a b) as [[c1 a1] b1] eqn:E. intros [= <- <- <-]. destruct (IH _ _ _ _ E) as [H K]. split; auto.
        intros P; pose proof (Forall_inv P); apply Forall_inv_tail in P; apply H in P as [? ?]; auto.
  Qed.
  Lemma split_shared a b c a' b' : split a b = (c, a', b') -> positives b -> positives c.
  Proof.
    revert b c a' b'; induction a as [|p a IH]; intros b c a' b'; simpl.
    - intros [= <- <- <-]; auto.
    - destruct (take p b) as [r|] eqn:T.
      + destruct (split a r) as [[c1 a1] b1] eqn:E. intros [= <- <- <-] P. constructor.
        * revert T P; clear; revert r; induction b as [|q b IH]; intros r; simpl; [discriminate|].
          intros T P; destruct (same p q) eqn:E; [rewrite (same_sound l p q E); exact (Forall_inv P)|].
          destruct (take p b) as [s|]; [|discriminate]. exact (IH s eq_refl (Forall_inv_tail P)).
        * eapply IH; eauto. eapply take_positive; eauto.
      + destruct (split a b) as [[c1 a1] b1] eqn:E. intros [= <- <- <-] P. eapply IH; eauto.
  Qed.

  (* A fraction stands for a number: no factor below is 0, and the quotient is the number. *)
  Definition stands (f : fraction) (x : R) : Prop := positives (below f) /\ x = total (above f) / total (below f).
  Lemma stands_constant z : stands (constant z) (IZR z).
  Proof.
    unfold constant; destruct (Z.eqb_spec z 1) as [->|]; (split; [constructor|]); simpl; [field|].
    unfold phi; simpl; field.
  Qed.
  Lemma stands_opposite f x : stands f x -> stands (opposite f) (- x).
  Proof.
    intros [P ->]; split; [exact P|]. pose proof (total_positive _ P).
    cbn [opposite above below]. rewrite total_cons. change (value_of (pZ (-1))) with (-1). field; lra.
  Qed.
  Lemma stands_plus f g x y : stands f x -> stands g y -> stands (plus f g) (x + y).
  Proof.
    intros [P ->] [Q ->]; unfold plus.
    destruct (split (below f) (below g)) as [[c d] e] eqn:D, (split (above f) (above g)) as [[s n] m] eqn:N.
    destruct (split_total _ _ _ _ _ D) as [-> ->], (split_total _ _ _ _ _ N) as [-> ->].
    destruct (split_positive _ _ _ _ _ D) as [H K]. destruct (H P) as [Pc Pd]; pose proof (K Q) as Pe.
    split; [simpl; rewrite !Forall_app; auto|]. cbn [above below]. rewrite !total_app.
    rewrite total_cons, phi_add, !phi_times, !phi_product.
    pose proof (total_positive _ Pc); pose proof (total_positive _ Pd); pose proof (total_positive _ Pe).
    field; lra.
  Qed.
  Lemma stands_multiplied f g x y : stands f x -> stands g y -> stands (multiplied f g) (x * y).
  Proof.
    intros [P ->] [Q ->]; unfold multiplied.
    destruct (split (above f) (below g)) as [[c n] e] eqn:D, (split (above g) (below f)) as [[s m] d] eqn:N.
    destruct (split_positive _ _ _ _ _ D) as [_ K]; pose proof (K Q) as Pe; pose proof (split_shared _ _ _ _ _ D Q) as Pc.
    destruct (split_positive _ _ _ _ _ N) as [_ K']; pose proof (K' P) as Pd; pose proof (split_shared _ _ _ _ _ N P) as Ps.
    destruct (split_total _ _ _ _ _ D) as [-> ->], (split_total _ _ _ _ _ N) as [-> ->].
    split; [simpl; rewrite Forall_app; auto|]. cbn [above below]. rewrite !total_app.
    pose proof (total_positive _ Pc); pose proof (total_positive _ Pd); pose proof (total_positive _ Pe);
      pose proof (total_positive _ Ps).
    field; lra.
  Qed.
  Lemma stands_power f x n : stands f x -> stands (natural_power_of f n) (x ^ n).
  Proof.
    intros [P E]; induction n as [|n [IP IE]]; [exact (stands_constant 1)|]. split; cbn [natural_power_of above below].
    - apply Forall_app; auto.
    - rewrite !total_app. cbn [pow]. rewrite IE, E.
      pose proof (total_positive _ P); pose proof (total_positive _ IP). field; lra.
  Qed.
  Variable strict : positive -> bool.
  Hypothesis from_zero : forall x, 0 <= l x.
  Hypothesis above_zero : forall x, strict x = true -> 0 < l x.
  Lemma signs_sound ps : forall negative qs, signs strict ps = Some (negative, qs) ->
    positives qs /\ total ps = (if negative then -1 else 1) * total qs.
  Proof.
    induction ps as [|p ps IH]; intros negative qs; simpl.
    - intros [= <- <-]; split; [constructor|simpl; lra].
    - destruct (signs strict ps) as [[b rs]|]; [|discriminate]. destruct (IH b rs eq_refl) as [P E].
      destruct (positive_p strict p) eqn:S; [|destruct (positive_p strict (popp p)) eqn:T; [|discriminate]];
        intros [= <- <-]; (split; [constructor; [now apply (positive_sound _ l strict)|exact P]|]); rewrite !total_cons, E.
      + destruct b; lra.
      + rewrite phi_opp; destruct b; cbn [negb]; lra.
  Qed.
  Lemma stands_inverse f g x : inverse strict f = Some g -> stands f x -> x <> 0 /\ stands g (/ x).
  Proof.
    unfold inverse; destruct (signs strict (above f)) as [[negative qs]|] eqn:S; [|discriminate].
    intros [= <-] [P ->]. destruct (signs_sound _ _ _ S) as [Q E].
    pose proof (total_positive _ P); pose proof (total_positive _ Q). rewrite E.
    assert ((if negative then -1 else 1) <> 0) by (destruct negative; lra).
    split.
    - unfold Rdiv; repeat apply Rmult_integral_contrapositive_currified; try lra. apply Rinv_neq_0_compat; lra.
    - split; [exact Q|]. cbn [below]. destruct negative; cbn [above total fold_right]; fold (total (below f));
        unfold phi; simpl; field; lra.
  Qed.
  Lemma stands_literal f z x : literal f = Some z -> stands f x -> x = IZR z.
  Proof.
    intros H [P ->]. pose proof (total_positive _ P) as T. rewrite <- (phi_product (below f)) in *.
    rewrite <- phi_product. unfold literal in H.
    destruct (product (above f)) as [n| |]; try discriminate. destruct (product (below f)) as [d| |]; try discriminate.
    destruct (Z.eqb_spec (d * (n / d)) n) as [E|]; [|discriminate]. injection H as <-.
    unfold phi in *; simpl in *. rewrite <- E at 1. rewrite mult_IZR. field; lra.
  Qed.
End Sound.
