(* Numbers with logarithms of primes in them: quotients of polynomials, whose signs are seen exactly where no logarithm is,
   and by enclosures elsewhere. What is not seen is not decided. *)
From Coq Require Import Reals QArith Qreals Qround List Lia Lra ZArith Bool EnvRing Ring_theory.
From DP Require Import meaning.Numbers meaning.Sentences checker.Agreement checker.Points checker.Polynomials.
Import ListNotations.
Open Scope R_scope.

(* Powers of 1 + 2^-50 in multiples of 2^-112, from both sides: every product is rounded outwards. *)
Definition grain : Z := (2 ^ 112)%Z.
Definition base : Z := (2 ^ 112 + 2 ^ 62)%Z.
Definition fine : Z := (2 ^ 50)%Z.
Fixpoint power_low (m : positive) : Z :=
  match m with
  | xH => base
  | xO m => let y := power_low m in Z.shiftr (y * y) 112
  | xI m => let y := power_low m in Z.shiftr (base * Z.shiftr (y * y) 112) 112
  end.
Fixpoint power_high (m : positive) : Z :=
  match m with
  | xH => base
  | xO m => let y := power_high m in (Z.shiftr (y * y) 112 + 1)%Z
  | xI m => let y := power_high m in (Z.shiftr (base * (Z.shiftr (y * y) 112 + 1)) 112 + 1)%Z
  end.
(* Primes p, each with m and n such that (1 + 2^-50)^m <= p <= (1 + 2^-50)^n. *)
Definition primes : list (positive * positive * positive) := [
  (2, 780414346020669, 780414346020672); (3, 1236927473467586, 1236927473467589);
  (5, 1812065995678540, 1812065995678543); (7, 2190900055545493, 2190900055545496);
  (11, 2699790064262054, 2699790064262057); (13, 2887876242621992, 2887876242621995);
  (17, 3189914640138173, 3189914640138176); (19, 3315143572347286, 3315143572347289);
  (23, 3530252645620216, 3530252645620219); (29, 3791238061293328, 3791238061293331);
  (31, 3866325873628589, 3866325873628592); (37, 4065532141462495, 4065532141462498);
  (41, 4181110443955751, 4181110443955754); (43, 4234734859875849, 4234734859875852);
  (47, 4334880826095708, 4334880826095711); (53, 4470151295606358, 4470151295606361);
  (59, 4590899028240761, 4590899028240764); (61, 4628432500714509, 4628432500714512);
  (67, 4734063028474158, 4734063028474161); (71, 4799350876460746, 4799350876460749);
  (73, 4830627885101031, 4830627885101034); (79, 4919560930046324, 4919560930046327);
  (83, 4975172228670594, 4975172228670597); (89, 5053755270531831, 5053755270531834);
  (97, 5150666664528889, 5150666664528892); (101, 5196163759979058, 5196163759979061);
  (103, 5218240936088557, 5218240936088560); (107, 5261137549412188, 5261137549412191);
  (109, 5281988143568135, 5281988143568138); (113, 5322565504697181, 5322565504697184)]%positive.
Definition encloses (t : positive * positive * positive) : bool :=
  let '(p, m, n) := t in (power_high m <=? Zpos p * grain)%Z && (Zpos p * grain <=? power_low n)%Z.
Lemma primes_are_enclosed : forallb encloses primes = true.
Proof. vm_compute. reflexivity. Qed.
Definition log_low (m : positive) : Q := Zpos m # Z.to_pos (fine + 1).
Definition log_high (n : positive) : Q := Zpos n # Z.to_pos fine.
Fixpoint enclosure (l : list (positive * positive * positive)) (x : positive) : option (Q * Q) :=
  match l with
  | [] => None
  | (p, m, n) :: l => if (x =? p)%positive then Some (log_low m, log_high n) else enclosure l x
  end.
Definition known := enclosure primes.

Lemma grain_positive : 0 < IZR grain. Proof. now apply IZR_lt. Qed.
Lemma shifted z : IZR (Z.shiftr z 112) * IZR grain <= IZR z < (IZR (Z.shiftr z 112) + 1) * IZR grain.
Proof.
  rewrite Z.shiftr_div_pow2 by lia. fold grain. change 1 with (IZR 1). rewrite <- plus_IZR, <- !mult_IZR.
  pose proof (Z.div_mod z grain ltac:(discriminate)). pose proof (Z.mod_pos_bound z grain ltac:(reflexivity)).
  split; [apply IZR_le|apply IZR_lt]; nia.
Qed.
Definition step_up : R := IZR base / IZR grain.
Lemma step_up_above : 1 < step_up.
Proof.
  unfold step_up. pose proof grain_positive. apply Rmult_lt_reg_r with (IZR grain); [assumption|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra. now apply IZR_lt.
Qed.
Lemma base_is : IZR base = step_up * IZR grain.
Proof. unfold step_up. pose proof grain_positive. field. lra. Qed.
Lemma power_positive m : 0 < positive_power over_R step_up m.
Proof.
  pose proof step_up_above. assert (0 < step_up) by lra. induction m as [m IH|m IH|]; cbn [positive_power mul over_R]; [|now apply Rmult_lt_0_compat|assumption].
  apply Rmult_lt_0_compat; [assumption|now apply Rmult_lt_0_compat].
Qed.
Lemma below_product a b x y : (0 <= a)%Z -> (0 <= b)%Z -> IZR a <= x * IZR grain -> IZR b <= y * IZR grain ->
  (0 <= Z.shiftr (a * b) 112)%Z /\ IZR (Z.shiftr (a * b) 112) <= x * y * IZR grain.
Proof.
  intros A B X Y. pose proof grain_positive as G. split; [apply Z.shiftr_nonneg; nia|].
  pose proof (shifted (a * b)) as [S _]. rewrite mult_IZR in S. apply IZR_le in A, B.
  apply Rmult_le_reg_r with (IZR grain); [exact G|]. apply Rle_trans with (1 := S).
  replace (x * y * IZR grain * IZR grain) with ((x * IZR grain) * (y * IZR grain)) by ring. now apply Rmult_le_compat.
Qed.
Lemma above_product a b x y : 0 <= x -> 0 <= y -> x * IZR grain <= IZR a -> y * IZR grain <= IZR b ->
  x * y * IZR grain <= IZR (Z.shiftr (a * b) 112 + 1).
Proof.
  intros X Y A B. pose proof grain_positive as G. pose proof (shifted (a * b)) as [_ S]. rewrite mult_IZR in S. rewrite plus_IZR.
  apply Rmult_le_reg_r with (IZR grain); [exact G|]. apply Rle_trans with (IZR a * IZR b); [|lra].
  replace (x * y * IZR grain * IZR grain) with ((x * IZR grain) * (y * IZR grain)) by ring.
  apply Rmult_le_compat; try assumption; apply Rmult_le_pos; lra.
Qed.
Lemma power_low_sound m : (0 <= power_low m)%Z /\ IZR (power_low m) <= positive_power over_R step_up m * IZR grain.
Proof.
  assert (B : (0 <= base)%Z) by discriminate. pose proof (Req_le _ _ base_is) as T.
  induction m as [m [P L]|m [P L]|]; cbn [power_low positive_power mul over_R]; [| |split; [exact B|exact T]].
  - destruct (below_product _ _ _ _ P P L L) as [P' L']. exact (below_product _ _ _ _ B P' T L').
  - exact (below_product _ _ _ _ P P L L).
Qed.
Lemma power_high_sound m : positive_power over_R step_up m * IZR grain <= IZR (power_high m).
Proof.
  pose proof (Req_le _ _ (eq_sym base_is)) as T. pose proof step_up_above.
  induction m as [m L|m L|]; cbn [power_high positive_power mul over_R]; [| |exact T]; pose proof (Rlt_le _ _ (power_positive m)) as P.
  - apply above_product; [lra|now apply Rmult_le_pos|exact T|]. now apply above_product.
  - now apply above_product.
Qed.

(* What follows from the two properties of a logarithm. *)
Section Logarithm.
  Variable log : R -> R.
  Hypothesis is_log : is_logarithm log.
  Lemma log_1 : log 1 = 0.
  Proof. pose proof (proj1 is_log 1 1 Rlt_0_1 Rlt_0_1) as H. rewrite Rmult_1_l in H. lra. Qed.
  Lemma log_inverse x : 0 < x -> log (/ x) = - log x.
  Proof.
    intros P. pose proof (proj1 is_log x (/ x) P (Rinv_0_lt_compat _ P)) as H. rewrite Rinv_r, log_1 in H by lra. lra.
  Qed.
  Lemma log_at_least x : 0 < x -> 1 - / x <= log x.
  Proof. intros P. pose proof (proj2 is_log (/ x) (Rinv_0_lt_compat _ P)) as H. rewrite log_inverse in H by exact P. lra. Qed.
  Lemma log_le x y : 0 < x -> x <= y -> log x <= log y.
  Proof.
    intros P L. assert (Q : 0 < y) by lra. assert (G : 0 < y * / x) by (apply Rmult_lt_0_compat; [exact Q|now apply Rinv_0_lt_compat]).
    replace y with (x * (y * / x)) by (field; lra). rewrite (proj1 is_log) by assumption. pose proof (log_at_least _ G) as A.
    assert (/ (y * / x) <= 1); [|lra]. rewrite Rinv_mult, Rinv_inv. apply Rmult_le_reg_l with y; [exact Q|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by lra. exact L.
  Qed.
  Lemma log_power x m : 0 < x -> 0 < positive_power over_R x m /\ log (positive_power over_R x m) = IZR (Zpos m) * log x.
  Proof.
    intros P. induction m as [m [G E]|m [G E]|]; cbn [positive_power mul over_R].
    - split; [repeat apply Rmult_lt_0_compat; assumption|]. rewrite !(proj1 is_log), E by (repeat apply Rmult_lt_0_compat; assumption).
      rewrite (Pos2Z.inj_xI m), plus_IZR, mult_IZR. lra.
    - split; [now apply Rmult_lt_0_compat|]. rewrite (proj1 is_log), E by assumption. rewrite (Pos2Z.inj_xO m), mult_IZR. lra.
    - split; [exact P|lra].
  Qed.
  Definition logs (x : positive) : R := log (IZR (Zpos x)).
  Lemma known_sound x a b : known x = Some (a, b) -> 0 <= Q2R a <= logs x /\ logs x <= Q2R b.
  Proof.
    unfold known, logs. pose proof primes_are_enclosed as T. rewrite forallb_forall in T. induction primes as [|[[p m] n] l IH]; [discriminate|].
    cbn [enclosure]. destruct (Pos.eqb_spec x p) as [->|]; [|apply IH; intros t I; apply T; now right].
    intros [= <- <-]. specialize (T _ (or_introl eq_refl)). apply andb_prop in T as [M N]. apply Z.leb_le, IZR_le in M, N.
    rewrite mult_IZR in M, N. pose proof grain_positive as G. pose proof step_up_above as A.
    pose proof (power_high_sound m) as H. pose proof (proj2 (power_low_sound n)) as L.
    assert (Pp : 0 < IZR (Zpos p)) by now apply IZR_lt.
    destruct (log_power step_up m ltac:(lra)) as [Pm Em], (log_power step_up n ltac:(lra)) as [Pn En].
    assert (U : log (positive_power over_R step_up m) <= log (IZR (Zpos p))).
    { apply log_le; [exact Pm|]. apply Rmult_le_reg_r with (IZR grain); lra. }
    assert (V : log (IZR (Zpos p)) <= log (positive_power over_R step_up n)).
    { apply log_le; [exact Pp|]. apply Rmult_le_reg_r with (IZR grain); lra. }
    rewrite Em in U; rewrite En in V. assert (F : 0 < IZR fine) by now apply IZR_lt.
    assert (E : step_up = (IZR fine + 1) / IZR fine).
    { unfold step_up. replace base with (2 ^ 62 * (fine + 1))%Z by reflexivity. replace grain with (2 ^ 62 * fine)%Z by reflexivity.
      rewrite !mult_IZR, plus_IZR. field. split; [lra|]. apply not_0_IZR. discriminate. }
    assert (Lo : 1 / (IZR fine + 1) <= log step_up).
    { apply Rle_trans with (1 - / step_up); [|apply log_at_least; lra]. rewrite E. right. field. lra. }
    assert (Up : log step_up <= 1 / IZR fine).
    { apply Rle_trans with (step_up - 1); [apply (proj2 is_log); lra|]. rewrite E. right. field. lra. }
    assert (0 < IZR (Zpos m)) by now apply IZR_lt. assert (0 < IZR (Zpos n)) by now apply IZR_lt.
    assert (Lm : Q2R (log_low m) = IZR (Zpos m) / (IZR fine + 1)) by (rewrite <- plus_IZR; reflexivity).
    change (Q2R (log_high n)) with (IZR (Zpos n) / IZR fine). rewrite Lm.
    assert (0 < / (IZR fine + 1)) by (apply Rinv_0_lt_compat; lra). repeat split.
    - apply Rmult_le_pos; lra.
    - apply Rle_trans with (IZR (Zpos m) * log step_up); [|exact U]. unfold Rdiv. apply Rmult_le_compat_l; lra.
    - apply Rle_trans with (IZR (Zpos n) * log step_up); [exact V|]. unfold Rdiv. apply Rmult_le_compat_l; lra.
  Qed.

(* Polynomials with rational coefficients, whose variable p stands for the logarithm of p. *)
Definition qpol := @Pol Q.
Definition qopp (x : Q) : Q := sub over_Q 0%Q x.
Definition qadd : qpol -> qpol -> qpol := Padd 0%Q (add over_Q) Qeq_bool.
Definition qmul : qpol -> qpol -> qpol := Pmul 0%Q 1%Q (add over_Q) (mul over_Q) Qeq_bool.
Definition qneg : qpol -> qpol := Popp qopp.
Definition qvar (x : positive) : qpol := mk_X 0%Q 1%Q x.
Definition of_logs (p : qpol) : R := Pphi Rplus Rmult Q2R logs p.
Lemma Q2R_1 : Q2R 1 = 1. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Qmorph : ring_morph 0 1 Rplus Rmult Rminus Ropp eq 0%Q 1%Q (add over_Q) (mul over_Q) (sub over_Q) qopp Qeq_bool Q2R.
Proof.
  constructor; cbn [add mul sub over_Q]; intros; unfold qopp; cbn [sub over_Q]; rewrite ?Q2R_red.
  - apply Q2R_0. - apply Q2R_1. - apply Q2R_plus. - apply Q2R_minus. - apply Q2R_mult.
  - rewrite Q2R_minus, Q2R_0. lra. - now apply Qeq_eqR, Qeq_bool_iff.
Qed.
Lemma of_logs_add p q : of_logs (qadd p q) = of_logs p + of_logs q.
Proof. exact (Padd_ok Rsth Reqe Rath Qmorph q p logs). Qed.
Lemma of_logs_mul p q : of_logs (qmul p q) = of_logs p * of_logs q.
Proof. exact (Pmul_ok Rsth Reqe Rath Qmorph p q logs). Qed.
Lemma of_logs_neg p : of_logs (qneg p) = - of_logs p.
Proof. exact (Popp_ok Rsth Reqe Rath Qmorph p logs). Qed.
Lemma of_logs_var x : of_logs (qvar x) = logs x.
Proof. symmetry; exact (mkX_ok Rsth Reqe Rath Qmorph x logs). Qed.

Definition scaled_end (a u v c : Q) : Q := Qred (a * (if Qle_bool 0 a then u else v) + c).
(* Where a polynomial lies if its variables are >= 0 and lie between such numbers. *)
Fixpoint located (at_ : positive -> option (Q * Q)) (p : qpol) : option (Q * Q) :=
  match p with
  | Pc c => Some (c, c)
  | Pinj j q => located (fun x => at_ (x + j)%positive) q
  | PX p i q =>
      match at_ 1%positive, located at_ p, located (fun x => at_ (x + 1)%positive) q with
      | Some (u, v), Some (a, b), Some (c, d) =>
          let u := positive_power over_Q u i in let v := positive_power over_Q v i in
          Some (scaled_end a u v c, scaled_end b v u d)
      | _, _, _ => None
      end
  end.
Lemma pow_pos_is x i : pow_pos Rmult x i = positive_power over_R x i.
Proof. induction i as [i IH|i IH|]; cbn [pow_pos positive_power mul over_R]; now rewrite ?IH. Qed.
Lemma positive_power_le x y i : 0 <= x <= y -> 0 <= positive_power over_R x i <= positive_power over_R y i.
Proof.
  intros H. induction i as [i IH|i IH|]; cbn [positive_power mul over_R]; [| |exact H].
  - split; [|apply Rmult_le_compat]; try apply Rmult_le_pos; try apply Rmult_le_pos; try apply Rmult_le_compat; lra.
  - split; [apply Rmult_le_pos|apply Rmult_le_compat]; lra.
Qed.
Lemma located_sound p : forall l at_,
  (forall x a b, at_ x = Some (a, b) -> 0 <= Q2R a <= l x /\ l x <= Q2R b) ->
  forall a b, located at_ p = Some (a, b) -> Q2R a <= Pphi Rplus Rmult Q2R l p <= Q2R b.
Proof.
  induction p as [c|j q IH|p IHp i q IHq]; intros l at_ H a b; cbn [located Pphi].
  - intros [= <- <-]; lra.
  - apply IH. intros x c d; apply H.
  - destruct (at_ 1%positive) as [[u v]|] eqn:A; [|discriminate]. destruct (located at_ p) as [[c d]|] eqn:P; [|discriminate].
    destruct (located _ q) as [[e f]|] eqn:Q; [|discriminate]. intros [= <- <-].
    specialize (IHp l at_ H _ _ P). assert (K : Q2R e <= Pphi Rplus Rmult Q2R (Env.tail l) q <= Q2R f).
    { apply (IHq (Env.tail l) _ (fun x c d => H (x + 1)%positive c d) _ _ Q). }
    destruct (H _ _ _ A) as [L G]. change (Env.hd l) with (l 1%positive). rewrite pow_pos_is.
    unfold scaled_end. rewrite !Q2R_red, !Q2R_plus, !Q2R_mult.
    pose proof (positive_power_le (Q2R u) (l 1%positive) i L) as U.
    pose proof (positive_power_le (l 1%positive) (Q2R v) i ltac:(lra)) as V.
    rewrite <- Q2R_positive_power in U. rewrite <- (Q2R_positive_power v) in V.
    set (x := positive_power over_R (l 1%positive) i) in *. set (y := Pphi Rplus Rmult Q2R l p) in *.
    split.
    + apply Rplus_le_compat; [|lra]. destruct (Qle_bool 0 c) eqn:Z.
      * apply Qle_bool_R in Z. rewrite Q2R_0 in Z. apply Rmult_le_compat; lra.
      * assert (Q2R c <= 0).
        { destruct (Rle_lt_dec (Q2R c) 0) as [|N]; [assumption|]. rewrite <- Q2R_0 in N. apply Rlt_le, Rle_Qle, Qle_bool_iff in N. congruence. }
        apply Rle_trans with (Q2R c * x); [|apply Rmult_le_compat_r; lra].
        apply Rmult_le_compat_neg_l; lra.
    + apply Rplus_le_compat; [|lra]. destruct (Qle_bool 0 d) eqn:Z.
      * apply Qle_bool_R in Z. rewrite Q2R_0 in Z. apply Rle_trans with (Q2R d * x); [apply Rmult_le_compat_r; lra|].
        apply Rmult_le_compat_l; lra.
      * assert (Q2R d <= 0).
        { destruct (Rle_lt_dec (Q2R d) 0) as [|N]; [assumption|]. rewrite <- Q2R_0 in N. apply Rlt_le, Rle_Qle, Qle_bool_iff in N. congruence. }
        apply Rle_trans with (Q2R d * x); [apply Rmult_le_compat_r; lra|]. apply Rmult_le_compat_neg_l; lra.
Qed.

(* The sign of a polynomial in logarithms, where it is seen. *)
Definition sign_q (q : Q) : comparison := (q ?= 0)%Q.
Definition sign (p : qpol) : option comparison :=
  match p with
  | Pc c => Some (sign_q c)
  | _ => match located known p with
         | Some (a, b) => if less 0 a then Some Gt else if less b 0 then Some Lt else None
         | None => None
         end
  end.
Definition has_sign (s : comparison) (x : R) : Prop := match s with Eq => x = 0 | Lt => x < 0 | Gt => 0 < x end.
Lemma sign_q_sound q : has_sign (sign_q q) (Q2R q).
Proof.
  unfold sign_q. destruct (Qcompare_spec q 0) as [E|L|G]; cbn [has_sign]; rewrite <- Q2R_0; [now apply Qeq_eqR|now apply Qlt_Rlt|now apply Qlt_Rlt].
Qed.
Lemma sign_sound p s : sign p = Some s -> has_sign s (of_logs p).
Proof.
  assert (G : match located known p with
    | Some (a, b) => if less 0 a then Some Gt else if less b 0 then Some Lt else None | None => None end = Some s -> has_sign s (of_logs p)).
  { destruct (located known p) as [[a b]|] eqn:E; [|discriminate]. pose proof (located_sound p logs known known_sound _ _ E) as L.
    destruct (less 0 a) eqn:A; [|destruct (less b 0) eqn:B; [|discriminate]]; intros [= <-]; cbn [has_sign]; unfold of_logs.
    - apply less_R in A. rewrite Q2R_0 in A. lra.
    - apply less_R in B. rewrite Q2R_0 in B. lra. }
  destruct p as [c| |]; [|exact G|exact G]. intros [= <-]. apply sign_q_sound.
Qed.

(* Numbers: rational ones, and quotients of polynomials in logarithms. *)
Inductive exact := Rat (q : Q) | Quotient (n d : qpol).
Definition meant (x : exact) : R := match x with Rat q => Q2R q | Quotient n d => of_logs n / of_logs d end.
Definition above (x : exact) : qpol := match x with Rat q => Pc q | Quotient n _ => n end.
Definition below (x : exact) : qpol := match x with Rat _ => Pc 1%Q | Quotient _ d => d end.
Fixpoint leading (p : qpol) : Q := match p with Pc c => c | Pinj _ p => leading p | PX p _ _ => leading p end.
Definition not_zero (p : qpol) : bool := match sign p with Some Lt | Some Gt => true | _ => false end.
Definition quotient (n d : qpol) : exact :=
  match n, d with
  | Pc a, Pc b => Rat (Qred (a / b))
  | Pc a, _ => if Qeq_bool a 0 then Rat 0 else Quotient n d
  | _, Pc _ => Quotient n d
  | _, _ => let c := Qred (leading n / leading d) in
            if Peq Qeq_bool n (qmul (Pc c) d) && not_zero d then Rat c else Quotient n d
  end.
Definition product (x y : exact) : exact :=
  match x, y with
  | Rat p, Rat q => Rat (Qred (p * q))
  | _, _ => quotient (qmul (above x) (above y)) (qmul (below x) (below y))
  end.
Definition reciprocal (x : exact) : exact := match x with Rat q => Rat (/ q) | Quotient n d => quotient d n end.
Definition plus (x y : exact) : option exact :=
  match x, y with
  | Rat p, Rat q => Some (Rat (Qred (p + q)))
  | _, _ =>
      if Peq Qeq_bool (below x) (below y) then Some (quotient (qadd (above x) (above y)) (below x))
      else if not_zero (below x) && not_zero (below y)
      then Some (quotient (qadd (qmul (above x) (below y)) (qmul (above y) (below x))) (qmul (below x) (below y)))
      else None
  end.
Definition opposite (x : exact) : exact := match x with Rat q => Rat (Qred (- q)) | Quotient n d => Quotient (qneg n) d end.
Definition minus (x y : exact) : option exact := plus x (opposite y).
Definition compared (x y : exact) : option comparison :=
  match x, y with
  | Rat p, Rat q => Some (p ?= q)%Q
  | _, _ =>
      match minus x y with
      | Some z => match sign (above z), sign (below z) with
                  | Some Eq, _ => Some Eq
                  | Some s, Some Gt => Some s
                  | Some s, Some Lt => Some (CompOpp s)
                  | _, _ => None
                  end
      | None => None
      end
  end.
(* The logarithm of a natural number that is a product of the primes. *)
Fixpoint factored (fuel : nat) (ps : list positive) (n : Z) : option qpol :=
  match fuel with
  | O => None
  | S fuel =>
      if (n =? 1)%Z then Some (Pc 0%Q) else
      match ps with
      | [] => None
      | p :: rest =>
          if (n mod Zpos p =? 0)%Z then option_map (qadd (qvar p)) (factored fuel ps (n / Zpos p)) else factored fuel rest n
      end
  end.
Definition log_of (x : exact) : option exact :=
  match x with
  | Rat q =>
      if less 0 q then
        match factored 300 (map (fun t => fst (fst t)) primes) (Qnum q), factored 300 (map (fun t => fst (fst t)) primes) (Zpos (Qden q)) with
        | Some n, Some d => Some (quotient (qadd n (qneg d)) (Pc 1%Q))
        | _, _ => None
        end
      else None
  | _ => None
  end.

Lemma meant_parts x : meant x = of_logs (above x) / of_logs (below x).
Proof. destruct x as [q|n d]; [|reflexivity]. cbn [meant above below]. unfold of_logs; cbn [Pphi]. rewrite Q2R_1. field. Qed.
Lemma not_zero_sound p : not_zero p = true -> of_logs p <> 0.
Proof.
  unfold not_zero; destruct (sign p) as [s|] eqn:E; [|discriminate]. apply sign_sound in E. destruct s; cbn [has_sign] in E; try discriminate; lra.
Qed.
Lemma quotient_sound n d : meant (quotient n d) = of_logs n / of_logs d.
Proof.
  assert (K : forall c, Peq Qeq_bool n (qmul (Pc c) d) && not_zero d = true -> Q2R c = of_logs n / of_logs d).
  { intros c H. apply andb_prop in H as [E Z]. apply not_zero_sound in Z.
    pose proof (Peq_ok Rsth Reqe Qmorph _ _ E logs) as F. fold (of_logs n) (of_logs (qmul (Pc c) d)) in F.
    rewrite F, of_logs_mul. change (of_logs (Pc c)) with (Q2R c). field. exact Z. }
  assert (G : meant (let c := Qred (leading n / leading d) in
    if Peq Qeq_bool n (qmul (Pc c) d) && not_zero d then Rat c else Quotient n d) = of_logs n / of_logs d).
  { cbv zeta. destruct (Peq _ _ _ && _) eqn:E; [exact (K _ E)|reflexivity]. }
  destruct n as [a|j n|n i m]; cbn [quotient]; [|destruct d; [reflexivity|exact G|exact G]|destruct d; [reflexivity|exact G|exact G]].
  assert (Z : Qeq_bool a 0 = true -> 0 = of_logs (Pc a) / of_logs d).
  { intros E. apply Qeq_bool_iff, Qeq_eqR in E. rewrite Q2R_0 in E. unfold of_logs at 1; cbn [Pphi]. rewrite E. unfold Rdiv; lra. }
  destruct d as [b|j d|d i e]; [cbn [meant]; now rewrite Q2R_red, Q2R_quotient| |];
    (destruct (Qeq_bool a 0) eqn:E; [cbn [meant]; rewrite Q2R_0; now apply Z|reflexivity]).
Qed.
Lemma quotient_mult a b c d : a / b * (c / d) = (a * c) / (b * d).
Proof.
  unfold Rdiv. destruct (Req_dec b 0) as [->|B]; [rewrite Rmult_0_l, Rinv_0; lra|].
  destruct (Req_dec d 0) as [->|D]; [rewrite Rmult_0_r, Rinv_0; lra|]. field; auto.
Qed.
Lemma product_sound x y : meant (product x y) = meant x * meant y.
Proof.
  assert (G : meant (quotient (qmul (above x) (above y)) (qmul (below x) (below y))) = meant x * meant y).
  { rewrite quotient_sound, !of_logs_mul, !meant_parts. symmetry; apply quotient_mult. }
  destruct x as [p|], y as [q|]; try exact G. cbn [product meant]. now rewrite Q2R_red, Q2R_mult.
Qed.
Lemma reciprocal_sound x : meant (reciprocal x) = / meant x.
Proof.
  destruct x as [q|n d]; cbn [reciprocal].
  - cbn [meant]. destruct (Qeq_dec q 0) as [E|N]; [|now apply Q2R_inv].
    rewrite (Qeq_eqR _ _ E), Q2R_0, Rinv_0. transitivity (Q2R 0); [|apply Q2R_0]. apply Qeq_eqR. rewrite E. reflexivity.
  - rewrite quotient_sound. cbn [meant]. unfold Rdiv. destruct (Req_dec (of_logs n) 0) as [->|B]; [rewrite Rmult_0_l, Rinv_0; lra|].
    destruct (Req_dec (of_logs d) 0) as [->|D]; [rewrite Rinv_0, Rmult_0_r, Rinv_0; lra|]. field; auto.
Qed.
Lemma plus_sound x y z : plus x y = Some z -> meant z = meant x + meant y.
Proof.
  assert (G : (if Peq Qeq_bool (below x) (below y) then Some (quotient (qadd (above x) (above y)) (below x))
      else if not_zero (below x) && not_zero (below y)
      then Some (quotient (qadd (qmul (above x) (below y)) (qmul (above y) (below x))) (qmul (below x) (below y)))
      else None) = Some z -> meant z = meant x + meant y).
  { rewrite (meant_parts x), (meant_parts y). destruct (Peq Qeq_bool (below x) (below y)) eqn:E.
    - intros [= <-]. rewrite quotient_sound, of_logs_add.
      pose proof (Peq_ok Rsth Reqe Qmorph _ _ E logs) as F. fold (of_logs (below x)) in F. fold (of_logs (below y)) in F.
      rewrite F. unfold Rdiv. lra.
    - destruct (not_zero (below x)) eqn:X; [|discriminate]. destruct (not_zero (below y)) eqn:Y; [|discriminate].
      intros [= <-]. apply not_zero_sound in X, Y. rewrite quotient_sound, of_logs_add, !of_logs_mul. field; auto. }
  destruct x as [p|], y as [q|]; try exact G. cbn [plus]. intros E. assert (z = Rat (Qred (p + q))) as -> by congruence. cbn [meant]. now rewrite Q2R_red, Q2R_plus.
Qed.
Lemma opposite_sound x : meant (opposite x) = - meant x.
Proof.
  destruct x as [q|n d]; cbn [opposite meant]; [now rewrite Q2R_red, Q2R_opp|]. rewrite of_logs_neg. unfold Rdiv; lra.
Qed.
Lemma minus_sound x y z : minus x y = Some z -> meant z = meant x - meant y.
Proof. intros H. apply plus_sound in H. rewrite H, opposite_sound. lra. Qed.
Lemma compared_sound x y s : compared x y = Some s -> has_sign s (meant x - meant y).
Proof.
  assert (G : match minus x y with
      | Some z => match sign (above z), sign (below z) with
                  | Some Eq, _ => Some Eq | Some s, Some Gt => Some s | Some s, Some Lt => Some (CompOpp s) | _, _ => None end
      | None => None end = Some s -> has_sign s (meant x - meant y)).
  { destruct (minus x y) as [z|] eqn:M; [|discriminate]. rewrite <- (minus_sound _ _ _ M), meant_parts.
    destruct (sign (above z)) as [a|] eqn:A; [|discriminate]. apply sign_sound in A.
    destruct (sign (below z)) as [b|] eqn:B.
    - apply sign_sound in B. set (n := of_logs (above z)) in *. set (d := of_logs (below z)) in *.
      assert (0 < d -> 0 < / d) by apply Rinv_0_lt_compat. assert (d < 0 -> / d < 0) by apply Rinv_lt_0_compat.
      unfold Rdiv. destruct a, b; try discriminate; intros [= <-]; cbn [has_sign CompOpp] in *; try rewrite A; try nra.
    - destruct a; try discriminate. intros [= <-]. cbn [has_sign] in *. rewrite A. unfold Rdiv; lra. }
  destruct x as [p|], y as [q|]; try exact G. cbn [compared]. intros [= <-]. cbn [meant].
  destruct (Qcompare_spec p q) as [E|L|L]; cbn [has_sign]; [apply Qeq_eqR in E|apply Qlt_Rlt in L|apply Qlt_Rlt in L]; lra.
Qed.
Lemma factored_sound fuel : forall ps n p, (0 < n)%Z -> factored fuel ps n = Some p -> of_logs p = log (IZR n).
Proof.
  induction fuel as [|fuel IH]; intros ps n p N; cbn [factored]; [discriminate|].
  destruct (Z.eqb_spec n 1) as [->|].
  - intros [= <-]. rewrite log_1. apply Q2R_0.
  - destruct ps as [|q ps]; [discriminate|]. destruct (Z.eqb_spec (n mod Zpos q) 0) as [M|]; [|now apply IH].
    destruct (factored fuel (q :: ps) (n / Zpos q)) as [r|] eqn:E; [|discriminate]. intros [= <-].
    assert (F : n = (Zpos q * (n / Zpos q))%Z) by (apply Z_div_exact_full_2; [discriminate|exact M]).
    assert (P : (0 < n / Zpos q)%Z) by nia. rewrite of_logs_add, of_logs_var, (IH _ _ _ P E). rewrite F at 2.
    rewrite mult_IZR, (proj1 is_log); [reflexivity|now apply IZR_lt|now apply IZR_lt].
Qed.
Definition real_log (x : R) : option R := if Rlt_dec 0 x then Some (log x) else None.
Lemma log_of_sound x y : log_of x = Some y -> real_log (meant x) = Some (meant y).
Proof.
  destruct x as [q|]; [|discriminate]. cbn [log_of]. destruct (less 0 q) eqn:L; [|discriminate].
  apply less_R in L. rewrite Q2R_0 in L.
  destruct (factored _ _ (Qnum q)) as [n|] eqn:N; [|discriminate]. destruct (factored _ _ (Zpos (Qden q))) as [d|] eqn:D; [|discriminate].
  intros [= <-]. rewrite quotient_sound, of_logs_add, of_logs_neg. unfold of_logs at 3; cbn [Pphi]. rewrite Q2R_1.
  unfold real_log; cbn [meant]. destruct (Rlt_dec 0 (Q2R q)) as [_|]; [|contradiction].
  assert (P : (0 < Qnum q)%Z). { apply lt_IZR. unfold Q2R in L. assert (0 < / IZR (Zpos (Qden q))) by (apply Rinv_0_lt_compat; now apply IZR_lt). nra. }
  apply factored_sound in N; [|exact P]. apply factored_sound in D; [|reflexivity]. rewrite N, D. f_equal.
  assert (0 < IZR (Qnum q)) by now apply IZR_lt. assert (G : 0 < IZR (Zpos (Qden q))) by now apply IZR_lt.
  unfold Q2R. rewrite (proj1 is_log), log_inverse; [field|exact G|assumption|now apply Rinv_0_lt_compat].
Qed.
End Logarithm.
