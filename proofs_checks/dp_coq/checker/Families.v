(* Names that grow; and families of points, one for every natural L >= 1, along which no constant bounds the quotient of two
   expressions. *)
From Coq Require Import Reals Qreals List Lia Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds
  checker.Agreement checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums checker.Lemmas.
Import ListNotations.
Open Scope R_scope.

Definition is_named (names : list positive) (x : positive) : bool := existsb (Pos.eqb x) names.
Definition others (d : domain) (names : list positive) : list positive := filter (fun y => negb (is_named names y)) (own_names d).
Definition may_grow (d : domain) (names : list positive) : bool :=
  forallb (fun x => match range_at (ranges d) x with From _ _ _ => true | Unit _ => false end) names
  && forallb (closed (others d names)) (constraints d).
Lemma may_grow_sound d names w : may_grow d names = true -> inside d w -> forall n, inside d (larger names n w).
Proof.
  unfold may_grow; intros H [W C] n. apply andb_prop in H as [G K]. rewrite forallb_forall in G, K. split.
  - intros x. unfold larger. destruct (existsb (Pos.eqb x) names) eqn:E; [|apply W]. specialize (W x).
    apply existsb_exists in E as (y & I & E). apply Pos.eqb_eq in E as <-. specialize (G x I).
    destruct (range_at (ranges d) x) as [low s h|]; [|discriminate]. destruct W as [L Z]. pose proof (pos_INR n). split.
    + destruct s; lra.
    + intros T. destruct (Z T) as [z ->]. exists (z + Z.of_nat n)%Z. rewrite plus_IZR, <- INR_IZR_INZ. reflexivity.
  - rewrite Forall_forall in *. intros c I. destruct (C c I) as [D P].
    assert (A : forall y, existsb (Pos.eqb y) (others d names) = true -> w y = larger names n w y).
    { intros y J. apply existsb_exists in J as (u & J & E). apply Pos.eqb_eq in E as <-. apply filter_In in J as [_ J].
      unfold larger. unfold is_named in J. now destruct (existsb (Pos.eqb y) names). }
    split; [exact (closed_defined _ _ _ _ (K c I) A D)|]. now rewrite <- (closed_value _ _ _ _ (K c I) A).
Qed.

(* An expression with expressions in the place of names. *)
Fixpoint put_all (to : positive -> expr) (e : expr) : expr :=
  let p := put_all to in
  match e with
  | Cst _ => e | Var y => to y
  | Add a b => Add (p a) (p b) | Sub a b => Sub (p a) (p b) | Mul a b => Mul (p a) (p b) | Div a b => Div (p a) (p b)
  | Neg a => Neg (p a) | Pow a b => Pow (p a) (p b) | Floor a => Floor (p a) | Min a b => Min (p a) (p b)
  | Binom a b => Binom (p a) (p b) | Sum _ _ _ _ => e
  end.
Lemma put_all_sound to l e : simple e = true ->
  value l (put_all to e) = value (fun x => value l (to x)) e
  /\ ((forall x, defined l (to x)) -> (defined l (put_all to e) <-> defined (fun x => value l (to x)) e)).
Proof.
  unfold value at 1 2; induction e as [z|y|a IHa c IHc|a IHa c IHc|a IHa c IHc|a IHa c IHc|a IHa|a IHa c IHc|a IHa|a IHa c IHc
    |a IHa c IHc|y a IHa c IHc t IHt]; cbn [simple]; intros S; try discriminate;
    try (apply andb_prop in S as [Sa Sc]; destruct (IHa Sa) as [Va Da], (IHc Sc) as [Vc Dc]; cbn [put_all eval defined];
         unfold value in *; rewrite ?Va, ?Vc; split; [reflexivity|intros T; specialize (Da T); specialize (Dc T); tauto]; fail);
    try (destruct (IHa S) as [Va Da]; cbn [put_all eval defined]; unfold value in *; rewrite ?Va;
         split; [reflexivity|intros T; specialize (Da T); tauto]; fail).
  - split; [reflexivity|]. cbn [put_all defined]. tauto.
  - split; [reflexivity|]. intros T. cbn [put_all defined]. split; auto.
Qed.

Section Family.
  Variables (d : domain) (to : list expr) (constant left right : expr).
  Definition along_L : domain := Domain [From 1 false true] [].
  Definition coordinates (x : positive) : expr := nth (Pos.to_nat x - 1) to (Cst 0).
  Definition range_relations (re : range * expr) : list relation :=
    match fst re with
    | From low s _ => [((if s then Lt else Le), Cst low, snd re)]
    | Unit c => [(Lt, Cst 0, snd re); ((if c then Le else Lt), snd re, Cst 1)]
    end.
  Definition is_whole (re : range * expr) : bool := match fst re with From _ _ true => whole_e along_L (snd re) | _ => true end.
  Definition inner : list relation :=
    flat_map range_relations (combine (ranges d) to) ++ map (fun c => (Le, Cst 0, put_all coordinates c)) (constraints d).
  Definition outer : list relation :=
    [(Lt, Cst 0, constant); (Lt, Cst 0, put_all coordinates left);
     (Le, Mul (Mul constant (Var 1)) (put_all coordinates right), put_all coordinates left)].
  (* The coordinates are in the domain, the same for fixed names; 0 < left and constant L right <= left along the family. *)
  Definition check_family (names : list positive) (table : list (expr * positive)) (ls : list lemma) (s : step) : bool :=
    (length to =? length (ranges d))%nat && forallb is_whole (combine (ranges d) to)
    && simple left && simple right && forallb simple (constraints d)
    && forallb (fun x => closed [] (coordinates x)) names && closed [] constant
    && check_all along_L table [] ls (inner ++ outer) (map (fun _ => plain) inner ++ [plain; plain; s])
    && check_all along_L table [] ls (map (fun e => (Le, e, e)) to) (map (fun _ => plain) to).

  Definition at_L (n : nat) (x : positive) : R := if (x =? 1)%positive then INR (S n) else 0.
  Lemma at_L_inside n : inside along_L (at_L n).
  Proof.
    split; [|constructor]. intros x. unfold range_at, at_L; cbn [ranges along_L].
    destruct (Pos.eqb_spec x 1) as [->|N].
    - simpl nth. split; [rewrite S_INR; pose proof (pos_INR n); lra|]. intros _. exists (Z.of_nat (S n)). apply INR_IZR_INZ.
    - rewrite nth_overflow by (cbn [length]; lia). simpl. split; [lra|discriminate].
  Qed.
  Lemma no_bound names table ls s : check_family names table ls s = true -> ~ bounded d names left right.
  Proof.
    unfold check_family; intros H. apply andb_prop in H as [H DF]; apply andb_prop in H as [H R]; apply andb_prop in H as [H CC];
      apply andb_prop in H as [H FX]; apply andb_prop in H as [H SC]; apply andb_prop in H as [H SR]; apply andb_prop in H as [H SL];
      apply andb_prop in H as [LE WH]. apply Nat.eqb_eq in LE. rewrite forallb_forall in WH, SC, FX.
    set (p := fun n x => value (at_L n) (coordinates x)).
    assert (Def : forall n x, defined (at_L n) (coordinates x)).
    { intros n x. unfold coordinates. destruct (nth_in_or_default (Pos.to_nat x - 1) to (Cst 0)) as [I| ->]; [|exact I].
      apply (check_all_sound _ _ _ _ _ _ _ (at_L_inside n)) in DF. rewrite Forall_map, Forall_forall in DF. apply (DF _ I). }
    assert (Rel : forall n, Forall (true_at (at_L n)) (inner ++ outer)) by (intros n; exact (check_all_sound _ _ _ _ _ _ _ (at_L_inside n) R)).
    assert (Cs : forall n z, value (at_L n) (Cst z) = IZR z) by (intros n z; apply Q2R_integer).
    assert (In_d : forall n, inside d (p n)).
    { intros n. specialize (Rel n). apply Forall_app in Rel as [I _]. apply Forall_app in I as [I C]. split.
      - intros x. unfold range_at, p, coordinates. destruct (Nat.lt_ge_cases (Pos.to_nat x - 1) (length (ranges d))) as [L|G].
        + set (i := (Pos.to_nat x - 1)%nat) in *.
          assert (M : In (nth i (ranges d) (From 0 false false), nth i to (Cst 0)) (combine (ranges d) to)).
          { rewrite <- combine_nth by auto. apply nth_In. rewrite combine_length, LE. lia. }
          rewrite Forall_flat_map, Forall_forall in I. specialize (I _ M). specialize (WH _ M).
          unfold range_relations, is_whole in *; cbn [fst snd] in *.
          destruct (nth i (ranges d) (From 0 false false)) as [low s0 [|]|c]; cbn [in_range].
          * split; [|intros _; destruct (whole_e_sound _ _ (at_L_inside n) _ WH) as [z Ez]; now exists z].
            apply Forall_inv in I as (_ & _ & V). rewrite Cs in V. destruct s0; exact V.
          * split; [|discriminate]. apply Forall_inv in I as (_ & _ & V). rewrite Cs in V. destruct s0; exact V.
          * pose proof (Forall_inv I) as (_ & _ & V). apply Forall_inv_tail, Forall_inv in I as (_ & _ & U). rewrite Cs in *.
            split; [exact V|]. destruct c; exact U.
        + rewrite (nth_overflow (ranges d)) by exact G. rewrite (nth_overflow to) by (rewrite LE; exact G). rewrite Cs. simpl. split; [lra|discriminate].
      - rewrite Forall_map in C. rewrite Forall_forall in *. intros c J. destruct (C c J) as (_ & D & V). cbn [related] in V.
        destruct (put_all_sound coordinates (at_L n) c (SC c J)) as [E F]. rewrite Cs, E in V. split; [|exact V].
        apply F; [apply Def|exact D]. }
    intros (c & D & B). set (C := c (p 0%nat)).
    assert (Same : forall n, c (p n) = C).
    { intros n. apply D. intros x J. unfold p. apply (closed_value _ []); [exact (FX x J)|discriminate]. }
    assert (Const : forall n, value (at_L n) constant = value (at_L 0) constant).
    { intros n. apply (closed_value _ []); [exact CC|discriminate]. }
    set (k := value (at_L 0) constant) in *.
    assert (Each : forall n, 0 < k /\ k * INR (S n) <= C).
    { intros n. specialize (Rel n). apply Forall_app in Rel as [_ O]. unfold outer in O.
      pose proof (Forall_inv O) as (_ & _ & K). apply Forall_inv_tail in O. pose proof (Forall_inv O) as (_ & _ & P).
      apply Forall_inv_tail, Forall_inv in O as (_ & _ & Q). cbn [related] in K, P, Q. rewrite Cs in K, P. rewrite Const in K.
      unfold value in Q at 1; cbn [eval mul over_R] in Q.
      change (eval over_R (at_L n) constant) with (value (at_L n) constant) in Q. rewrite Const in Q. fold k in Q.
      change (at_L n 1%positive) with (INR (S n)) in Q.
      change (eval over_R (at_L n) (put_all coordinates right)) with (value (at_L n) (put_all coordinates right)) in Q.
      destruct (put_all_sound coordinates (at_L n) left SL) as [VL _], (put_all_sound coordinates (at_L n) right SR) as [VR _].
      rewrite VL in P, Q. rewrite VR in Q. destruct (B _ (In_d n)) as (_ & _ & G & U). rewrite Same in G, U. fold (p n) in P, Q.
      split; [exact K|]. apply Rmult_le_reg_r with (value (p n) right); [|lra].
      destruct (Rlt_le_dec 0 (value (p n) right)) as [|N]; [assumption|]. exfalso.
      assert (C * value (p n) right <= 0) by (rewrite <- (Rmult_0_r C); apply Rmult_le_compat_l; lra). lra. }
    destruct (Each 0%nat) as [K _]. set (n := Z.to_nat (up (C / k))).
    assert (G : C / k < INR n).
    { apply Rlt_le_trans with (IZR (up (C / k))); [apply archimed|]. unfold n. rewrite INR_IZR_INZ. apply IZR_le. lia. }
    destruct (Each n) as [_ L].
    rewrite S_INR in L. apply (Rmult_lt_compat_l k) in G; [|exact K]. unfold Rdiv in G.
    replace (k * (C * / k)) with C in G by (field; lra). lra.
  Qed.
End Family.
