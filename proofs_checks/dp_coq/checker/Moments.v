(* Mean and variance of the count of an item in a user's report, computed from the term of the law. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values theorems.Expectations checker.Variances checker.Counts.
Import ListNotations.
Open Scope R_scope.

(* Whose report: of one item, by its group; of a user with m items, and whether the counted one is among them. *)
Inductive who := One (g : group) | Whole (holds : bool).
(* Mean and variance, each affine in the number of non-sensitive items of the user. *)
Record quad := Quad { mean0 : expr; mean1 : expr; var0 : expr; var1 : expr }.
Definition Square (e : expr) : expr := Mul e e.
Definition bernoulli (p : expr) : quad := Quad p (Cst 0) (Mul p (Sub (Cst 1) p)) (Cst 0).
Definition side_by_side (q r : quad) : quad :=
  Quad (Add (mean0 q) (mean0 r)) (Add (mean1 q) (mean1 r)) (Add (var0 q) (var0 r)) (Add (var1 q) (var1 r)).
Definition as_often (c : expr) (q : quad) : quad := Quad (Mul c (mean0 q)) (Mul c (mean1 q)) (Mul c (var0 q)) (Mul c (var1 q)).
Definition bit_class (c : class) : bool := match c with Bit0 | Bit1 => true | _ => false end.

Section Computed.
  Variables (rs : list range) (sens alone : bool).   (* of a sensitive item; there are no others *)
  Definition from_sensitive (g : group) : bool := match g with Mine => sens | Sensitive => true | NotSensitive => false end.
  Definition natural_e (c : expr) : bool :=
    match c with
    | Cst z => (0 <=? z)%Z
    | Var y => match range_at rs y with From low _ true => (0 <=? low)%Z | _ => false end
    | _ => false
    end.
  Definition bits_of (r : rows) (k : kind) (of_sensitive : bool) : bool :=
    forallb (fun c => bit_class (fst c)) (cells_of r k) && is_row rs (cells_of r k) of_sensitive.
  Definition all_bits (r : rows) : bool :=
    bits_of r Sen1 true && bits_of r Sen0 true && (alone || (bits_of r Non1 false && bits_of r Non0 false)).
  Definition mine (u : who) : bool := match u with One g => is_mine g | Whole h => h end.
  Definition kind_of_mine (h : bool) : kind := if sens then (if h then Sen1 else Sen0) else (if h then Non1 else Non0).
  (* The sum over the m items of a user of something that depends on the group. *)
  Definition over_items (h : bool) (a b c : expr) : expr * expr :=
    (Add (if h then Sub a (if sens then b else c) else Cst 0) (Mul (Var 3) b), Sub c b).
  Definition each_held (h : bool) (a b c : quad) : quad :=
    let mean := over_items h (mean0 a) (mean0 b) (mean0 c) in
    let var := over_items h (var0 a) (var0 b) (var0 c) in Quad (fst mean) (snd mean) (fst var) (snd var).
  Definition mean_square (q : quad) : expr := Add (var0 q) (Square (mean0 q)).
  Definition drawn (h : bool) (a b c : quad) : option quad :=
    let mean := over_items h (mean0 a) (mean0 b) (mean0 c) in
    let squares := over_items h (mean_square a) (mean_square b) (mean_square c) in
    if zero_e rs (snd mean) then
      Some (Quad (Div (fst mean) (Var 3)) (Cst 0)
        (Sub (Div (fst squares) (Var 3)) (Square (Div (fst mean) (Var 3)))) (Div (snd squares) (Var 3)))
    else None.
  Fixpoint moments_of (t : term) (u : who) : option quad :=
    let others t := if alone then moments_of t (One Sensitive) else moments_of t (One NotSensitive) in
    match t, u with
    | Row r, One g =>
        let cells := cells_of r (if from_sensitive g then Sen else Non) in
        if is_row rs cells (from_sensitive g) then Some (bernoulli (entry sens cells g)) else None
    | EachItems r, _ => if all_bits r then Some (bernoulli (entry sens (cells_of r (kind_of_mine (mine u))) Mine)) else None
    | EachHeld t, Whole h =>
        match moments_of t (One Mine), moments_of t (One Sensitive), others t with
        | Some a, Some b, Some c => Some (each_held h a b c) | _, _, _ => None
        end
    | Drawn t, Whole h =>
        match moments_of t (One Mine), moments_of t (One Sensitive), others t with
        | Some a, Some b, Some c => drawn h a b c | _, _, _ => None
        end
    | Pair a b, _ => match moments_of a u, moments_of b u with Some q, Some r => Some (side_by_side q r) | _, _ => None end
    | Copies c t, _ => if natural_e c then option_map (as_often c) (moments_of t u) else None
    | Push f t, _ => if keeps_counts f then moments_of t u else None
    | _, _ => None
    end.
End Computed.

Lemma value_Cst w z : value w (Cst z) = IZR z. Proof. apply Q2R_integer. Qed.
Lemma natural_sound rs w c : (forall y, in_range (range_at rs y) (w y)) -> natural_e rs c = true -> value w c = INR (Z.to_nat (Int_part (value w c))).
Proof.
  intros within H. assert (G : exists z, value w c = IZR z /\ (0 <= z)%Z).
  { destruct c; try discriminate; cbn [natural_e] in H.
    - apply Z.leb_le in H. exists z. split; [apply value_Cst|exact H].
    - unfold value; cbn [eval]. pose proof (within x) as I. destruct (range_at rs x) as [low st [|]|]; try discriminate.
      destruct I as [L W]. destruct (W eq_refl) as (z & E). exists z. split; [exact E|]. apply Z.leb_le in H. rewrite E in L.
      destruct st; [apply lt_IZR in L|apply le_IZR in L]; lia. }
  destruct G as (z & E & L). rewrite E. destruct (whole_IZR z) as [_ F]. rewrite F, INR_IZR_INZ, Z2Nat.id by exact L. reflexivity.
Qed.
Section Sound.
  Variables (rs : list range) (w : positive -> R) (fam : families over_R) (sens alone : bool) (x : nat).
  Hypothesis within : forall y, in_range (range_at rs y) (w y).
  Notation K := (size w 1).
  Notation N := (size w 2).
  Notation m := (size w 3).
  Hypothesis K_is : w 1%positive = INR K.
  Hypothesis m_is : w 3%positive = INR m.
  Hypothesis some_items : (0 < m)%nat.
  Hypothesis sens_is : sens = (x <? K)%nat.
  Hypothesis alone_is : alone = true -> N = 0%nat.
  Hypothesis x_is : (x < K + N)%nat.
  Definition describes (u : who) (s : list nat) (v : R) : Prop :=
    match u with
    | One g => exists y, s = [y] /\ g = group_of K x y /\ v = 0
    | Whole h => length s = m /\ Forall (fun y => (y < K + N)%nat) s /\ times x s = (if h then 1 else 0)%nat /\ v = INR (above K s)
    end.
  Definition mean_at (q : quad) (v : R) : R := value w (mean0 q) + v * value w (mean1 q).
  Definition var_at (q : quad) (v : R) : R := value w (var0 q) + v * value w (var1 q).
  Notation sound q law v := (moves law (count x) (mean_at q v) (var_at q v)).

  Lemma bernoulli_sound p v (d : dist R val) : moves d (count x) (value w p) (value w p * (1 - value w p)) -> sound (bernoulli p) d v.
  Proof.
    unfold mean_at, var_at; cbn [bernoulli mean0 mean1 var0 var1]. rewrite value_Cst, Rmult_0_r, !Rplus_0_r.
    assert (E : value w (Mul p (Sub (Cst 1) p)) = value w p * (1 - value w p)).
    { unfold value; cbn [eval mul sub integer of_Q over_R]. now rewrite Q2R_integer. }
    now rewrite E.
  Qed.
  Lemma from_sensitive_is y : from_sensitive sens (group_of K x y) = (y <? K)%nat.
  Proof. unfold group_of. destruct (Nat.eqb_spec y x) as [->|]; [exact sens_is|]. now destruct (y <? K)%nat. Qed.
  (* All items, each with its bit. *)
  Lemma each_items_sound r u s v : all_bits rs alone r = true -> describes u s v ->
    sound (bernoulli (entry sens (cells_of r (kind_of_mine sens (mine u))) Mine)) (law over_R w fam K N (EachItems r) s) v.
  Proof.
    intros H D. apply bernoulli_sound. cbn [law]. apply moves_push.
    apply moves_ext with (total (count x)); [intros l; symmetry; apply count_slots|].
    set (p := value w (entry _ _ _)). set (F := fun g => if is_mine g then p else 0).
    assert (Held : is_held x s = mine u).
    { unfold is_held. destruct u as [g|h]; cbn [describes mine] in *.
      - destruct D as (y & -> & -> & _). cbn [existsb]. unfold group_of. rewrite Nat.eqb_sym.
        destruct (y =? x)%nat; [reflexivity|]. destruct (y <? K)%nat; reflexivity.
      - destruct D as (_ & _ & T & _). destruct (existsb (Nat.eqb x) s) eqn:E.
        + apply existsb_exists in E as (y & J & E). apply Nat.eqb_eq in E as <-. apply (count_occ_In Nat.eq_dec) in J.
          unfold times in T. destruct h; [reflexivity|lia].
        + destruct h; [|reflexivity]. assert (J : In x s) by (apply (count_occ_In Nat.eq_dec); unfold times in T; lia).
          assert (existsb (Nat.eqb x) s = true) by (apply existsb_exists; exists x; split; [exact J|apply Nat.eqb_refl]). congruence. }
    assert (P : forall f, total (fun y => if is_mine (group_of K x y) then f else 0) (seq 0 (K + N)) = f).
    { intros f. rewrite (total_groups K x (fun g => if is_mine g then f else 0)). cbn [is_mine].
      rewrite (times_distinct x _ (seq_NoDup _ _)). destruct (in_dec Nat.eq_dec x (seq 0 (K + N))) as [J|J].
      - destruct (x <? K)%nat; simpl; lra.
      - destruct J. apply in_seq. lia. }
    rewrite <- (P p) at 1. rewrite <- (P (p * (1 - p))).
    apply moves_sequence. intros y Y. apply in_seq in Y.
    set (k := bit_kind K y (is_held y s)).
    assert (B : bits_of rs r k (y <? K)%nat = true).
    { unfold all_bits in H. apply andb_prop in H as [H H3]; apply andb_prop in H as [H1 H2]. unfold k, bit_kind.
      destruct (Nat.ltb_spec y K) as [L|L]; [now destruct (is_held y s)|].
      destruct alone; [rewrite (alone_is eq_refl) in Y; lia|]. apply andb_prop in H3 as [H3 H4]. now destruct (is_held y s). }
    apply andb_prop in B as [B R]. pose proof (moves_row rs w K x within K_is r k y R) as M.
    assert (E : value w (entry (x <? K)%nat (cells_of r k) (group_of K x y)) = if is_mine (group_of K x y) then p else 0).
    { unfold group_of. destruct (Nat.eqb_spec y x) as [->|NE]; cbn [is_mine].
      - unfold p, k. rewrite Held, sens_is. unfold bit_kind, kind_of_mine. reflexivity.
      - assert (Z : forall g, is_mine g = false -> value w (entry (x <? K)%nat (cells_of r k) g) = 0).
        { intros g G. clear - B G. induction (cells_of r k) as [|[c e] l IH]; [apply value_Cst|].
          cbn [forallb fst] in B. apply andb_prop in B as [B1 B2]. cbn [entry fold_right fst snd]. fold (entry (x <? K)%nat l g).
          destruct c; try discriminate; cbn [hit]; rewrite ?G; exact (IH B2). }
        destruct (y <? K)%nat; cbn [is_mine]; now apply Z. }
    cbv zeta in M. rewrite E in M. destruct (is_mine (group_of K x y)); [exact M|]. now replace (0 * (1 - 0)) with 0 in M by lra.
  Qed.
  Lemma over_items_sound h a b c s (F : group -> R) : describes (Whole h) s (INR (above K s)) ->
    F Mine = value w a -> F Sensitive = value w b -> F NotSensitive = value w c ->
    total (fun y => F (group_of K x y)) s = value w (fst (over_items sens h a b c)) + INR (above K s) * value w (snd (over_items sens h a b c)).
  Proof.
    intros (L & _ & T & _) A B C. rewrite total_groups, T, L, <- m_is, <- sens_is, A, B.
    replace (F (if sens then Sensitive else NotSensitive)) with (value w (if sens then b else c)) by (destruct sens; auto).
    rewrite C. cbn [over_items fst snd]. unfold value. cbn [eval add sub mul over_R].
    destruct h; cbn [eval sub integer of_Q over_R]; rewrite ?Q2R_integer; cbn [INR]; lra.
  Qed.
  Definition by_group (a b c : quad) (g : group) : quad := match g with Mine => a | Sensitive => b | NotSensitive => c end.
  Lemma groups_sound t a b c s h :
    (forall g q y, moments_of rs sens alone t (One g) = Some q -> describes (One g) [y] 0 -> sound q (law over_R w fam K N t [y]) 0) ->
    moments_of rs sens alone t (One Mine) = Some a -> moments_of rs sens alone t (One Sensitive) = Some b ->
    (if alone then moments_of rs sens alone t (One Sensitive) else moments_of rs sens alone t (One NotSensitive)) = Some c ->
    describes (Whole h) s (INR (above K s)) -> forall y, In y s ->
    moves (law over_R w fam K N t [y]) (count x) (value w (mean0 (by_group a b c (group_of K x y)))) (value w (var0 (by_group a b c (group_of K x y)))).
  Proof.
    intros IH A B C (_ & I & _ & _) y J. rewrite Forall_forall in I. specialize (I y J).
    assert (S : sound (by_group a b c (group_of K x y)) (law over_R w fam K N t [y]) 0).
    { apply (IH (group_of K x y)); [|exists y; auto]. destruct (group_of K x y) eqn:G; [exact A|exact B|].
      destruct alone; [|exact C]. exfalso. rewrite (alone_is eq_refl) in I. unfold group_of in G.
      destruct (y =? x)%nat; [discriminate|]. destruct (Nat.ltb_spec y K); [discriminate|lia]. }
    unfold mean_at, var_at in S. now rewrite !Rmult_0_l, !Rplus_0_r in S.
  Qed.
  (* The moments that are computed are those of the law. *)
  Theorem moments_sound t : forall u q s v, moments_of rs sens alone t u = Some q -> describes u s v ->
    sound q (law over_R w fam K N t s) v.
  Proof.
    induction t as [r|t IH|r|t IH|a IHa b IHb|c t IH|f b t IH|p t IH|f t IH]; intros u q s v H D; cbn [moments_of] in H; try discriminate.
    - destruct u as [g|]; [|discriminate]. destruct D as (y & -> & -> & ->). rewrite from_sensitive_is in H.
      destruct (is_row rs _ _) eqn:R; [|discriminate]. injection H as <-. apply bernoulli_sound. cbn [law].
      rewrite sens_is. now apply moves_row with rs.
    - destruct u as [|h]; [discriminate|]. destruct (moments_of _ _ _ t (One Mine)) as [a|] eqn:A; [|discriminate].
      destruct (moments_of _ _ _ t (One Sensitive)) as [b|] eqn:B; [|discriminate].
      destruct (if alone then Some b else _) as [c|] eqn:C; [|discriminate]. injection H as <-.
      assert (v = INR (above K s)) as -> by (destruct D as (_ & _ & _ & D); exact D).
      cbn [law]. apply moves_push. apply moves_ext with (total (count x)); [intros l; symmetry; apply count_slots|].
      unfold mean_at, var_at, each_held; cbn [mean0 mean1 var0 var1].
      rewrite <- (over_items_sound h (mean0 a) (mean0 b) (mean0 c) s (fun g => value w (mean0 (by_group a b c g))) D eq_refl eq_refl eq_refl).
      rewrite <- (over_items_sound h (var0 a) (var0 b) (var0 c) s (fun g => value w (var0 (by_group a b c g))) D eq_refl eq_refl eq_refl).
      apply moves_sequence. rewrite <- B in C. apply (groups_sound t a b c s h); auto. intros; now apply IH with (One g).
    - destruct (all_bits rs alone r) eqn:B; [|discriminate]. injection H as <-. now apply each_items_sound.
    - destruct u as [|h]; [discriminate|]. destruct (moments_of _ _ _ t (One Mine)) as [a|] eqn:A; [|discriminate].
      destruct (moments_of _ _ _ t (One Sensitive)) as [b|] eqn:B; [|discriminate].
      destruct (if alone then Some b else _) as [c|] eqn:C; [|discriminate].
      assert (v = INR (above K s)) as -> by (destruct D as (_ & _ & _ & D); exact D).
      unfold drawn in H. destruct (zero_e rs _) eqn:Z; [|discriminate].
      match type of H with Some ?r = _ => assert (q = r) as -> by congruence end. apply (zero_e_sound _ _ within) in Z as [Z _].
      pose proof (over_items_sound h (mean0 a) (mean0 b) (mean0 c) s (fun g => value w (mean0 (by_group a b c g))) D eq_refl eq_refl eq_refl) as TM.
      pose proof (over_items_sound h (mean_square a) (mean_square b) (mean_square c) s
        (fun g => value w (mean_square (by_group a b c g))) D eq_refl eq_refl eq_refl) as TS.
      rewrite Z, Rmult_0_r, Rplus_0_r in TM. assert (Ls : INR (length s) = w 3%positive) by (rewrite m_is; destruct D as (-> & _); reflexivity).
      assert (NE : s <> []) by (destruct D as (L & _); destruct s; [simpl in L; lia|discriminate]).
      assert (W3 : w 3%positive <> 0) by (rewrite m_is; apply not_0_INR; lia).
      pose proof (@moves_choice nat val (fun y => law over_R w fam K N t [y]) (count x) (fun y => value w (mean0 (by_group a b c (group_of K x y))))
        (fun y => value w (var0 (by_group a b c (group_of K x y)))) s NE) as M.
      rewrite Ls, TM in M. cbn [law]. replace (map _ s) with (map (fun i => (/ w 3%positive, i)) s).
      2: { apply map_ext; intros y. cbn [div integer of_Q over_R]. rewrite !Q2R_integer, <- INR_IZR_INZ, Ls. f_equal. unfold Rdiv; rewrite Rmult_1_l; reflexivity. }
      rewrite <- B in C. specialize (M (groups_sound t a b c s h (fun g q y A D => IH (One g) q [y] 0 A D) A B C D)).
      revert M. rewrite (total_ext_in _ (fun y => value w (mean_square (by_group a b c (group_of K x y))))).
      + rewrite TS. clear TM TS Z.
        generalize (fst (over_items sens h (mean0 a) (mean0 b) (mean0 c))), (fst (over_items sens h (mean_square a) (mean_square b) (mean_square c))),
          (snd (over_items sens h (mean_square a) (mean_square b) (mean_square c))). intros m0 s0 s1. unfold mean_at, var_at; cbn [mean0 mean1 var0 var1]. unfold value; cbn [Square eval add sub mul div integer of_Q over_R].
        rewrite Q2R_integer. intros M; apply (moves_is M); [ring|field; exact W3].
      + intros y _. unfold mean_square, Square, value; cbn [eval add mul over_R]. ring.
    - destruct (moments_of _ _ _ a u) as [q1|] eqn:A; [|discriminate]. destruct (moments_of _ _ _ b u) as [q2|] eqn:B; [|discriminate].
      injection H as <-. specialize (IHa _ _ _ _ A D); specialize (IHb _ _ _ _ B D). cbn [law].
      pose proof (@moves_two _ _ _ (fun y z => Tup [y; z]) _ _ (count x) (count x) (count x) _ _ _ _
        (fun y z => eq_trans (count_slots x [y; z]) (f_equal (Rplus (count x y)) (Rplus_0_r (count x z)))) IHa IHb) as M.
      revert M. unfold mean_at, var_at, value; cbn [side_by_side mean0 mean1 var0 var1 eval add over_R].
      intros M; apply (moves_is M); lra.
    - destruct (natural_e rs c) eqn:C; [|discriminate]. destruct (moments_of _ _ _ t u) as [r|] eqn:A; [|discriminate].
      injection H as <-. cbn [law]. apply moves_push. apply moves_ext with (total (count x)); [intros l; symmetry; apply count_slots|].
      rewrite eval_world by exact K_is. cbn [floor over_R]. apply (natural_sound rs w c within) in C. set (n := Z.to_nat _) in *.
      rewrite <- (map_id (repeat _ n)).
      pose proof (@moves_sequence _ _ (fun d : dist R val => d) (count x) (fun _ => mean_at r v) (fun _ => var_at r v) (repeat (law over_R w fam K N t s) n)) as M.
      rewrite !total_const, repeat_length, <- C in M.
      assert (G : mean_at (as_often c r) v = value w c * mean_at r v /\ var_at (as_often c r) v = value w c * var_at r v).
      { unfold mean_at, var_at, value; cbn [as_often mean0 mean1 var0 var1 eval mul over_R]. split; ring. }
      destruct G as [-> ->]. apply M. intros d J. apply repeat_spec in J as ->. now apply IH with u.
    - destruct (keeps_counts f) eqn:F; [|discriminate]. cbn [law]. apply moves_push.
      apply moves_ext with (count x); [|now apply IH with u]. intros y; symmetry; now apply count_seen.
  Qed.
End Sound.
