(* Mean and variance of the count of an item in a user's report, computed from the term of the law. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values theorems.Expectations checker.Variances checker.Counts checker.Users checker.Chances.
Import ListNotations.
Open Scope R_scope.

(* Mean and variance, each affine in the number of non-sensitive items of the user. *)
Record quad := Quad { mean0 : expr; mean1 : expr; var0 : expr; var1 : expr }.
Definition Square (e : expr) : expr := Mul e e.
Definition bernoulli (p : expr) : quad := Quad p (Cst 0) (Mul p (Sub (Cst 1) p)) (Cst 0).
Definition side_by_side (q r : quad) : quad :=
  Quad (Add (mean0 q) (mean0 r)) (Add (mean1 q) (mean1 r)) (Add (var0 q) (var0 r)) (Add (var1 q) (var1 r)).
Definition as_often (c : expr) (q : quad) : quad := Quad (Mul c (mean0 q)) (Mul c (mean1 q)) (Mul c (var0 q)) (Mul c (var1 q)).


Section Computed.
  Variables (rs : list range) (sens alone : bool).
  Notation over_items := (over_items sens).
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
        let cells := cells_of r (if from_sensitive sens g then Sen else Non) in
        if is_row rs cells (from_sensitive sens g) then Some (bernoulli (entry sens cells g)) else None
    | EachItems r, _ => if all_bits rs alone r then Some (bernoulli (entry sens (cells_of r (kind_of_mine sens (mine u))) Mine)) else None
    | EachHeld t, Whole h =>
        match moments_of t (One Mine), moments_of t (One Sensitive), others t with
        | Some a, Some b, Some c => Some (each_held h a b c) | _, _, _ => None
        end
    | Drawn t, Whole h =>
        match moments_of t (One Mine), moments_of t (One Sensitive), others t with
        | Some a, Some b, Some c => drawn h a b c | _, _, _ => None
        end
    | Pair a b, _ => match moments_of a u, moments_of b u with Some q, Some r => Some (side_by_side q r) | _, _ => None end
    | Copies c t, _ => if natural_e rs c then option_map (as_often c) (moments_of t u) else None
    | Push f t, _ =>
        if keeps_counts f then moments_of t u
        else option_map (fun q => bernoulli (Sub (Cst 1) q)) (misses_of rs sens alone t u)
    | _, _ => None
    end.
End Computed.

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
  Notation describes := (describes w x).
  Notation over_items_sound := (over_items_sound w sens x m_is sens_is).
  Notation from_sensitive_is := (from_sensitive_is w sens x sens_is).
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
  (* All items, each with its bit. *)
  Lemma each_items_sound r u s v : all_bits rs alone r = true -> describes u s v ->
    sound (bernoulli (entry sens (cells_of r (kind_of_mine sens (mine u))) Mine)) (law over_R w fam K N (EachItems r) s) v.
  Proof.
    intros H D. apply bernoulli_sound. cbn [law]. apply moves_push.
    apply moves_ext with (total (count x)); [intros l; symmetry; apply count_slots|].
    set (p := value w (entry _ _ _)). rewrite <- (once w sens alone x some_items sens_is alone_is x_is p) at 1. rewrite <- (once w sens alone x some_items sens_is alone_is x_is (p * (1 - p))).
    apply moves_sequence. intros y Y. apply in_seq in Y.
    pose proof (bits_sound rs w sens alone x within K_is some_items sens_is alone_is x_is r u s v y H D) as M. cbv zeta in M. fold p in M.
    destruct (is_mine (group_of K x y)); [apply M; lia|]. apply (moves_is (M ltac:(lia))); ring.
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
  Theorem moments_sound t : forall u q s v, moments_of rs sens alone t u = Some q -> describes u s v -> (forall h, u = Whole h -> NoDup s) ->
    sound q (law over_R w fam K N t s) v.
  Proof.
    induction t as [r|t IH|r|t IH|a IHa b IHb|c t IH|f b t IH|p t IH|f t IH]; intros u q s v H D ND; cbn [moments_of] in H; try discriminate.
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
      apply moves_sequence. rewrite <- B in C. apply (groups_sound t a b c s h); auto. intros; apply IH with (One g); auto; discriminate.
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
      rewrite <- B in C. specialize (M (groups_sound t a b c s h (fun g q y A D => IH (One g) q [y] 0 A D (fun h E => ltac:(discriminate E))) A B C D)).
      revert M. rewrite (total_ext_in _ (fun y => value w (mean_square (by_group a b c (group_of K x y))))).
      + rewrite TS. clear TM TS Z.
        generalize (fst (over_items sens h (mean0 a) (mean0 b) (mean0 c))), (fst (over_items sens h (mean_square a) (mean_square b) (mean_square c))),
          (snd (over_items sens h (mean_square a) (mean_square b) (mean_square c))). intros m0 s0 s1. unfold mean_at, var_at; cbn [mean0 mean1 var0 var1]. unfold value; cbn [Square eval add sub mul div integer of_Q over_R].
        rewrite Q2R_integer. intros M; apply (moves_is M); [ring|field; exact W3].
      + intros y _. unfold mean_square, Square, value; cbn [eval add mul over_R]. ring.
    - destruct (moments_of _ _ _ a u) as [q1|] eqn:A; [|discriminate]. destruct (moments_of _ _ _ b u) as [q2|] eqn:B; [|discriminate].
      injection H as <-. specialize (IHa _ _ _ _ A D ND); specialize (IHb _ _ _ _ B D ND). cbn [law].
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
    - destruct (keeps_counts f) eqn:F.
      + cbn [law]. apply moves_push. apply moves_ext with (count x); [|now apply IH with u]. intros y; symmetry; now apply count_seen.
      + destruct f; try discriminate. destruct (misses_of rs sens alone t u) as [e|] eqn:M; [|discriminate]. injection H as <-.
        apply (misses_sound rs w fam sens alone x within K_is m_is some_items sens_is alone_is x_is t _ _ _ _ M D) in ND as (L & Q).
        apply bernoulli_sound. rewrite value_Sub1. cbn [law]. split; [now apply law_push|]. rewrite !E_push.
        assert (G : forall k, (k = 1 \/ k = 2)%nat -> E (law over_R w fam K N t s) (fun y => count x (apply AsSet K y) ^ k) = 1 - value w e).
        { intros k k12. rewrite (E_ext _ _ (fun y => 1 + (-1) * miss x y)).
          - rewrite E_plus, E_scal, Q, (proj2 L). lra.
          - intros y. rewrite <- (miss_seen AsSet K x y), (miss_count x (apply AsSet K y)) by apply times_set.
            pose proof (times_set K x y) as S. unfold count. destruct (times x (flat (apply AsSet K y))) as [|[|]]; simpl; destruct k12 as [->| ->]; simpl; try lra; lia. }
        split; [rewrite <- (G 1%nat) by auto; apply E_ext; intros y; ring|rewrite (G 2%nat) by auto; ring].
  Qed.
End Sound.
