(* Sums with symbolic ends, closed by telescoping: if term(x) = form(x) - form(x - 1) for all x from `low` on, the sum of
   the terms up to `high` is form(high) - form(low - 1). *)
From Coq Require Import Reals List Lia Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas
  checker.Agreement checker.Values checker.Constants checker.Steps checker.Powers.
Import ListNotations.
Open Scope R_scope.

(* No sum: then nothing is bound, and names may be replaced. *)
Fixpoint simple (e : expr) : bool :=
  match e with
  | Cst _ | Var _ => true
  | Neg a | Floor a => simple a
  | Add a b | Sub a b | Mul a b | Div a b | Pow a b | Min a b | Binom a b => simple a && simple b
  | Sum _ _ _ _ => false
  end.
Lemma substituted_sound x b w e : simple e = true -> defined w b ->
  value w (substituted x b e) = value (put w x (value w b)) e
  /\ (defined w (substituted x b e) <-> defined (put w x (value w b)) e).
Proof.
  intros S D; unfold value at 1 2; induction e as [z|y|a IHa c IHc|a IHa c IHc|a IHa c IHc|a IHa c IHc|a IHa|a IHa c IHc|a IHa|a IHa c IHc
    |a IHa c IHc|y a IHa c IHc t IHt]; cbn [simple] in S; try discriminate;
    try (apply andb_prop in S as [Sa Sc]; destruct (IHa Sa) as [Va Da], (IHc Sc) as [Vc Dc]; cbn [substituted eval defined];
         unfold value in *; rewrite ?Va, ?Vc; split; [reflexivity|tauto]; fail);
    try (destruct (IHa S) as [Va Da]; cbn [substituted eval defined]; unfold value in *; rewrite ?Va; split; [reflexivity|tauto]; fail).
  - split; [reflexivity|reflexivity].
  - cbn [substituted eval defined]. unfold put. destruct (y =? x)%positive; split; try reflexivity; cbn [defined]; tauto.
Qed.

(* Sums that are replaced, each by what f makes of it. *)
Fixpoint with_sums (f : expr -> expr) (e : expr) : expr :=
  let r := with_sums f in
  match e with
  | Cst _ | Var _ => e
  | Add a b => Add (r a) (r b) | Sub a b => Sub (r a) (r b) | Mul a b => Mul (r a) (r b) | Div a b => Div (r a) (r b)
  | Neg a => Neg (r a) | Pow a b => Pow (r a) (r b) | Floor a => Floor (r a) | Min a b => Min (r a) (r b)
  | Binom a b => Binom (r a) (r b)
  | Sum _ _ _ _ => f e
  end.
Definition relation_with (f : expr -> expr) (r : relation) : relation :=
  let '(o, a, b) := r in (o, with_sums f a, with_sums f b).
Definition step_with (f : expr -> expr) (s : step) : step :=
  let r := with_sums f in
  Step (r (scale s)) (map (fun m => (fst m, r (snd m))) (multipliers s)) (map (fun m => (r (fst m), r (snd m))) (squares s)) (ends s).
(* Where an expression has the value of another one, and is not defined where that is not. *)
Definition stands_for (w : positive -> R) (e' e : expr) : Prop := value w e' = value w e /\ (defined w e' -> defined w e).
Lemma with_sums_sound w f e : (forall x a b t, stands_for w (f (Sum x a b t)) (Sum x a b t)) -> stands_for w (with_sums f e) e.
Proof.
  intros F; unfold stands_for, value; induction e as [z|x|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa|a IHa b IHb
    |a IHa b IHb|x a IHa b IHb t IHt]; cbn [with_sums]; auto;
    try (destruct IHa as [Va Da], IHb as [Vb Db]; cbn [eval defined]; unfold value; rewrite Va, Vb; split; [reflexivity|tauto]; fail);
    try (destruct IHa as [Va Da]; cbn [eval defined]; rewrite Va; split; [reflexivity|exact Da]; fail).
  apply F.
Qed.
(* A relation is true where it is true of what stands for the sums. *)
Lemma relation_with_sound w f r : (forall x a b t, stands_for w (f (Sum x a b t)) (Sum x a b t)) ->
  true_at w (relation_with f r) -> true_at w r.
Proof.
  intros F. destruct r as [[o a] b]. intros (Da & Db & X).
  destruct (with_sums_sound w f a F) as [Va Ea], (with_sums_sound w f b F) as [Vb Eb].
  unfold true_at. rewrite <- Va, <- Vb. auto.
Qed.

Section Checker.
  Variables (d : domain).
  Notation rs := (ranges d).
  Notation many := (many d).
  Notation own_names := (own_names d).
  Fixpoint natural_e (e : expr) : bool :=
    match e with
    | Cst z => (0 <=? z)%Z | Var x => natural_at d x
    | Add a b | Mul a b => natural_e a && natural_e b
    | _ => false
    end.
  Fixpoint whole_e (e : expr) : bool :=
    match e with
    | Cst _ => true | Var x => natural_at d x
    | Add a b | Sub a b | Mul a b => whole_e a && whole_e b
    | Neg a => whole_e a
    | Pow a b => whole_e a && natural_e b
    | _ => false
    end.
  Record form := Form { sum : expr; closes : expr; more_powers : list (expr * positive); room : step }.
  Definition along_it : domain := Domain (rs ++ [From 0 false true]) (constraints d).
  Definition plain : step := Step (Cst 1) [] [] None.
  Definition closing (table : list (expr * positive)) (f : form) : bool :=
    match sum f with
    | Sum x low high t =>
        (x =? Pos.of_nat (S many))%positive && simple t && simple (closes f)
        && closed own_names low && closed own_names high && whole_e low && whole_e high
        && check_powers d table [(Le, Cst 0, Add (Sub high low) (Cst 1))] [room f]
        && let here := Add low (Var x) in
           check_powers along_it (more_powers f)
             [(Eq, substituted x here t, Sub (substituted x here (closes f)) (substituted x (Sub here (Cst 1)) (closes f)))] [plain]
    | _ => false
    end.
  Fixpoint closed_form (forms : list form) (e : expr) : option expr :=
    match forms with
    | [] => None
    | f :: forms => if expr_dec (sum f) e then Some (closes f) else closed_form forms e
    end.
  Definition closed_sum (forms : list form) (e : expr) : expr :=
    match e, closed_form forms e with
    | Sum x low high _, Some f => Sub (substituted x high f) (substituted x (Sub low (Cst 1)) f)
    | _, _ => e
    end.
  Definition check_sums (table : list (expr * positive)) (forms : list form) (rels : list relation) (steps : list step) : bool :=
    forallb (closed own_names) (match forms with [] => [] | _ => constraints d end) && forallb (closing table) forms
    && check_powers d table (map (relation_with (closed_sum forms)) rels) (map (step_with (closed_sum forms)) steps).

  Variable w : positive -> R.
  Hypothesis here : inside d w.
  Lemma natural_at_sound x : natural_at d x = true -> exists z, w x = IZR z /\ (0 <= z)%Z.
  Proof.
    unfold natural_at. destruct here as [W _]. specialize (W x).
    destruct (range_at rs x) as [low s [|]|]; try discriminate. destruct W as [L Z]. destruct (Z eq_refl) as (z & E).
    intros N. apply Z.leb_le in N. exists z. split; [exact E|]. rewrite E in L.
    apply Z.le_trans with low; [exact N|]. destruct s; [apply lt_IZR in L; lia|now apply le_IZR in L].
  Qed.
  Lemma natural_e_sound e : natural_e e = true -> exists z, value w e = IZR z /\ (0 <= z)%Z.
  Proof.
    unfold value; induction e; cbn [natural_e eval add mul integer of_Q over_R]; intros H; try discriminate.
    - exists z. split; [apply Q2R_integer|now apply Z.leb_le].
    - now apply natural_at_sound.
    - apply andb_prop in H as [H1 H2]. destruct (IHe1 H1) as (y & -> & Y), (IHe2 H2) as (z & -> & Z0).
      exists (y + z)%Z. split; [symmetry; apply plus_IZR|lia].
    - apply andb_prop in H as [H1 H2]. destruct (IHe1 H1) as (y & -> & Y), (IHe2 H2) as (z & -> & Z0).
      exists (y * z)%Z. split; [symmetry; apply mult_IZR|lia].
  Qed.
  Lemma whole_e_sound e : whole_e e = true -> exists z, value w e = IZR z.
  Proof.
    unfold value; induction e; cbn [whole_e eval add sub mul integer of_Q over_R]; intros H; try discriminate.
    - exists z. apply Q2R_integer.
    - destruct (natural_at_sound _ H) as (z & E & _); eauto.
    - apply andb_prop in H as [H1 H2]. destruct (IHe1 H1) as (y & ->), (IHe2 H2) as (z & ->).
      exists (y + z)%Z. symmetry; apply plus_IZR.
    - apply andb_prop in H as [H1 H2]. destruct (IHe1 H1) as (y & ->), (IHe2 H2) as (z & ->).
      exists (y - z)%Z. symmetry; apply minus_IZR.
    - apply andb_prop in H as [H1 H2]. destruct (IHe1 H1) as (y & ->), (IHe2 H2) as (z & ->).
      exists (y * z)%Z. symmetry; apply mult_IZR.
    - destruct (IHe H) as (y & ->). exists (- y)%Z. rewrite Q2R_integer, opp_IZR. lra.
    - apply andb_prop in H as [H1 H2]. destruct (IHe1 H1) as (y & ->), (natural_e_sound _ H2) as (z & E & N).
      unfold value in E; rewrite E. cbn [floor over_R]. rewrite (proj2 (whole_IZR z)), power_is.
      exists (y ^ z)%Z. rewrite <- (Z2Nat.id z N), <- pow_powerRZ, pow_IZR. reflexivity.
  Qed.
  Lemma own_is_not_new y : existsb (Pos.eqb y) own_names = true -> y <> Pos.of_nat (S many).
  Proof.
    intros H ->. apply existsb_exists in H as (y & I & E). apply Pos.eqb_eq in E.
    apply in_map_iff in I as (n & <- & I). apply in_seq in I. apply (f_equal Pos.to_nat) in E.
    rewrite !Nat2Pos.id in E by lia. unfold Powers.many in *. lia.
  Qed.
  Lemma own_put a : forall y, existsb (Pos.eqb y) own_names = true -> w y = put w (Pos.of_nat (S many)) a y.
  Proof. intros y H. apply own_is_not_new in H. unfold put. now rewrite (proj2 (Pos.eqb_neq _ _) H). Qed.
  Lemma along_inside k : forallb (closed own_names) (constraints d) = true ->
    inside along_it (put w (Pos.of_nat (S many)) (INR k)).
  Proof.
    intros C. destruct here as [W K]. split.
    - intros y. unfold range_at, along_it; cbn [ranges]. destruct (Nat.lt_trichotomy (Pos.to_nat y - 1) many) as [L|[E|G]].
      + rewrite app_nth1 by exact L. unfold put. destruct (Pos.eqb_spec y (Pos.of_nat (S many))) as [->|N]; [|apply W].
        rewrite Nat2Pos.id in L by lia. unfold Powers.many in *; lia.
      + assert (y = Pos.of_nat (S many)) as ->.
        { rewrite <- (Pos2Nat.id y). f_equal. pose proof (Pos2Nat.is_pos y). lia. }
        rewrite Nat2Pos.id by lia. replace (S many - 1)%nat with (length rs + 0)%nat by (unfold Powers.many; lia).
        rewrite app_nth2_plus. unfold put. rewrite Pos.eqb_refl. simpl. split; [apply pos_INR|].
        intros _. exists (Z.of_nat k). apply INR_IZR_INZ.
      + rewrite nth_overflow by (rewrite app_length; simpl; unfold Powers.many in *; lia).
        unfold put. destruct (Pos.eqb_spec y (Pos.of_nat (S many))) as [->|N].
        * rewrite Nat2Pos.id in G by lia. lia.
        * specialize (W y). unfold range_at in W. rewrite nth_overflow in W; [exact W|unfold Powers.many in *; lia].
    - cbn [constraints along_it]. rewrite forallb_forall in C. rewrite Forall_forall in *. intros e I.
      destruct (K e I) as [De Ge]. split.
      + apply (closed_defined _ own_names w); [apply C; exact I|apply own_put|exact De].
      + rewrite <- (closed_value _ own_names w); [exact Ge|apply C; exact I|apply own_put].
  Qed.
  Lemma telescoped (g h : Z -> R) low n : forall s,
    (forall k, (s <= k < s + n)%nat -> h (low + Z.of_nat k)%Z = g (low + Z.of_nat k)%Z - g (low + Z.of_nat k - 1)%Z) ->
    fold_right (fun z total => h z + total) 0 (map (fun i => (low + Z.of_nat i)%Z) (seq s n))
    = g (low + Z.of_nat (s + n) - 1)%Z - g (low + Z.of_nat s - 1)%Z.
  Proof.
    induction n as [|n IH]; intros s H; cbn [seq map fold_right].
    - rewrite Nat.add_0_r; lra.
    - rewrite IH by (intros k K; apply H; lia). rewrite (H s) by lia.
      replace (low + Z.of_nat (S s) - 1)%Z with (low + Z.of_nat s)%Z by lia.
      replace (S s + n)%nat with (s + S n)%nat by lia. lra.
  Qed.
  Lemma closing_sound table f : forallb (closed own_names) (constraints d) = true -> closing table f = true ->
    match sum f with
    | Sum x low high t =>
        value w (Sum x low high t) = value w (Sub (substituted x high (closes f)) (substituted x (Sub low (Cst 1)) (closes f)))
        /\ defined w (Sum x low high t)
    | _ => True
    end.
  Proof.
    intros C H. unfold closing in H. destruct (sum f) as [| | | | | | | | | | |x low high t]; auto.
    apply andb_prop in H as [H T]; apply andb_prop in H as [H E]; apply andb_prop in H as [H Wh]; apply andb_prop in H as [H Wl].
    apply andb_prop in H as [H Ch]; apply andb_prop in H as [H Cl]; apply andb_prop in H as [H SF]; apply andb_prop in H as [X St].
    apply Pos.eqb_eq in X. destruct (whole_e_sound _ Wl) as (zl & L), (whole_e_sound _ Wh) as (zh & Hh).
    apply check_powers_sound with (w := w) in E; [|exact here]. apply Forall_inv in E as (_ & ((Dh & Dl) & _) & G).
    unfold value in G; cbn [eval add sub integer of_Q over_R] in G. fold (value w high) (value w low) in G.
    rewrite !Q2R_integer, L, Hh in G. cbn [related] in G. rewrite <- minus_IZR, <- plus_IZR in G. apply le_IZR in G.
    set (at_ := fun z => put w x (IZR z)).
    assert (Step : forall k, value (at_ (zl + Z.of_nat k)%Z) t
        = value (at_ (zl + Z.of_nat k)%Z) (closes f) - value (at_ (zl + Z.of_nat k - 1)%Z) (closes f)
        /\ defined (at_ (zl + Z.of_nat k)%Z) t).
    { intros k. set (w' := put w x (INR k)).
      assert (I : inside along_it w') by (unfold w'; rewrite X; now apply along_inside).
      apply (check_powers_sound _ _ w' _ _ I) in T. apply Forall_inv in T as (D1 & _ & V).
      assert (Vl : value w' low = IZR zl).
      { rewrite <- L. symmetry. apply (closed_value _ own_names); [exact Cl|]. unfold w'; rewrite X. apply own_put. }
      assert (Dl' : defined w' low).
      { apply (closed_defined _ own_names w); [exact Cl| |exact Dl]. unfold w'; rewrite X. apply own_put. }
      assert (Here : value w' (Add low (Var x)) = IZR (zl + Z.of_nat k)).
      { unfold value in *; cbn [eval add over_R]. rewrite Vl, plus_IZR, <- INR_IZR_INZ. unfold w', put. now rewrite Pos.eqb_refl. }
      assert (Before : value w' (Sub (Add low (Var x)) (Cst 1)) = IZR (zl + Z.of_nat k - 1)).
      { unfold value in *; cbn [eval sub integer of_Q over_R] in *. rewrite Here, Q2R_integer, <- minus_IZR. reflexivity. }
      assert (Again : forall r y, put w' x r y = put w x r y).
      { intros r y. unfold w', put. destruct (y =? x)%positive; reflexivity. }
      destruct (substituted_sound x (Add low (Var x)) w' t St) as [Vt Dt]; [cbn [defined]; auto|].
      destruct (substituted_sound x (Add low (Var x)) w' (closes f) SF) as [Vf _]; [cbn [defined]; auto|].
      destruct (substituted_sound x (Sub (Add low (Var x)) (Cst 1)) w' (closes f) SF) as [Vg _]; [cbn [defined]; auto|].
      rewrite Here in Vt, Dt, Vf; rewrite Before in Vg. split.
      - unfold value in V at 2; cbn [eval sub over_R] in V. fold (value w' (substituted x (Add low (Var x)) (closes f))) in V.
        fold (value w' (substituted x (Sub (Add low (Var x)) (Cst 1)) (closes f))) in V. cbn [related] in V.
        rewrite Vt, Vf, Vg in V. unfold at_, value in *.
        rewrite !(eval_ext over_R _ _ _ (Again _)) in V. exact V.
      - apply Dt in D1. revert D1. apply Points.defined_ext. apply Again. }
    destruct (substituted_sound x high w (closes f) SF Dh) as [Vh _].
    destruct (substituted_sound x (Sub low (Cst 1)) w (closes f) SF) as [Vl _]; [cbn [defined]; auto|].
    assert (Before : value w (Sub low (Cst 1)) = IZR (zl - 1)).
    { unfold value in *; cbn [eval sub integer of_Q over_R]. rewrite L, Q2R_integer, <- minus_IZR. reflexivity. }
    rewrite Hh in Vh; rewrite Before in Vl. destruct (whole_IZR zl) as [W1 F1], (whole_IZR zh) as [W2 F2]. split.
    - unfold value at 1 2; cbn [eval sub over_R]. fold (value w low) (value w high).
      fold (value w (substituted x high (closes f))) (value w (substituted x (Sub low (Cst 1)) (closes f))).
      rewrite Vh, Vl, L, Hh. cbn [floor over_R]. rewrite F1, F2. unfold along. cbn [integer of_Q add over_R]. rewrite Q2R_integer.
      transitivity (fold_right (fun z total => value (at_ z) t + total) 0
        (map (fun i => (zl + Z.of_nat i)%Z) (seq 0 (Z.to_nat (zh - zl + 1))))).
      { unfold at_, value. induction (map _ _) as [|z l IH]; [reflexivity|]. cbn [fold_right]. rewrite IH, Q2R_integer. reflexivity. }
      rewrite (telescoped (fun z => value (at_ z) (closes f)) (fun z => value (at_ z) t)) by (intros k _; apply Step).
      unfold at_. f_equal; [do 2 f_equal; f_equal|f_equal]; f_equal; f_equal; lia.
    - cbn [defined]. rewrite L, Hh, F1, F2. repeat split; auto. intros z I. unfold along in I. apply in_map_iff in I as (k & <- & _).
      apply Step.
  Qed.
  Lemma closed_sum_sound table forms x a b t : forallb (closed own_names) (constraints d) = true ->
    forallb (closing table) forms = true -> stands_for w (closed_sum forms (Sum x a b t)) (Sum x a b t).
  Proof.
    intros C F. unfold closed_sum. destruct (closed_form forms (Sum x a b t)) as [f|] eqn:E; [|split; auto].
    induction forms as [|g forms IH]; [discriminate|]. cbn [forallb] in F. apply andb_prop in F as [G F]. cbn [closed_form] in E.
    destruct (expr_dec (sum g) (Sum x a b t)) as [S|_]; [|exact (IH F E)]. injection E as <-.
    pose proof (closing_sound table g C G) as K. rewrite S in K. destruct K as [V D]. now split.
  Qed.
End Checker.
(* What is shown of the closed forms is shown of the sums. *)
Theorem check_sums_sound d table forms w rels steps :
  inside d w -> check_sums d table forms rels steps = true -> Forall (true_at w) rels.
Proof.
  intros here H. unfold check_sums in H. apply andb_prop in H as [H S]; apply andb_prop in H as [C F].
  apply check_powers_sound with (w := w) in S; [|exact here]. rewrite Forall_map in S. revert S; apply Forall_impl.
  intros r X. apply relation_with_sound with (2 := X). intros x a b t. destruct forms as [|f forms]; [split; auto|].
  exact (closed_sum_sound _ _ here table (f :: forms) x a b t C F).
Qed.
