(* "Every compared ratio is at most the limit" for reports of one drawn item: its label, or its bits. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Points checker.Steps checker.Powers checker.Sums checker.Quantifiers checker.Readings
  checker.Comparisons checker.Users checker.Bits checker.Places checker.Vectors checker.Factors checker.Ratios checker.Smallest checker.Drawn
  checker.DrawnBits checker.DrawnRows theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

Definition no_others (d : domain) : bool := existsb (fun c => zero_e (ranges d) (Sub c (Neg (Var 2)))) (constraints d).
Definition is_marginal (c : compared) : bool := match c with Marginal => true | _ => false end.
Definition is_ldp (c : compared) : bool := match c with Ldp => true | _ => false end.
Section Check.
  Variables (d : domain) (p : derived).
  Notation q := (about p).
  Notation f := (with_powers p).
  Notation alone := (no_others d).
  (* Sets have items; where reports that show other items count, they have as many. *)
  Definition drawn_sizes : bool :=
    plainly d [(Le, Cst 1, least q)]
    && (nonempty q || is_marginal (relation q) || ((alone || if expr_dec (least q) (most q) then true else false) && (negb (is_ldp (relation q)) || alone))).
  Definition check_labels (r : rows) : bool :=
    of_labels r && plainly d ((Le, Cst 1, limit q) :: map (fun a => (Le, Cst 0, a)) (exponents (limit q)))
    && plainly d (bounded_labels r alone (limit q)) && plainly d (possible_labels r) && (negb (is_marginal (relation q)) || nonempty q || alone).
  Definition check_drawn_bits (r : rows) : bool :=
    match exponent_of f (limit q), exchanges (rate_of f) alone with
    | Some e, Some sums =>
        negb (nonempty q) && of_bits r && plainly d (nonnegative_weights r) && plainly d (bounding (wide (relation q)) r f)
        && (is_marginal (relation q) || alone || plainly d (never_shown r))
        && whole_e d e && no_exponents e && plainly d ((Le, Cst 0, e) :: map (fun k => (Le, Cst (Z.of_nat k), e)) sums)
    | _, _ => false
    end.
End Check.
Definition check_drawn (t : law_sentence) (x : ratio_proof) : bool :=
  let d := sizes_of t in
  let p := bound_proof x in
  inside_Q d (at_point x)
  && (if sentence_dec (what t) (ratio_text (rows_of t) (about p)) then true else false)
  && readable d (rows_of t) p && negb (smallest (about p)) && drawn_sizes d p
  && match term_of t with
     | Push Blanked (Drawn (Row r)) => check_labels d p r
     | Push Blanked (Drawn (EachItems r)) => check_drawn_bits d p r
     | _ => false
     end.

Lemma no_others_sound d w M : inside d w -> w 2%positive = INR M -> no_others d = true -> M = 0%nat.
Proof.
  intros [W C] M_is H. apply existsb_exists in H as (k & L & Q). apply (zero_e_sound _ _ W) in Q as [Q _].
  rewrite Forall_forall in C. destruct (C k L) as [_ F].
  change (value w (Sub k (Neg (Var 2)))) with (value w k - (integer over_R 0 - w 2%positive)) in Q. rewrite number_datum, M_is in Q.
  apply INR_eq. pose proof (pos_INR M). cbn [INR] in *. lra.
Qed.
Lemma drawn_shape w K M t0 s z v : In (z, v) (law over_R w (fun _ => []) K M (Push Blanked t0) s) -> exists a l, v = Tup [a; items l].
Proof. cbn [law]. unfold push. intros I. apply in_map_iff in I as ([a v0] & E & _). injection E as _ <-. unfold apply. now eexists _, _. Qed.
(* What is checked of a drawn item holds. *)
Theorem check_drawn_sound t x : check_drawn t x = true -> law_sentence_holds t.
Proof.
  unfold check_drawn. intros H. apply andb_prop in H as [H C]. apply andb_prop in H as [H S]. apply andb_prop in H as [H small]. apply andb_prop in H as [H ready].
  apply andb_prop in H as [I W]. destruct (sentence_dec _ _) as [text|]; [|discriminate]. apply negb_true_iff in small. set (p := bound_proof x) in *.
  apply (reading_holds t p); [exists (fun y => Q2R (point (at_point x) y)); now apply inside_Q_sound|exact text|exact ready|]. intros w here. cbv zeta.
  destruct (ready_sound (sizes_of t) (rows_of t) p w here ready) as (_ & K_is & M_is & Bs & _). destruct (base_shift w (with_powers p) Bs) as [one _].
  pose proof (fun rels => plainly_sound (sizes_of t) w here rels) as plain_sound. pose proof (no_others_sound (sizes_of t) w _ here M_is) as none.
  unfold drawn_sizes in S. apply andb_prop in S as [S1 S2]. apply plain_sound in S1. pose proof (Forall_inv S1) as (_ & _ & some). cbn [related] in some. rewrite value_Cst in some.
  assert (sizes_alike : nonempty (about p) = false -> relation (about p) <> Marginal -> (least (about p) = most (about p) \/ Z.to_nat (Int_part (w 2%positive)) = 0%nat)
    /\ (relation (about p) = Ldp -> Z.to_nat (Int_part (w 2%positive)) = 0%nat)).
  { intros every_counts N. rewrite every_counts in S2. cbn [orb] in S2. apply orb_prop in S2 as [Q|Q]; [destruct (relation (about p)); try discriminate; congruence|]. apply andb_prop in Q as [Q Q']. split.
    - apply orb_prop in Q as [Q|Q]; [right; exact (none Q)|left]. destruct (expr_dec (least (about p)) (most (about p))); [assumption|discriminate].
    - intros E. rewrite E in Q'. cbn [is_ldp negb orb] in Q'. exact (none Q'). }
  assert (reach : smallest (about p) = true -> exists s s' v, compared_pair w (Z.to_nat (Int_part (w 1%positive))) (Z.to_nat (Int_part (w 2%positive))) (about p) s s'
    /\ subject w (Z.to_nat (Int_part (w 1%positive))) (Z.to_nat (Int_part (w 2%positive))) (Z.to_nat (Int_part (w 3%positive))) (term_of t) (about p) s s' v
    /\ chance (relation (about p)) (law over_R w (fun _ => []) (Z.to_nat (Int_part (w 1%positive))) (Z.to_nat (Int_part (w 2%positive))) (term_of t) s) (key (relation (about p)) v)
      = value w (limit (about p)) * chance (relation (about p)) (law over_R w (fun _ => []) (Z.to_nat (Int_part (w 1%positive))) (Z.to_nat (Int_part (w 2%positive))) (term_of t) s') (key (relation (about p)) v)).
  { intros E. congruence. }
  destruct (term_of t) as [| | | | | | | |fn u] eqn:term; try discriminate. destruct fn; try discriminate. destruct u as [| | |t0| | | | |]; try discriminate.
  destruct t0 as [r| |r| | | | | |]; try discriminate.
  - unfold check_labels in C. apply andb_prop in C as [C O]. apply andb_prop in C as [C P]. apply andb_prop in C as [C B]. apply andb_prop in C as [La C].
    apply plain_sound in C, B, P. pose proof (Forall_inv C) as (_ & D & L). apply Forall_inv_tail in C. rewrite Forall_map in C. cbn [related] in L. rewrite value_Cst in L.
    split; [exact D|]. split.
    { revert C. apply Forall_impl. intros a (_ & _ & G). cbn [related] in G. now rewrite value_Cst in G. }
    split; [exact (drawn_shape w _ _ _)|]. split; [|exact reach]. intros s s' v.
    apply (drawn_bounded w _ _ _ (Row r) (about p)); [exact L|exact some| |exact sizes_alike]. intros y z v' Y J N.
    apply (label_items w _ _ (Z.to_nat (Int_part (w 3%positive))) r (about p) (no_others (sizes_of t)) K_is La none (limit (about p)) B P) with (x := y) (p := z); try assumption.
    intros E. rewrite E in O. cbn [is_marginal negb orb] in O. apply orb_prop in O as [O|O]; [now left|right; exact (none O)].
  - unfold check_drawn_bits in C. destruct (exponent_of (with_powers p) (limit (about p))) as [e|] eqn:limits; [|discriminate].
    destruct (exchanges (rate_of (with_powers p)) (no_others (sizes_of t))) as [sums|] eqn:ex; [|discriminate].
    apply andb_prop in C as [C E]. apply andb_prop in C as [C Ne]. apply andb_prop in C as [C We]. apply andb_prop in C as [C Sh]. apply andb_prop in C as [C B].
    apply andb_prop in C as [bits Nn]. apply andb_prop in bits as [every_counts bits]. apply negb_true_iff in every_counts. apply plain_sound in E, B, Nn. pose proof (Forall_inv E) as (_ & D & V). apply Forall_inv_tail in E. rewrite Forall_map in E.
    cbn [related] in V. rewrite value_Cst in V.
    destruct (exponent_sound (with_powers p) _ e w limits D one (whole_e_sound (sizes_of t) w here e We) V Ne) as (n & value_n & Ln & Dlim & Elim).
    split; [exact Dlim|]. split; [exact Elim|]. split; [exact (drawn_shape w _ _ _)|]. split; [|exact reach]. intros s s' v. rewrite Ln.
    apply (drawn_bounded w _ _ _ (EachItems r) (about p)); [now apply pow_R1_Rle|exact some| |exact sizes_alike]. intros y z v' Y J _.
    apply (bits_items w _ _ r (about p) (with_powers p) (no_others (sizes_of t)) n sums K_is bits Bs none Nn B) with (x := y) (p := z); try assumption.
    + intros N Mn. apply orb_prop in Sh as [Q|Q]; [|exact (plain_sound _ Q)]. apply orb_prop in Q as [Q|Q]; [|now specialize (none Q)].
      destruct (relation (about p)); try discriminate; congruence.
    + revert E. apply Forall_impl. intros k (_ & _ & G). cbn [related] in G. rewrite value_Cst, value_n, <- INR_IZR_INZ in G. now apply INR_le.
Qed.
