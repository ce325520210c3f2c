(* Users as an item sees them, and rows that have been checked: what moments and chances are computed from. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values theorems.Expectations checker.Variances checker.Counts.
Import ListNotations.
Open Scope R_scope.

(* Whose report: of one item, by its group; of a user with m items, and whether the counted one is among them. *)
Inductive who := One (g : group) | Whole (holds : bool).
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
  Lemma from_sensitive_is y : from_sensitive sens (group_of K x y) = (y <? K)%nat.
  Proof. unfold group_of. destruct (Nat.eqb_spec y x) as [->|]; [exact sens_is|]. now destruct (y <? K)%nat. Qed.
  (* The row of an item that is not the counted one says nothing of it. *)
  Lemma bits_of_others r k g : bits_of rs r k (from_sensitive sens g) = true -> is_mine g = false -> value w (entry sens (cells_of r k) g) = 0.
  Proof.
    intros B G. apply andb_prop in B as [B _]. induction (cells_of r k) as [|[c e] l IH]; [apply value_Cst|].
    cbn [forallb fst] in B. apply andb_prop in B as [B1 B2]. cbn [entry fold_right fst snd]. fold (entry sens l g).
    destruct c; try discriminate; cbn [hit]; rewrite ?G; exact (IH B2).
  Qed.
  Lemma held_is u s v : describes u s v -> is_held x s = mine u.
  Proof.
    intros D. unfold is_held. destruct u as [g|h]; cbn [describes mine] in *.
    - destruct D as (y & -> & -> & _). cbn [existsb]. unfold group_of. rewrite Nat.eqb_sym.
      destruct (y =? x)%nat; [reflexivity|]. destruct (y <? K)%nat; reflexivity.
    - destruct D as (_ & _ & T & _). destruct (existsb (Nat.eqb x) s) eqn:E.
      + apply existsb_exists in E as (y & J & E). apply Nat.eqb_eq in E as <-. apply (count_occ_In Nat.eq_dec) in J.
        unfold times in T. destruct h; [reflexivity|lia].
      + destruct h; [|reflexivity]. assert (J : In x s) by (apply (count_occ_In Nat.eq_dec); unfold times in T; lia).
        assert (existsb (Nat.eqb x) s = true) by (apply existsb_exists; exists x; split; [exact J|apply Nat.eqb_refl]). congruence.
  Qed.
  (* Every item has a row of bits, and only that of the counted item shows it. *)
  Lemma bits_sound r u s v y : all_bits rs alone r = true -> describes u s v -> (y < K + N)%nat ->
    let p := if is_mine (group_of K x y) then value w (entry sens (cells_of r (kind_of_mine sens (mine u))) Mine) else 0 in
    moves (cells over_R w K r (bit_kind K y (is_held y s)) y) (count x) p (p * (1 - p)).
  Proof.
    intros H D Y p. set (k := bit_kind K y (is_held y s)).
    assert (B : bits_of rs r k (y <? K)%nat = true).
    { unfold all_bits in H. apply andb_prop in H as [H H3]; apply andb_prop in H as [H1 H2]. unfold k, bit_kind.
      destruct (Nat.ltb_spec y K) as [L|L]; [now destruct (is_held y s)|].
      destruct alone; [rewrite (alone_is eq_refl) in Y; lia|]. apply andb_prop in H3 as [H3 H4]. now destruct (is_held y s). }
    pose proof B as B'. apply andb_prop in B' as [_ R]. pose proof (moves_row rs w K x within K_is r k y R) as M. cbv zeta in M.
    rewrite <- sens_is in M. replace (value w (entry sens (cells_of r k) (group_of K x y))) with p in M; [exact M|].
    unfold p. destruct (is_mine (group_of K x y)) eqn:G.
    - unfold group_of in *. destruct (Nat.eqb_spec y x) as [->|]; [|destruct (y <? K)%nat; discriminate].
      unfold k, bit_kind, kind_of_mine. now rewrite (held_is u s v D), sens_is.
    - rewrite <- from_sensitive_is in B. now rewrite (bits_of_others r k _ B G).
  Qed.
  Lemma once (f : R) : total (fun y => if is_mine (group_of K x y) then f else 0) (seq 0 (K + N)) = f.
  Proof.
    rewrite (total_groups K x (fun g => if is_mine g then f else 0)). cbn [is_mine].
    rewrite (times_distinct x _ (seq_NoDup _ _)). destruct (in_dec Nat.eq_dec x (seq 0 (K + N))) as [J|J].
    - destruct (x <? K)%nat; simpl; lra.
    - destruct J. apply in_seq. lia.
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
End Sound.
