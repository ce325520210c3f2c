(* Powers with names in their exponents: b^x, for b > 0 and an integer name x >= 0, is a name of its own, which is > 0,
   and at least 1 if b is. A relation is that between the expressions in which these names are put in. *)
From Coq Require Import Reals Qreals List Lia Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas
  checker.Values checker.Constants checker.Steps.
Import ListNotations.
Open Scope R_scope.

Lemma power_is x z : power over_R x z = powerRZ x z.
Proof.
  destruct z; cbn [power powerRZ]; [unfold integer, over_R, Q2R; simpl; lra|apply positive_power_is|].
  rewrite positive_power_is. unfold integer, over_R, Q2R; simpl. unfold Rdiv. rewrite Rinv_1. lra.
Qed.
Lemma power_of_power x m n : x <> 0 -> powerRZ (powerRZ x m) n = powerRZ x (n * m).
Proof.
  intros H. assert (P : forall k, powerRZ (powerRZ x m) (Z.of_nat k) = powerRZ x (Z.of_nat k * m)).
  { induction k as [|k IH]; [reflexivity|]. rewrite Nat2Z.inj_succ, <- Z.add_1_r, Z.mul_add_distr_r, Z.mul_1_l.
    rewrite !powerRZ_add by auto using powerRZ_NOR. rewrite IH, powerRZ_1. reflexivity. }
  destruct (Z.le_ge_cases 0 n) as [L|L].
  - rewrite <- (Z2Nat.id n L). apply P.
  - replace n with (- Z.of_nat (Z.to_nat (- n)))%Z by lia. rewrite Z.mul_opp_l, !powerRZ_neg', P. reflexivity.
Qed.
Lemma power_at_least_1 x z : 1 <= x -> (0 <= z)%Z -> 1 <= powerRZ x z.
Proof. intros H L. rewrite <- (Z2Nat.id z L), <- pow_powerRZ. now apply pow_R1_Rle. Qed.
Lemma power_of_integer c low z : (0 < c)%Z -> (low <= z)%Z -> (0 <= z)%Z -> IZR (c ^ low) <= powerRZ (IZR c) z.
Proof.
  intros C L N. rewrite <- (Z2Nat.id z N) in *. rewrite <- pow_powerRZ, pow_IZR. apply IZR_le. now apply Z.pow_le_mono_r.
Qed.

Definition expr_dec (a b : expr) : {a = b} + {a <> b}.
Proof. decide equality; first [apply Z.eq_dec|apply Pos.eq_dec]. Defined.

(* A sum of a number and of multiples of names. *)
Definition multiplied_by (k : Z) (l : list (positive * Z)) : list (positive * Z) := map (fun t => (fst t, (k * snd t)%Z)) l.
Fixpoint linear (e : expr) : option (Z * list (positive * Z)) :=
  match e with
  | Cst z => Some (z, [])
  | Var x => Some (0%Z, [(x, 1%Z)])
  | Add a b => match linear a, linear b with Some (c, l), Some (d, m) => Some ((c + d)%Z, l ++ m) | _, _ => None end
  | Sub a b =>
      match linear a, linear b with Some (c, l), Some (d, m) => Some ((c - d)%Z, l ++ multiplied_by (-1) m) | _, _ => None end
  | Neg a => match linear a with Some (c, l) => Some ((- c)%Z, multiplied_by (-1) l) | None => None end
  | Mul a b =>
      match linear a, linear b with
      | Some (c, []), Some (d, m) => Some ((c * d)%Z, multiplied_by c m)
      | Some (c, l), Some (d, []) => Some ((d * c)%Z, multiplied_by d l)
      | _, _ => None
      end
  | Div a b =>
      match linear a, linear b with
      | Some (c, []), Some (d, []) => if negb (d =? 0)%Z && (d * (c / d) =? c)%Z then Some ((c / d)%Z, []) else None
      | _, _ => None
      end
  | _ => None
  end.
Definition linear_value (w : positive -> R) (l : list (positive * Z)) : R :=
  fold_right (fun t total => IZR (snd t) * w (fst t) + total) 0 l.
Lemma linear_value_app w l m : linear_value w (l ++ m) = linear_value w l + linear_value w m.
Proof. induction l as [|t l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma linear_value_multiplied w k l : linear_value w (multiplied_by k l) = IZR k * linear_value w l.
Proof. induction l as [|t l IH]; simpl; [lra|]. rewrite IH, mult_IZR; lra. Qed.
Opaque multiplied_by.
Lemma linear_sound w e : forall c l, linear e = Some (c, l) -> value w e = IZR c + linear_value w l /\ defined w e.
Proof.
  unfold value; induction e as [z|x|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa|a IHa b IHb
    |a IHa b IHb|x a IHa b IHb t IHt]; intros c l H; cbn [linear] in H; try discriminate;
    cbn [eval defined add sub mul integer of_Q over_R]; rewrite ?Agreement.Q2R_integer.
  - injection H as <- <-; simpl; split; [lra|exact I].
  - injection H as <- <-; simpl; split; [lra|exact I].
  - destruct (linear a) as [[ca la]|], (linear b) as [[cb lb]|]; try discriminate. injection H as <- <-.
    destruct (IHa _ _ eq_refl) as [-> Da], (IHb _ _ eq_refl) as [-> Db]. rewrite plus_IZR, linear_value_app. split; [lra|auto].
  - destruct (linear a) as [[ca la]|], (linear b) as [[cb lb]|]; try discriminate. injection H as <- <-.
    destruct (IHa _ _ eq_refl) as [-> Da], (IHb _ _ eq_refl) as [-> Db].
    rewrite minus_IZR, linear_value_app, linear_value_multiplied. split; [lra|auto].
  - destruct (linear a) as [[ca [|ta la]]|], (linear b) as [[cb [|tb lb]]|]; try discriminate; injection H as <- <-;
      destruct (IHa _ _ eq_refl) as [-> Da], (IHb _ _ eq_refl) as [-> Db];
      rewrite mult_IZR, ?linear_value_multiplied; change (linear_value w []) with 0; (split; [ring|auto]).
  - destruct (linear a) as [[ca [|ta la]]|], (linear b) as [[cb [|tb lb]]|]; try discriminate.
    destruct (negb (cb =? 0)%Z) eqn:Z, (cb * (ca / cb) =? ca)%Z eqn:Q; try discriminate. injection H as <- <-.
    apply negb_true_iff, Z.eqb_neq in Z. apply Z.eqb_eq in Q. apply not_0_IZR in Z. apply (f_equal IZR) in Q. rewrite mult_IZR in Q.
    destruct (IHa _ _ eq_refl) as [Va Da], (IHb _ _ eq_refl) as [Vb Db]. change (linear_value w []) with 0 in *.
    rewrite Rplus_0_r in *. unfold value; rewrite Va, Vb. split; [|auto]. cbn [div over_R]. rewrite <- Q at 1. field. exact Z.
  - destruct (linear a) as [[ca la]|]; try discriminate. injection H as <- <-. destruct (IHa _ _ eq_refl) as [-> Da].
    rewrite opp_IZR, linear_value_multiplied. split; [lra|exact Da].
Qed.

Transparent multiplied_by.

Section Checker.
  Variables (d : domain) (table : list (expr * positive)).   (* bases and names of exponents *)
  Notation rs := (ranges d).
  Definition many : nat := length rs.
  Definition own_names : list positive := map Pos.of_nat (seq 1 many).
  Definition natural_at (x : positive) : bool := match range_at rs x with From low _ true => (0 <=? low)%Z | _ => false end.
  Definition entry (t : expr * positive) : bool := closed own_names (fst t) && positive_e rs (fst t) && natural_at (snd t).
  Definition range_of (t : expr * positive) : range :=
    match fst t, range_at rs (snd t) with
    | Cst b, From low _ _ => if (0 <? b)%Z && (low <=? 1000)%Z then From (b ^ low) false false else From 0 true false
    | _, _ => if nonnegative_e rs (Sub (fst t) (Cst 1)) then From 1 false false else From 0 true false
    end.
  Fixpoint place (l : list (expr * positive)) (v : nat) (a : expr) (x : positive) : option positive :=
    match l with
    | [] => None
    | (b, y) :: l =>
        if expr_dec a b then if (x =? y)%positive then Some (Pos.of_nat v) else place l (S v) a x else place l (S v) a x
    end.
  Fixpoint factors (a : expr) (l : list (positive * Z)) : option expr :=
    match l with
    | [] => Some (Cst 1)
    | (x, k) :: l =>
        match place table (S many) a x, factors a l with
        | Some v, Some f => Some (Mul (Pow (Var v) (Cst k)) f)
        | _, _ => None
        end
    end.
  Fixpoint named (e : expr) : expr :=
    match e with
    | Add a b => Add (named a) (named b) | Sub a b => Sub (named a) (named b) | Mul a b => Mul (named a) (named b)
    | Div a b => Div (named a) (named b) | Min a b => Min (named a) (named b) | Neg a => Neg (named a)
    | Pow a b =>
        match linear b with
        | Some (_, []) => Pow (named a) b
        | Some (c, l) => match factors a l with Some f => Mul (Pow a (Cst c)) f | None => e end
        | None => e
        end
    | _ => e
    end.
  Definition named_step (s : step) : step :=
    Step (named (scale s)) (map (fun m => (fst m, named (snd m))) (multipliers s))
      (map (fun m => (named (fst m), named (snd m))) (squares s)) (ends s).
  Definition with_powers : domain := Domain (rs ++ map range_of table) (map named (constraints d)).
  Definition named_relation (r : relation) : relation := let '(o, a, b) := r in (o, named a, named b).
  Definition closed_relation (r : relation) : bool := let '(_, a, b) := r in closed own_names a && closed own_names b.
  Definition check_powers (rels : list relation) (steps : list step) : bool :=
    match table with
    | [] => check_relations d rels steps
    | _ => forallb entry table && forallb (closed own_names) (constraints d) && forallb closed_relation rels
           && check_relations with_powers (map named_relation rels) (map named_step steps)
    end.

  Variable w : positive -> R.
  Hypothesis here : inside d w.
  Hypothesis entries : forallb entry table = true.
  Definition index (y : positive) : nat := (Pos.to_nat y - 1)%nat.
  Definition extended (y : positive) : R :=
    if (index y <? many)%nat then w y
    else match nth_error table (index y - many) with
         | Some (b, x) => powerRZ (value w b) (Int_part (w x))
         | None => w y
         end.
  Lemma own_alike : forall x, existsb (Pos.eqb x) own_names = true -> w x = extended x.
  Proof.
    intros x H. apply existsb_exists in H as (y & I & E). apply Pos.eqb_eq in E as <-.
    apply in_map_iff in I as (n & <- & I). apply in_seq in I. unfold extended, index. rewrite Nat2Pos.id by lia.
    now destruct (Nat.ltb_spec (n - 1) many); [|lia].
  Qed.
  Lemma entry_sound b x : In (b, x) table ->
    closed own_names b = true /\ 0 < value w b /\ defined w b /\ w x = IZR (Int_part (w x)) /\ (0 <= Int_part (w x))%Z.
  Proof.
    intros I. rewrite forallb_forall in entries. specialize (entries _ I). unfold entry, natural_at in entries; cbn [fst snd] in entries.
    apply andb_prop in entries as [H N]. apply andb_prop in H as [C P]. destruct here as [W _].
    destruct (positive_e_sound _ _ W _ P) as [G D]. specialize (W x).
    destruct (range_at rs x) as [low s [|]|]; try discriminate. destruct W as [L Z]. destruct (Z eq_refl) as (z & E).
    rewrite E in *. rewrite (proj2 (whole_IZR z)). apply Z.leb_le in N. repeat split; auto.
    apply Z.le_trans with low; [exact N|]. destruct s; [apply lt_IZR in L; lia|now apply le_IZR in L].
  Qed.
  Lemma place_sound l : forall n a x v, place l (S (many + n)) a x = Some v ->
    (forall k, nth_error l k = nth_error table (n + k)) ->
    In (a, x) table /\ extended v = powerRZ (value w a) (Int_part (w x)).
  Proof.
    induction l as [|[b y] l IH]; intros n a x v H T; [discriminate|]. cbn [place] in H.
    assert (R : place l (S (many + S n)) a x = Some v ->
      In (a, x) table /\ extended v = powerRZ (value w a) (Int_part (w x))).
    { intros K. apply (IH (S n)); [exact K|]. intros k. specialize (T (S k)). cbn in T. rewrite T. f_equal; lia. }
    replace (S (many + S n)) with (S (S (many + n))) in R by lia.
    destruct (expr_dec a b) as [<-|]; [|exact (R H)]. destruct (Pos.eqb_spec x y) as [<-|]; [|exact (R H)].
    assert (v = Pos.of_nat (S (many + n))) as -> by congruence. specialize (T 0%nat). cbn [nth_error] in T. rewrite Nat.add_0_r in T. symmetry in T.
    split; [exact (nth_error_In _ _ T)|]. unfold extended, index. rewrite Nat2Pos.id by lia.
    destruct (Nat.ltb_spec (S (many + n) - 1) many); [lia|].
    replace (S (many + n) - 1 - many)%nat with n by lia. now rewrite T.
  Qed.
  Lemma factors_sound a : forall l f, factors a l = Some f -> l <> [] \/ 0 < value w a ->
    exists z, linear_value w l = IZR z /\ value extended f = powerRZ (value w a) z /\ defined extended f
      /\ (l <> [] -> closed own_names a = true /\ 0 < value w a /\ defined w a).
  Proof.
    induction l as [|[x k] l IH]; intros f H P; cbn [factors] in H.
    - injection H as <-. exists 0%Z. split; [reflexivity|]. split; [apply Agreement.Q2R_integer|]. split; [exact I|congruence].
    - destruct (place table (S many) a x) as [v|] eqn:E; [|discriminate].
      destruct (factors a l) as [g|] eqn:G; [|discriminate]. injection H as <-.
      destruct (place_sound table 0 a x v) as [T V]; [now rewrite Nat.add_0_r|reflexivity|].
      destruct (entry_sound _ _ T) as (C & A & D & X & N).
      destruct (IH g eq_refl (or_intror A)) as (z & L & F & DF & _).
      exists (k * Int_part (w x) + z)%Z. assert (A0 : value w a <> 0) by lra. repeat split; auto.
      + cbn [linear_value fold_right fst snd]. fold (linear_value w l). rewrite L, X at 1. now rewrite plus_IZR, mult_IZR.
      + unfold value in *; cbn [eval mul over_R]. rewrite F. cbn [floor integer of_Q over_R].
        rewrite Agreement.Q2R_integer, (proj2 (whole_IZR k)), power_is, V, power_of_power, powerRZ_add by exact A0. reflexivity.
      + unfold value; cbn [eval integer of_Q over_R]. rewrite Agreement.Q2R_integer. apply (whole_IZR k).
      + right. unfold value; cbn [eval]. rewrite V. now apply powerRZ_NOR.
  Qed.
  Lemma named_sound e : closed own_names e = true ->
    value extended (named e) = value w e /\ (defined extended (named e) <-> defined w e).
  Proof.
    assert (Same : forall e, closed own_names e = true ->
      value extended e = value w e /\ (defined extended e <-> defined w e)).
    { intros e' C. split; [symmetry; apply (closed_value _ own_names); auto using own_alike|].
      split; intros D; [apply (closed_defined _ own_names extended w)|apply (closed_defined _ own_names w extended)];
        auto using own_alike. intros x I; symmetry; now apply own_alike. }
    induction e as [z|x|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa|a IHa b IHb
      |a IHa b IHb|x a IHa b IHb t IHt]; intros C; cbn [named]; try (now apply Same);
      pose proof C as C'; cbn [closed] in C'; try (apply andb_prop in C' as [Ca Cb]);
      try (destruct (IHa Ca) as [Va Da], (IHb Cb) as [Vb Db]; unfold value in *; cbn [eval defined]; unfold value;
           rewrite ?Va, ?Vb; split; [reflexivity|tauto]; fail).
    - destruct (IHa C') as [Va Da]. unfold value in *; cbn [eval defined]. rewrite Va. split; [reflexivity|exact Da].
    - destruct (linear b) as [[c [|t l]]|] eqn:L; [| |now apply Same].
      + destruct (IHa Ca) as [Va Da], (Same b Cb) as [Vb Db]. unfold value in *; cbn [eval defined]; unfold value.
        rewrite Va, Vb. split; [reflexivity|tauto].
      + destruct (factors a (t :: l)) as [f|] eqn:F; [|now apply Same].
        destruct (factors_sound a _ _ F) as (z & Lz & Vf & Df & P); [left; discriminate|].
        destruct P as (_ & A & Dw); [discriminate|]. destruct (linear_sound w b _ _ L) as [Vb Db].
        destruct (Same a Ca) as [Va Da]. rewrite Lz, <- plus_IZR in Vb. assert (A0 : value w a <> 0) by lra.
        unfold value in *. split.
        * cbn [eval mul over_R floor integer of_Q].
          rewrite Agreement.Q2R_integer, (proj2 (whole_IZR c)), Vf, Va, Vb, (proj2 (whole_IZR _)).
          now rewrite !power_is, powerRZ_add.
        * cbn [defined]; unfold value; cbn [eval integer of_Q over_R]. rewrite Agreement.Q2R_integer, Va, Vb.
          pose proof (proj1 (whole_IZR c)). pose proof (proj1 (whole_IZR (c + z))). tauto.
  Qed.
  Lemma extended_inside : forallb (closed own_names) (constraints d) = true -> inside with_powers extended.
  Proof.
    intros C. destruct here as [W K]. split.
    - intros y. unfold range_at, with_powers, extended; cbn [ranges]. fold (index y).
      destruct (Nat.ltb_spec (index y) many) as [L|G].
      + rewrite app_nth1 by exact L. apply W.
      + rewrite app_nth2 by exact G. fold many. destruct (nth_error table (index y - many)) as [[b x]|] eqn:E.
        * rewrite (nth_error_nth (map range_of table) (index y - many) (x := range_of (b, x)))
            by now apply map_nth_error.
          apply nth_error_In in E. destruct (entry_sound _ _ E) as (_ & A & _ & X & N).
          pose proof (powerRZ_lt _ (Int_part (w x)) A) as Above.
          assert (General : in_range (if nonnegative_e rs (Sub b (Cst 1)) then From 1 false false else From 0 true false)
            (powerRZ (value w b) (Int_part (w x)))).
          { destruct (nonnegative_e rs _) eqn:G1; simpl; (split; [|discriminate]); [|exact Above].
            apply (nonnegative_e_sound _ _ W) in G1 as [G1 _]. unfold value in G1 at 1; cbn [eval sub integer of_Q over_R] in G1.
            rewrite Agreement.Q2R_integer in G1. apply power_at_least_1; [unfold value in *; lra|exact N]. }
          unfold range_of; cbn [fst snd]. destruct b as [c| | | | | | | | | | |]; try exact General.
          pose proof (W x) as Wx. destruct (range_at rs x) as [low s h|]; [|exact General].
          destruct ((0 <? c)%Z && (low <=? 1000)%Z) eqn:B; [|simpl; split; [exact Above|discriminate]].
          apply andb_prop in B as [B _]. apply Z.ltb_lt in B. destruct Wx as [L _]. rewrite X in L.
          unfold value; cbn [eval integer of_Q over_R]. rewrite Agreement.Q2R_integer. simpl. split; [|discriminate].
          apply power_of_integer; [exact B| |exact N]. destruct s; [apply lt_IZR in L; lia|now apply le_IZR in L].
        * apply nth_error_None in E. rewrite nth_overflow by now rewrite map_length.
          specialize (W y). unfold range_at in W. rewrite nth_overflow in W; [exact W|exact G].
    - cbn [constraints with_powers]. apply Forall_map. rewrite forallb_forall in C. rewrite Forall_forall in K.
      apply Forall_forall. intros e I. destruct (K e I) as [D G], (named_sound e (C e I)) as [V E]. rewrite V. tauto.
  Qed.
End Checker.
(* What is shown of the names is shown of the powers. *)
Theorem check_powers_sound d table w rels steps :
  inside d w -> check_powers d table rels steps = true -> Forall (true_at w) rels.
Proof.
  intros here H. unfold check_powers in H.
  destruct table as [|t table]; [exact (check_relations_sound _ _ here _ _ H)|]. set (l := t :: table) in *.
  apply andb_prop in H as [H S]; apply andb_prop in H as [H R]; apply andb_prop in H as [T C].
  pose proof (check_relations_sound _ _ (extended_inside _ _ _ here T C) _ _ S) as F.
  rewrite Forall_map in F. rewrite forallb_forall in R. rewrite Forall_forall in F. apply Forall_forall. intros [[o a] b] I.
  specialize (F _ I); specialize (R _ I). apply andb_prop in R as [Ca Cb]. destruct F as (Da & Db & X).
  destruct (named_sound _ _ _ here T a Ca) as [Va Ea], (named_sound _ _ _ here T b Cb) as [Vb Eb].
  unfold true_at. rewrite <- Va, <- Vb. tauto.
Qed.
