(* The chance that no report of a user shows the item, computed from the term of the law. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values checker.Powers theorems.Expectations checker.Variances checker.Counts checker.Users.
Import ListNotations.
Open Scope R_scope.

Definition miss (x : nat) (v : val) : R := if (times x (flat v) =? 0)%nat then 1 else 0.
Definition misses (x : nat) (d : dist R val) (q : R) : Prop := is_law d /\ E d (miss x) = q.
Definition product {O} (X : O -> R) (l : list O) : R := fold_right (fun o rest => X o * rest) 1 l.

Section Computed.
  Variables (rs : list range) (sens alone : bool).
  Definition is_1 (e : expr) : bool := zero_e rs (Sub e (Cst 1)).
  (* Of every held item: others do not show it at all, or all others with the same chance. *)
  Definition none_of_held (h : bool) (a b c : expr) : option expr :=
    if is_1 b && is_1 c then Some (if h then a else Cst 1) else None.
  Definition none_of_drawn (h : bool) (a b c : expr) : option expr :=
    let mean := over_items sens h a b c in
    if zero_e rs (snd mean) then Some (Div (fst mean) (Var 3)) else None.
  Fixpoint misses_of (t : term) (u : who) : option expr :=
    let others t := if alone then misses_of t (One Sensitive) else misses_of t (One NotSensitive) in
    match t, u with
    | Row r, One g =>
        let cells := cells_of r (if from_sensitive sens g then Sen else Non) in
        if is_row rs cells (from_sensitive sens g) then Some (Sub (Cst 1) (entry sens cells g)) else None
    | EachItems r, _ =>
        if all_bits rs alone r then Some (Sub (Cst 1) (entry sens (cells_of r (kind_of_mine sens (mine u))) Mine)) else None
    | EachHeld t, Whole h =>
        match misses_of t (One Mine), misses_of t (One Sensitive), others t with
        | Some a, Some b, Some c => none_of_held h a b c | _, _, _ => None
        end
    | Drawn t, Whole h =>
        match misses_of t (One Mine), misses_of t (One Sensitive), others t with
        | Some a, Some b, Some c => none_of_drawn h a b c | _, _, _ => None
        end
    | Pair a b, _ => match misses_of a u, misses_of b u with Some q, Some r => Some (Mul q r) | _, _ => None end
    | Push f t, _ => misses_of t u
    | _, _ => None
    end.
End Computed.

Lemma E_ext_in A (d : dist R A) f g : (forall p o, In (p, o) d -> f o = g o) -> E d f = E d g.
Proof.
  induction d as [|[p o] d IH]; intros H; [reflexivity|]. cbn [E]. rewrite (H p o (or_introl eq_refl)), IH; [reflexivity|].
  intros q o' J; apply (H q o'); now right.
Qed.
Lemma miss_slots x l : miss x (Tup l) = product (miss x) l.
Proof.
  unfold miss; induction l as [|v l IH]; [reflexivity|]. cbn [flat flat_map product fold_right] in *.
  fold (product (fun v => if (times x (flat v) =? 0)%nat then 1 else 0) l). rewrite <- IH, times_app.
  destruct (times x (flat v)), (times x (flat_map flat l)); simpl; lra.
Qed.
Lemma E_product I O (law : I -> dist R O) X l : E (rsequence (map law l)) (product X) = product (fun i => E (law i) X) l.
Proof.
  induction l as [|i l IH]; cbn [map sequence]; [now rewrite E_point|]. rewrite E_bind.
  cbn [product fold_right]. fold (product (fun i => E (law i) X) l). rewrite <- IH.
  rewrite (E_ext (law i) _ (fun a => E (rsequence (map law l)) (product X) * X a)).
  - rewrite E_scal. ring.
  - intros a. rewrite E_push, (E_ext _ _ (fun b => X a * product X b)) by reflexivity. rewrite E_scal. ring.
Qed.
Lemma law_sequence O (ds : list (dist R O)) : (forall d, In d ds -> is_law d) -> is_law (rsequence ds).
Proof.
  induction ds as [|d ds IH]; intros H; cbn [sequence]; [apply law_point|]. apply law_bind; [apply H; now left|].
  intros a. apply law_push, IH. intros e J; apply H; now right.
Qed.
Lemma law_moves O (d : dist R O) : is_law d -> moves d (fun _ => 0) 0 0.
Proof. intros L. split; [exact L|]. rewrite E_zero. split; [reflexivity|]. rewrite (E_ext d _ (fun _ => 0)) by (intros; lra). rewrite E_zero; lra. Qed.
Lemma product_all I (f : I -> R) l : (forall i, In i l -> f i = 1) -> product f l = 1.
Proof. induction l as [|i l IH]; intros H; [reflexivity|]. simpl. rewrite H, IH; simpl; auto; [lra|]. intros j J; apply H; now right. Qed.
(* Of several, one: the others are 1. *)
Lemma product_once (p : R) x l (f : nat -> R) : NoDup l -> (forall y, In y l -> f y = if (y =? x)%nat then p else 1) ->
  product f l = if (times x l =? 0)%nat then 1 else p.
Proof.
  intros D F. induction D as [|y l NI D IH]; [reflexivity|]. cbn [product fold_right]. fold (product f l).
  rewrite (F y (or_introl eq_refl)). unfold times in *; cbn [count_occ]. destruct (Nat.eq_dec y x) as [->|NE].
  - rewrite Nat.eqb_refl, product_all; [simpl; lra|]. intros z Z. rewrite (F z (or_intror Z)). destruct (Nat.eqb_spec z x) as [->|]; [contradiction|reflexivity].
  - destruct (Nat.eqb_spec y x); [contradiction|]. rewrite IH by (intros; apply F; now right). lra.
Qed.
(* Also sets show what occurs at all. *)
Lemma times_nodup x l : (times x (nodup Nat.eq_dec l) =? 0)%nat = (times x l =? 0)%nat.
Proof.
  assert (Z : forall k, (times x k =? 0)%nat = true <-> ~ In x k).
  { intros k. unfold times. rewrite Nat.eqb_eq. symmetry. apply count_occ_not_In. }
  apply eq_true_iff_eq. rewrite !Z, nodup_In. reflexivity.
Qed.
Lemma miss_seen f K x v : miss x (apply f K v) = miss x v.
Proof.
  destruct (keeps_counts f) eqn:C.
  - pose proof (count_seen f K x v C) as H. unfold count in H. apply INR_eq in H. unfold miss. now rewrite H.
  - destruct f; try discriminate. unfold miss. cbn [apply flat flat_map]. rewrite app_nil_r, times_app, !flat_items.
    assert (A := times_nodup x (isort (filter (fun z => (z <? K)%nat) (flat v)))).
    assert (B := times_nodup x (isort (filter (fun z => (K <=? z)%nat) (flat v)))).
    rewrite times_sorted, times_filter in A. rewrite times_sorted, times_filter in B. revert A B.
    generalize (times x (nodup Nat.eq_dec (isort (filter (fun z => (z <? K)%nat) (flat v))))),
      (times x (nodup Nat.eq_dec (isort (filter (fun z => (K <=? z)%nat) (flat v))))), (times x (flat v)). intros a b n A B.
    assert (E : (a + b =? 0)%nat = (n =? 0)%nat).
    { destruct a, b, n, (Nat.ltb_spec x K), (Nat.leb_spec K x); cbn in *; try discriminate; try reflexivity; lia. }
    now rewrite E.
Qed.
Lemma miss_count x v : (times x (flat v) <= 1)%nat -> miss x v = 1 - count x v.
Proof. unfold miss, count. intros L. destruct (times x (flat v)) as [|[|]]; simpl; try lra; lia. Qed.
Lemma labels_small K c y z x : In z (labels_of K c y) -> (times x (flat z) <= 1)%nat.
Proof.
  assert (I1 : forall n, (times x (flat (Item n)) <= 1)%nat) by (intros n; unfold times; cbn; destruct (Nat.eq_dec n x); lia).
  destruct c; cbn [labels_of]; intros J; try (apply in_map_iff in J as (n & <- & _); apply I1); destruct J as [<-|[]]; try apply I1.
  unfold times; simpl; lia.
Qed.

Lemma value_Sub1 w e : value w (Sub (Cst 1) e) = 1 - value w e.
Proof. unfold value; cbn [eval sub integer of_Q over_R]. now rewrite Q2R_integer. Qed.
Lemma times_set K x v : (times x (flat (apply AsSet K v)) <= 1)%nat.
Proof.
  cbn [apply flat flat_map]. rewrite app_nil_r, times_app, !flat_items.
  assert (D : forall l, (times x (nodup Nat.eq_dec l) <= 1)%nat).
  { intros l. rewrite times_distinct by apply NoDup_nodup. destruct (in_dec _ _ _); lia. }
  assert (O : forall l, times x l = 0%nat -> times x (nodup Nat.eq_dec l) = 0%nat).
  { intros l Z. pose proof (times_nodup x l) as H. rewrite Z in H. now apply Nat.eqb_eq in H. }
  destruct (Nat.ltb_spec x K) as [L|L].
  - rewrite (O (isort (filter (fun z => (K <=? z)%nat) (flat v)))); [rewrite Nat.add_0_r; apply D|].
    rewrite times_sorted, times_filter. destruct (Nat.leb_spec K x); [lia|reflexivity].
  - rewrite (O (isort (filter (fun z => (z <? K)%nat) (flat v)))); [apply D|].
    rewrite times_sorted, times_filter. destruct (Nat.ltb_spec x K); [lia|reflexivity].
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
  Notation describes := (describes w x).

  Lemma misses_cells r k y p v : moves (cells over_R w K r k y) (count x) p v -> misses x (cells over_R w K r k y) (1 - p).
  Proof.
    intros (L & M & _). split; [exact L|]. rewrite (E_ext_in _ _ _ (fun z => 1 + (-1) * count x z)).
    - rewrite E_plus, E_scal, M, (proj2 L). lra.
    - intros q z J. unfold cells in J. apply in_flat_map in J as (c & _ & J). apply in_map_iff in J as (z' & E & J). injection E as _ <-.
      rewrite miss_count; [lra|]. exact (labels_small K (fst c) y _ x J).
  Qed.
  Lemma is_1_sound e : is_1 rs e = true -> value w e = 1.
  Proof.
    intros H. apply (zero_e_sound _ _ within) in H as [Z _]. unfold value in *; cbn [eval sub integer of_Q over_R] in Z.
    rewrite Q2R_integer in Z. lra.
  Qed.
  Definition of_group (a b c : expr) (g : group) : expr := match g with Mine => a | Sensitive => b | NotSensitive => c end.
  Lemma chances_of_groups t a b c s h :
    (forall g q y, misses_of rs sens alone t (One g) = Some q -> describes (One g) [y] 0 -> misses x (law over_R w fam K N t [y]) (value w q)) ->
    misses_of rs sens alone t (One Mine) = Some a -> misses_of rs sens alone t (One Sensitive) = Some b ->
    (if alone then misses_of rs sens alone t (One Sensitive) else misses_of rs sens alone t (One NotSensitive)) = Some c ->
    describes (Whole h) s (INR (above K s)) -> forall y, In y s ->
    misses x (law over_R w fam K N t [y]) (value w (of_group a b c (group_of K x y))).
  Proof.
    intros IH A B C (_ & I & _ & _) y J. rewrite Forall_forall in I. specialize (I y J).
    apply (IH (group_of K x y)); [|exists y; auto]. destruct (group_of K x y) eqn:G; [exact A|exact B|].
    destruct alone; [|exact C]. exfalso. rewrite (alone_is eq_refl) in I. unfold group_of in G.
    destruct (y =? x)%nat; [discriminate|]. destruct (Nat.ltb_spec y K); [discriminate|lia].
  Qed.
  (* The chance that is computed is that of the law. *)
  Theorem misses_sound t : forall u q s v, misses_of rs sens alone t u = Some q -> describes u s v -> (forall h, u = Whole h -> NoDup s) ->
    misses x (law over_R w fam K N t s) (value w q).
  Proof.
    induction t as [r|t IH|r|t IH|a IHa b IHb|c t IH|f b t IH|p t IH|f t IH]; intros u q s v H D ND; cbn [misses_of] in H; try discriminate.
    - destruct u as [g|]; [|discriminate]. destruct D as (y & -> & -> & ->). rewrite (from_sensitive_is w sens x sens_is) in H.
      destruct (is_row rs _ _) eqn:R; [|discriminate]. injection H as <-. rewrite value_Sub1. cbn [law].
      eapply misses_cells. rewrite sens_is. now apply moves_row with rs.
    - destruct u as [|h]; [discriminate|]. destruct (misses_of _ _ _ t (One Mine)) as [a|] eqn:A; [|discriminate].
      destruct (misses_of _ _ _ t (One Sensitive)) as [b|] eqn:B; [|discriminate].
      destruct (if alone then Some b else _) as [c|] eqn:C; [|discriminate].
      assert (v = INR (above K s)) as -> by (destruct D as (_ & _ & _ & D); exact D).
      unfold none_of_held in H. destruct (is_1 rs b && is_1 rs c) eqn:O; [|discriminate]. apply andb_prop in O as [O1 O2].
      apply is_1_sound in O1; apply is_1_sound in O2.
      rewrite <- B in C. pose proof (chances_of_groups t a b c s h (fun g q y A D => IH (One g) q [y] 0 A D (fun h E => ltac:(discriminate E))) A B C D) as G.
      cbn [law]. split.
      + apply law_push, law_sequence. intros d J. apply in_map_iff in J as (y & <- & J). exact (proj1 (G y J)).
      + rewrite E_push, (E_ext _ _ (product (miss x))) by (intros l; apply miss_slots). rewrite E_product.
        rewrite (product_once (value w a) x s).
        * destruct D as (_ & _ & -> & _). destruct h; injection H as <-; [reflexivity|]. cbn [Nat.eqb]. symmetry. apply value_Cst.
        * exact (ND h eq_refl).
        * intros y J. rewrite (proj2 (G y J)). unfold group_of. destruct (y =? x)%nat; [reflexivity|].
          destruct (y <? K)%nat; assumption.
    - destruct (all_bits rs alone r) eqn:B; [|discriminate]. injection H as <-. rewrite value_Sub1. cbn [law].
      set (p := value w (entry _ _ _)).
      assert (G : forall y, (y < K + N)%nat -> misses x (cells over_R w K r (bit_kind K y (is_held y s)) y) (1 - if is_mine (group_of K x y) then p else 0)).
      { intros y Y. eapply misses_cells. exact (bits_sound rs w sens alone x within K_is some_items sens_is alone_is x_is r u s v y B D Y). }
      split.
      + apply law_push, law_sequence. intros d J. apply in_map_iff in J as (y & <- & J). apply in_seq in J. apply G. lia.
      + rewrite E_push, (E_ext _ _ (product (miss x))) by (intros l; apply miss_slots). rewrite E_product.
        rewrite (product_once (1 - p) x).
        * rewrite times_distinct by apply seq_NoDup. destruct (in_dec Nat.eq_dec x (seq 0 (K + N))) as [_|J]; [reflexivity|].
          destruct J. apply in_seq. lia.
        * apply seq_NoDup.
        * intros y J. apply in_seq in J. rewrite (proj2 (G y ltac:(lia))). unfold group_of.
          destruct (y =? x)%nat; cbn [is_mine]; [lra|]. destruct (y <? K)%nat; cbn [is_mine]; lra.
    - destruct u as [|h]; [discriminate|]. destruct (misses_of _ _ _ t (One Mine)) as [a|] eqn:A; [|discriminate].
      destruct (misses_of _ _ _ t (One Sensitive)) as [b|] eqn:B; [|discriminate].
      destruct (if alone then Some b else _) as [c|] eqn:C; [|discriminate].
      assert (v = INR (above K s)) as -> by (destruct D as (_ & _ & _ & D); exact D).
      unfold none_of_drawn in H. destruct (zero_e rs _) eqn:Z; [|discriminate].
      match type of H with Some ?r = _ => assert (q = r) as -> by congruence end. apply (zero_e_sound _ _ within) in Z as [Z _].
      rewrite <- B in C. pose proof (chances_of_groups t a b c s h (fun g q y A D => IH (One g) q [y] 0 A D (fun h E => ltac:(discriminate E))) A B C D) as G.
      pose proof (over_items_sound w sens x m_is sens_is h a b c s (fun g => value w (of_group a b c g)) D eq_refl eq_refl eq_refl) as T.
      rewrite Z, Rmult_0_r, Rplus_0_r in T. assert (Ls : INR (length s) = w 3%positive) by (rewrite m_is; destruct D as (-> & _); reflexivity).
      assert (NE : s <> []) by (destruct D as (L & _); destruct s; [simpl in L; lia|discriminate]).
      assert (W3 : w 3%positive <> 0) by (rewrite m_is; apply not_0_INR; lia). cbn [law].
      replace (map _ s) with (map (fun i => (/ INR (length s), i)) s).
      2: { apply map_ext; intros y. cbn [div integer of_Q over_R]. rewrite !Q2R_integer, <- INR_IZR_INZ. f_equal. unfold Rdiv; rewrite Rmult_1_l; reflexivity. }
      split.
      + exact (proj1 (@moves_choice nat val (fun y => law over_R w fam K N t [y]) (fun _ => 0) (fun _ => 0) (fun _ => 0) s NE
          (fun y J => law_moves _ _ (proj1 (G y J))))).
      + rewrite E_bind. transitivity (/ INR (length s) * total (fun y => value w (of_group a b c (group_of K x y))) s).
        * clear - G. revert G. generalize (/ INR (length s)) as k. intros k G.
          induction s as [|y s IHs]; [simpl; lra|]. cbn [map E total fold_right]. fold (total (fun y => value w (of_group a b c (group_of K x y))) s).
          rewrite IHs by (intros; apply G; now right). rewrite (proj2 (G y (or_introl eq_refl))). lra.
        * rewrite T, Ls. unfold value at 2; cbn [eval div over_R]. unfold value. field. exact W3.
    - destruct (misses_of _ _ _ a u) as [q1|] eqn:A; [|discriminate]. destruct (misses_of _ _ _ b u) as [q2|] eqn:B; [|discriminate].
      injection H as <-. destruct (IHa _ _ _ _ A D ND) as [La Ea], (IHb _ _ _ _ B D ND) as [Lb Eb]. cbn [law]. split.
      + apply law_bind; [exact La|]. intros y. now apply law_push.
      + rewrite E_bind, (E_ext _ _ (fun y => value w q2 * miss x y)).
        * rewrite E_scal, Ea. unfold value; cbn [eval mul over_R]. ring.
        * intros y. rewrite E_push, <- Eb, Rmult_comm, <- E_scal. apply E_ext. intros z. rewrite miss_slots. simpl. ring.
    - destruct (IH _ _ _ _ H D ND) as [L Eq]. cbn [law]. split; [now apply law_push|]. rewrite E_push, <- Eq. apply E_ext. intros y.
      apply miss_seen.
  Qed.
End Sound.
