(* Sums over the heights of a tree, of what two leaves share: x and y lie under one node of height s if x / b^s = y / b^s. The
   sums are over the heights from the one where the leaves meet. *)
From Coq Require Import Reals List Lia Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas
  checker.Agreement checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums checker.Lemmas.
Import ListNotations.
Open Scope R_scope.

(* The number of the node over a leaf; 1 if two leaves have the same, else 0; 1 or -1 by the side of a leaf under it. *)
Definition node (b s : expr) (x : positive) : expr := Floor (Div (Var x) (Pow b s)).
Definition gap (b s : expr) (x y : positive) : expr := Pow (Sub (node b s x) (node b s y)) (Cst 2).
Definition alike (b s : expr) (x y : positive) : expr := Pow (Cst 0) (gap b s x y).
Definition side (b s : expr) (x : positive) : expr := Pow (Cst (-1)) (node b (Sub s (Cst 1)) x).
Definition shared (differ : bool) (b s : expr) (x y : positive) : expr :=
  if differ then Mul (alike b s x y) (Mul (side b s x) (side b s y)) else alike b s x y.

(* Where the sum begins: at its first height, if the leaves meet below it; nowhere, if they meet above all; else where they
   meet. *)
Inductive part := Whole | Nothing | Rest.
Record tree_sum := TreeSum {
  differ : bool; branching : expr; one : positive; other : positive; meet : expr; from : expr; upto : expr; each : expr; is : part;
  more_powers_of : list (expr * positive); how : list step }.

Section Checker.
  Variables (d : domain) (table : list (expr * positive)).
  Notation rs := (ranges d).
  Notation height := (Pos.of_nat (S (many d))).
  Notation own_names := (own_names d).
  Definition summed (t : tree_sum) : expr :=
    Sum height (from t) (upto t) (Mul (shared (differ t) (branching t) (Var height) (one t) (other t)) (each t)).
  Definition sum_from (a b e : expr) : expr := if expr_dec a b then substituted height b e else Sum height a b e.
  Definition becomes (t : tree_sum) : expr :=
    match is t with
    | Whole => sum_from (from t) (upto t) (each t)
    | Nothing => Cst 0
    | Rest => if differ t
              then Sub (sum_from (Add (meet t) (Cst 1)) (upto t) (each t)) (substituted height (meet t) (each t))
              else sum_from (meet t) (upto t) (each t)
    end.
  Definition states (e : expr) : bool := existsb (fun c => if expr_dec c e then true else false) (constraints d).
  (* That the leaves are one, or meet at this height and not below. *)
  Definition meeting (t : tree_sum) : bool :=
    if (one t =? other t)%positive then match is t with Whole => true | _ => false end
    else states (Neg (gap (branching t) (meet t) (one t) (other t)))
         && states (Sub (gap (branching t) (Sub (meet t) (Cst 1)) (one t) (other t)) (Cst 1)).
  Definition order (t : tree_sum) : list relation :=
    let low := if differ t then 1%Z else 0%Z in
    [(Le, Cst low, from t); (Le, Cst 1, meet t); (Le, Cst 2, branching t); (Le, upto t, upto t)]
    ++ match is t with
       | Whole => if (one t =? other t)%positive then [] else [(Le, Add (meet t) (Cst low), from t)]
       | Nothing => [(Le, Add (upto t) (Cst 1), meet t)]
       | Rest => [(Le, from t, meet t); (Le, meet t, Add (upto t) (Cst (1 - low)))]
       end.
  Definition check_tree (t : tree_sum) : bool :=
    let all := [from t; upto t; meet t; branching t] in
    let here := substituted height (Add (from t) (Var height)) (each t) in
    forallb (closed own_names) (constraints d) && forallb (closed own_names) all && forallb (whole_e d) all
    && existsb (Pos.eqb (one t)) own_names && existsb (Pos.eqb (other t)) own_names
    && natural_at d (one t) && natural_at d (other t) && simple (each t)
    && (negb (differ t) || if expr_dec (branching t) (Cst 2) then true else false)
    && meeting t && check_powers d table (order t) (how t)
    && check_powers (along_it d) (more_powers_of t) [(Eq, here, here)] [plain].

  Variable w : positive -> R.
  Hypothesis here : inside d w.
  Notation at_height z := (put w height (IZR z)).

  Lemma floor_div a c : (0 < c)%Z -> Int_part (IZR a / IZR c) = (a / c)%Z.
  Proof.
    intros C. apply floor_unique. assert (P : 0 < IZR c) by now apply IZR_lt.
    pose proof (Z.div_mod a c ltac:(lia)) as E. pose proof (Z.mod_pos_bound a c C) as M.
    assert (IZR a = IZR c * IZR (a / c) + IZR (a mod c)) as -> by (rewrite <- mult_IZR, <- plus_IZR; f_equal; exact E).
    assert (0 <= IZR (a mod c)) by (apply IZR_le; lia). assert (IZR (a mod c) < IZR c) by (apply IZR_lt; lia).
    replace ((IZR c * IZR (a / c) + IZR (a mod c)) / IZR c) with (IZR (a / c) + IZR (a mod c) / IZR c) by (field; lra).
    assert (0 <= IZR (a mod c) / IZR c) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
    assert (IZR (a mod c) / IZR c < 1) by (apply Rmult_lt_reg_r with (IZR c); [exact P|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
    lra.
  Qed.
  Lemma node_value v b s x zb zs zx : value v b = IZR zb -> value v s = IZR zs -> v x = IZR zx -> (0 < zb)%Z -> (0 <= zs)%Z ->
    value v (node b s x) = IZR (zx / zb ^ zs) /\ (defined v b -> defined v s -> defined v (node b s x)).
  Proof.
    intros B S X P N. unfold node, value in *; cbn [eval defined floor div integer of_Q over_R]. rewrite B, S, X.
    rewrite (proj2 (whole_IZR zs)), power_is.
    assert (E : powerRZ (IZR zb) zs = IZR (zb ^ zs)) by (rewrite <- (Z2Nat.id zs N), <- pow_powerRZ; apply pow_IZR).
    rewrite E, floor_div by (apply Z.pow_pos_nonneg; lia). split; [apply Q2R_integer|]. intros Db Ds.
    repeat split; auto.
    - unfold value. rewrite S. apply whole_IZR.
    - left. unfold value. rewrite S. now apply IZR_le.
    - unfold value; cbn [eval floor over_R]. rewrite B, S, (proj2 (whole_IZR zs)), power_is, E. apply not_0_IZR.
      assert (0 < zb ^ zs)%Z by (apply Z.pow_pos_nonneg; lia). lia.
  Qed.
  Lemma square_value v e z : value v e = IZR z -> value v (Pow e (Cst 2)) = IZR (z * z) /\ (defined v e -> defined v (Pow e (Cst 2))).
  Proof.
    intros E. unfold value in *; cbn [eval defined floor integer of_Q over_R]. rewrite Q2R_integer, (proj2 (whole_IZR 2)), E.
    split; [unfold power; cbn [positive_power mul over_R]; now rewrite mult_IZR|]. intros D. unfold value; cbn [eval integer of_Q over_R].
    rewrite Q2R_integer. repeat split; auto; [apply whole_IZR|left; lra].
  Qed.
  Lemma gap_value v b s x y zb zs zx zy : value v b = IZR zb -> value v s = IZR zs -> v x = IZR zx -> v y = IZR zy ->
    (0 < zb)%Z -> (0 <= zs)%Z ->
    let g := (zx / zb ^ zs - zy / zb ^ zs)%Z in
    value v (gap b s x y) = IZR (g * g) /\ (defined v b -> defined v s -> defined v (gap b s x y)).
  Proof.
    intros B S X Y P N g. destruct (node_value v b s x zb zs zx B S X P N) as [Vx Dx].
    destruct (node_value v b s y zb zs zy B S Y P N) as [Vy Dy].
    destruct (square_value v (Sub (node b s x) (node b s y)) g) as [V D].
    - unfold value in *; cbn [eval sub over_R]. rewrite Vx, Vy. unfold g. now rewrite minus_IZR.
    - split; [exact V|]. intros Db Ds. apply D. cbn [defined]. auto.
  Qed.
  Lemma zero_power z : (0 <= z)%Z -> power over_R 0 z = if (z =? 0)%Z then 1 else 0.
  Proof.
    destruct z as [|p|p]; intros H; [apply Q2R_integer|cbn [power Z.eqb]|lia]. rewrite positive_power_is. apply pow_i, Pos2Nat.is_pos.
  Qed.
  Definition sign (z : Z) : R := if Z.even z then 1 else -1.
  Lemma sign_power z : (0 <= z)%Z -> power over_R (-1) z = sign z.
  Proof.
    intros H. rewrite power_is, <- (Z2Nat.id z H). generalize (Z.to_nat z) as n; intros n. rewrite <- pow_powerRZ. unfold sign.
    induction n as [|n IH]; [reflexivity|]. cbn [pow]. rewrite IH, Nat2Z.inj_succ, Z.even_succ, <- Z.negb_even.
    destruct (Z.even (Z.of_nat n)); simpl; lra.
  Qed.
  Lemma sign_square z : sign z * sign z = 1. Proof. unfold sign; destruct (Z.even z); lra. Qed.
  Lemma alike_value v b s x y zb zs zx zy : value v b = IZR zb -> value v s = IZR zs -> v x = IZR zx -> v y = IZR zy ->
    (0 < zb)%Z -> (0 <= zs)%Z ->
    value v (alike b s x y) = (if (zx / zb ^ zs =? zy / zb ^ zs)%Z then 1 else 0)
    /\ (defined v b -> defined v s -> defined v (alike b s x y)).
  Proof.
    intros B S X Y P N. destruct (gap_value v b s x y zb zs zx zy B S X Y P N) as [V D]. cbv zeta in V, D.
    set (g := (zx / zb ^ zs - zy / zb ^ zs)%Z) in *. assert (G : (0 <= g * g)%Z) by apply Z.square_nonneg. split.
    - unfold alike, value in *; cbn [eval floor integer of_Q over_R]. rewrite V, (proj2 (whole_IZR _)), Q2R_integer, zero_power by exact G.
      unfold g. destruct (Z.eqb_spec (zx / zb ^ zs) (zy / zb ^ zs)) as [E|E]; [rewrite E, Z.sub_diag; reflexivity|].
      destruct (Z.eqb_spec ((zx / zb ^ zs - zy / zb ^ zs) * (zx / zb ^ zs - zy / zb ^ zs)) 0) as [F|F]; [|reflexivity].
      apply Z.mul_eq_0 in F. lia.
    - intros Db Ds. unfold alike; cbn [defined]. rewrite V.
      refine (conj I (conj (D Db Ds) (conj (proj1 (whole_IZR _)) (or_introl _)))). now apply IZR_le.
  Qed.
  Lemma side_value v b s x zb zs zx : value v b = IZR zb -> value v s = IZR zs -> v x = IZR zx -> (0 < zb)%Z -> (1 <= zs)%Z -> (0 <= zx)%Z ->
    value v (side b s x) = sign (zx / zb ^ (zs - 1)) /\ (defined v b -> defined v s -> defined v (side b s x)).
  Proof.
    intros B S X P N G. assert (S' : value v (Sub s (Cst 1)) = IZR (zs - 1)).
    { unfold value in *; cbn [eval sub integer of_Q over_R]. now rewrite S, Q2R_integer, minus_IZR. }
    destruct (node_value v b (Sub s (Cst 1)) x zb (zs - 1) zx B S' X P ltac:(lia)) as [V D].
    assert (M : (0 <= zx / zb ^ (zs - 1))%Z) by (apply Z.div_pos; [exact G|apply Z.pow_pos_nonneg; lia]). split.
    - unfold side, value in *; cbn [eval floor integer of_Q over_R]. rewrite V, (proj2 (whole_IZR _)), Q2R_integer. now apply sign_power.
    - intros Db Ds. unfold side; cbn [defined]. rewrite V.
      refine (conj I (conj (D Db (conj Ds I)) (conj (proj1 (whole_IZR _)) (or_introl _)))). now apply IZR_le.
  Qed.

  (* Nodes. *)
  Lemma node_up a c b s t : (0 < b)%Z -> (0 <= s <= t)%Z -> (a / b ^ s = c / b ^ s -> a / b ^ t = c / b ^ t)%Z.
  Proof.
    intros B L E. replace t with (s + (t - s))%Z by lia. rewrite Z.pow_add_r by lia.
    rewrite <- !Z.div_div by (try apply Z.pow_pos_nonneg; try apply Z.pow_nonzero; lia). now rewrite E.
  Qed.
  Lemma node_half a s : (1 <= s)%Z -> (a / 2 ^ s = a / 2 ^ (s - 1) / 2)%Z.
  Proof.
    intros S. replace s with (s - 1 + 1)%Z at 1 by lia. rewrite Z.pow_add_r, Z.pow_1_r by lia.
    rewrite Z.div_div by (try apply Z.pow_nonzero; lia). reflexivity.
  Qed.
  Lemma halves_differ m n : m <> n -> (m / 2 = n / 2)%Z -> sign m * sign n = -1.
  Proof.
    intros N E. unfold sign. pose proof (Z_div_mod_eq_full m 2) as M. pose proof (Z_div_mod_eq_full n 2) as L. rewrite E in M.
    pose proof (Z.mod_pos_bound m 2 ltac:(lia)). pose proof (Z.mod_pos_bound n 2 ltac:(lia)).
    destruct (Z.even m) eqn:A, (Z.even n) eqn:B; try lra; rewrite Zeven_mod in A, B.
    - apply Zeq_bool_eq in A, B. lia.
    - apply Zeq_bool_neq in A, B. lia.
  Qed.

  (* Sums over heights. *)
  Definition sigma (f : Z -> R) (l : list Z) : R := fold_right (fun z total => f z + total) 0 l.
  Lemma sigma_app f l m : sigma f (l ++ m) = sigma f l + sigma f m.
  Proof. unfold sigma; induction l as [|z l IH]; cbn [app fold_right]; [lra|]. rewrite IH; lra. Qed.
  Lemma sigma_ext f g l : (forall z, In z l -> f z = g z) -> sigma f l = sigma g l.
  Proof.
    unfold sigma; induction l as [|z l IH]; intros H; [reflexivity|]. cbn [fold_right].
    rewrite IH, H; [reflexivity|now left|intros; apply H; now right].
  Qed.
  Lemma sigma_zero l : sigma (fun _ => 0) l = 0.
  Proof. unfold sigma; induction l as [|z l IH]; [reflexivity|]. cbn [fold_right]. rewrite IH; lra. Qed.
  Lemma in_along z a b : In z (along a b) <-> (a <= z <= b)%Z.
  Proof.
    unfold along. rewrite in_map_iff. split.
    - intros (n & <- & I). apply in_seq in I. lia.
    - intros L. exists (Z.to_nat (z - a)). split; [lia|]. apply in_seq. lia.
  Qed.
  Lemma along_split a k b : (a <= k <= b + 1)%Z -> along a b = along a (k - 1) ++ along k b.
  Proof.
    intros L. unfold along. replace (Z.to_nat (b - a + 1)) with (Z.to_nat (k - 1 - a + 1) + Z.to_nat (b - k + 1))%nat by lia.
    rewrite seq_app, map_app. f_equal. rewrite Nat.add_0_l.
    assert (E : forall n s, map (fun i => (a + Z.of_nat i)%Z) (seq (Z.to_nat (k - 1 - a + 1) + s) n) = map (fun i => (k + Z.of_nat i)%Z) (seq s n)).
    { induction n as [|n IH]; intros s; [reflexivity|]. cbn [seq map]. f_equal; [lia|]. rewrite <- IH. now rewrite Nat.add_succ_r. }
    specialize (E (Z.to_nat (b - k + 1)) 0%nat). now rewrite Nat.add_0_r in E.
  Qed.
  Lemma along_one a : along a a = [a].
  Proof. unfold along. replace (Z.to_nat (a - a + 1)) with 1%nat by lia. cbn. f_equal. lia. Qed.
  Lemma sum_value a b e za zb : value w a = IZR za -> value w b = IZR zb ->
    value w (Sum height a b e) = sigma (fun z => value (at_height z) e) (along za zb).
  Proof.
    intros A B. unfold value in *; cbn [eval floor integer of_Q add over_R]. rewrite A, B, !(proj2 (whole_IZR _)), Q2R_integer.
    unfold sigma; induction (along za zb) as [|z l IH]; [reflexivity|]. cbn [fold_right]. rewrite IH, Q2R_integer. reflexivity.
  Qed.
  Lemma sum_from_value a b e za zb : simple e = true -> defined w b -> value w a = IZR za -> value w b = IZR zb ->
    value w (sum_from a b e) = sigma (fun z => value (at_height z) e) (along za zb).
  Proof.
    intros S D A B. unfold sum_from. destruct (expr_dec a b) as [E|]; [|now apply sum_value].
    subst b. rewrite A in B. apply eq_IZR in B as <-. rewrite (proj1 (substituted_sound height a w e S D)), A, along_one.
    unfold sigma; cbn [fold_right]. lra.
  Qed.

  Lemma cst v z : value v (Cst z) = IZR z. Proof. apply Q2R_integer. Qed.
  Lemma add_value v a b x y : value v a = IZR x -> value v b = IZR y -> value v (Add a b) = IZR (x + y).
  Proof. intros A B. unfold value in *; cbn [eval add over_R]. now rewrite A, B, plus_IZR. Qed.
  Lemma sub_value v a b x y : value v a = IZR x -> value v b = IZR y -> value v (Sub a b) = IZR (x - y).
  Proof. intros A B. unfold value in *; cbn [eval sub over_R]. now rewrite A, B, minus_IZR. Qed.
  Lemma states_sound e : states e = true -> defined w e /\ 0 <= value w e.
  Proof.
    intros H. apply existsb_exists in H as (c & I & E). destruct (expr_dec c e) as [->|]; [|discriminate].
    destruct here as [_ K]. rewrite Forall_forall in K. exact (K _ I).
  Qed.
  Definition coefficient (differs : bool) (b x y z : Z) : R :=
    (if (x / b ^ z =? y / b ^ z)%Z then 1 else 0) * (if differs then sign (x / b ^ (z - 1)) * sign (y / b ^ (z - 1)) else 1).
  Lemma shared_value v t zb zx zy z : value v (branching t) = IZR zb -> v height = IZR z -> v (one t) = IZR zx -> v (other t) = IZR zy ->
    (0 < zb)%Z -> (0 <= zx)%Z -> (0 <= zy)%Z -> ((if differ t then 1 else 0) <= z)%Z -> defined v (branching t) ->
    let e := shared (differ t) (branching t) (Var height) (one t) (other t) in
    value v e = coefficient (differ t) zb zx zy z /\ defined v e.
  Proof.
    intros B H X Y P Gx Gy L D e. unfold e, shared, coefficient.
    destruct (alike_value v (branching t) (Var height) (one t) (other t) zb z zx zy B H X Y P ltac:(destruct (differ t); lia)) as [V DV].
    destruct (differ t); [|split; [rewrite V; lra|exact (DV D I)]].
    destruct (side_value v (branching t) (Var height) (one t) zb z zx B H X P L Gx) as [Vx Dx].
    destruct (side_value v (branching t) (Var height) (other t) zb z zy B H Y P L Gy) as [Vy Dy].
    split; [|exact (conj (DV D I) (conj (Dx D I) (Dy D I)))].
    unfold value in *; cbn [eval mul over_R]. now rewrite V, Vx, Vy.
  Qed.
  Lemma coefficient_same differs b x z : coefficient differs b x x z = 1.
  Proof. unfold coefficient. rewrite Z.eqb_refl. destruct differs; rewrite ?sign_square; lra. Qed.
  Section Meeting.
    Variables (b x y k : Z).
    Hypotheses (positive_b : (2 <= b)%Z) (k_1 : (1 <= k)%Z).
    Hypotheses (at_k : (x / b ^ k = y / b ^ k)%Z) (below : (x / b ^ (k - 1) <> y / b ^ (k - 1))%Z).
    Lemma coefficient_below differs z : (0 <= z < k)%Z -> coefficient differs b x y z = 0.
    Proof.
      intros L. unfold coefficient. destruct (Z.eqb_spec (x / b ^ z) (y / b ^ z)) as [E|]; [|lra].
      exfalso. apply below. apply (node_up x y b z (k - 1)); auto; lia.
    Qed.
    Lemma coefficient_above (differs : bool) z : (k + (if differs then 1 else 0) <= z)%Z -> coefficient differs b x y z = 1.
    Proof.
      intros L. unfold coefficient. rewrite (node_up x y b k z) by (try destruct differs; lia || exact at_k). rewrite Z.eqb_refl.
      destruct differs; [|lra]. rewrite (node_up x y b k (z - 1)) by (lia || exact at_k). rewrite sign_square. lra.
    Qed.
    Lemma coefficient_at : b = 2%Z -> coefficient true b x y k = -1.
    Proof.
      intros B. unfold coefficient. rewrite at_k, Z.eqb_refl, B in *. rewrite halves_differ; [lra|exact below|].
      rewrite <- !node_half by lia. exact at_k.
    Qed.
  End Meeting.

  (* The sum is what it becomes. *)
  Theorem check_tree_sound t : check_tree t = true -> value w (summed t) = value w (becomes t) /\ defined w (summed t).
  Proof.
    unfold check_tree; intros H.
    apply andb_prop in H as [H D]; apply andb_prop in H as [H R]; apply andb_prop in H as [H M]; apply andb_prop in H as [H B2];
      apply andb_prop in H as [H S]; apply andb_prop in H as [H N2]; apply andb_prop in H as [H N1]; apply andb_prop in H as [H O2];
      apply andb_prop in H as [H O1]; apply andb_prop in H as [H WA]; apply andb_prop in H as [C CA].
    rewrite forallb_forall in WA, CA.
    destruct (whole_e_sound _ _ here (from t) (WA (from t) ltac:(simpl; tauto))) as (zf & F).
    destruct (whole_e_sound _ _ here (upto t) (WA (upto t) ltac:(simpl; tauto))) as (zu & U).
    destruct (whole_e_sound _ _ here (meet t) (WA (meet t) ltac:(simpl; tauto))) as (zk & K).
    destruct (whole_e_sound _ _ here (branching t) (WA (branching t) ltac:(simpl; tauto))) as (zb & B).
    destruct (natural_at_sound _ _ here _ N1) as (zx & X & Px), (natural_at_sound _ _ here _ N2) as (zy & Y & Py).
    apply (check_powers_sound _ _ w) in R; [|exact here]. unfold order in R. apply Forall_app in R as [R0 R1].
    pose proof (Forall_inv R0) as (_ & Df & Lf). apply Forall_inv_tail in R0. pose proof (Forall_inv R0) as (_ & Dk & Lk).
    apply Forall_inv_tail in R0. pose proof (Forall_inv R0) as (_ & Db & Lb). apply Forall_inv_tail, Forall_inv in R0 as (Du & _ & _).
    cbn [related] in Lf, Lk, Lb. rewrite cst in Lf, Lk, Lb. rewrite F in Lf; rewrite K in Lk; rewrite B in Lb.
    apply le_IZR in Lf, Lk, Lb. set (low := if differ t then 1%Z else 0%Z) in *. assert (L0 : (0 <= low)%Z) by (unfold low; destruct (differ t); lia).
    assert (Own : forall z e, closed own_names e = true -> value (at_height z) e = value w e /\ (defined w e -> defined (at_height z) e)).
    { intros z e Ce. split; [symmetry; apply (closed_value _ own_names); [exact Ce|apply own_put]|].
      apply (closed_defined _ own_names); [exact Ce|apply own_put]. }
    assert (Each : forall z, (zf <= z)%Z -> defined (at_height z) (each t)).
    { intros z Lz. set (k := Z.to_nat (z - zf)). set (w' := put w height (INR k)).
      assert (I : inside (along_it d) w') by (now apply along_inside).
      apply (check_powers_sound _ _ w' _ _ I) in D. apply Forall_inv in D as (D & _ & _).
      assert (Cf : closed own_names (from t) = true) by (apply CA; simpl; tauto).
      assert (Vf : value w' (from t) = IZR zf) by (rewrite <- F; symmetry; apply (closed_value _ own_names); [exact Cf|apply own_put]).
      assert (Df' : defined w' (from t)) by (apply (closed_defined _ own_names w); [exact Cf|apply own_put|exact Df]).
      destruct (substituted_sound height (Add (from t) (Var height)) w' (each t) S) as [_ E]; [cbn [defined]; auto|].
      apply E in D. replace (value w' (Add (from t) (Var height))) with (IZR z) in D.
      - revert D. apply defined_ext. intros y. unfold w', put. destruct (y =? height)%positive; reflexivity.
      - unfold value in *; cbn [eval add over_R]. rewrite Vf. unfold w', put. rewrite Pos.eqb_refl.
        rewrite INR_IZR_INZ, <- plus_IZR. f_equal. unfold k. lia. }
    assert (Term : forall z, (zf <= z)%Z ->
      value (at_height z) (Mul (shared (differ t) (branching t) (Var height) (one t) (other t)) (each t))
        = coefficient (differ t) zb zx zy z * value (at_height z) (each t)
      /\ defined (at_height z) (Mul (shared (differ t) (branching t) (Var height) (one t) (other t)) (each t))).
    { intros z Lz. assert (Cb : closed own_names (branching t) = true) by (apply CA; simpl; tauto). destruct (Own z _ Cb) as [Vb Db'].
      assert (Hz : at_height z height = IZR z) by (unfold put; now rewrite Pos.eqb_refl).
      assert (Hx : at_height z (one t) = IZR zx) by (rewrite <- (own_put d w (IZR z) (one t) O1); exact X).
      assert (Hy : at_height z (other t) = IZR zy) by (rewrite <- (own_put d w (IZR z) (other t) O2); exact Y).
      destruct (shared_value (at_height z) t zb zx zy z (eq_trans Vb B) Hz Hx Hy ltac:(lia) Px Py ltac:(fold low; lia) (Db' Db)) as [V D'].
      split; [|cbn [defined]; auto]. unfold value in *; cbn [eval mul over_R]. now rewrite V. }
    assert (Sum_is : value w (summed t) = sigma (fun z => coefficient (differ t) zb zx zy z * value (at_height z) (each t)) (along zf zu)).
    { unfold summed. rewrite (sum_value _ _ _ zf zu F U). apply sigma_ext. intros z I. apply in_along in I. apply Term. lia. }
    split.
    2:{ unfold summed; cbn [defined]. rewrite F, U, (proj2 (whole_IZR zf)), (proj2 (whole_IZR zu)).
        refine (conj Df (conj Du (conj (proj1 (whole_IZR _)) (conj (proj1 (whole_IZR _)) _)))). intros z I. apply in_along in I. apply Term. lia. }
    rewrite Sum_is. unfold becomes, meeting in *. destruct (Pos.eqb_spec (one t) (other t)) as [Same|Diff].
    - destruct (is t); try discriminate. assert (zx = zy) as <- by (apply eq_IZR; congruence).
      rewrite (sum_from_value _ _ _ zf zu S Du F U). apply sigma_ext. intros z _. rewrite coefficient_same. lra.
    - apply andb_prop in M as [M1 M2]. apply states_sound in M1 as [_ M1]. apply states_sound in M2 as [_ M2].
      assert (P : (0 < zb)%Z) by lia.
      destruct (gap_value w _ _ _ _ zb zk zx zy B K X Y P ltac:(lia)) as [G1 _]. cbv zeta in G1.
      assert (K1 : value w (Sub (meet t) (Cst 1)) = IZR (zk - 1)) by (apply sub_value; [exact K|apply cst]).
      destruct (gap_value w _ _ _ _ zb (zk - 1) zx zy B K1 X Y P ltac:(lia)) as [G2 _]. cbv zeta in G2.
      assert (At : (zx / zb ^ zk = zy / zb ^ zk)%Z).
      { unfold value in M1, G1; cbn [eval sub integer of_Q over_R] in M1. rewrite G1, Q2R_integer, <- minus_IZR in M1. apply le_IZR in M1.
        assert ((zx / zb ^ zk - zy / zb ^ zk) * (zx / zb ^ zk - zy / zb ^ zk) = 0)%Z as E by (pose proof (Z.square_nonneg (zx / zb ^ zk - zy / zb ^ zk)); lia).
        apply Z.mul_eq_0 in E. lia. }
      assert (Below : (zx / zb ^ (zk - 1) <> zy / zb ^ (zk - 1))%Z).
      { intros E. rewrite E, Z.sub_diag in G2. unfold value in M2, G2; cbn [eval sub integer of_Q over_R] in M2.
        rewrite G2, Q2R_integer, <- minus_IZR in M2. apply le_IZR in M2. lia. }
      destruct (is t) eqn:Part.
      + rewrite (sum_from_value _ _ _ zf zu S Du F U). apply Forall_inv in R1 as (_ & _ & L). cbn [related] in L.
        rewrite (add_value w _ _ zk low K (cst _ _)), F in L. apply le_IZR in L.
        apply sigma_ext. intros z I. apply in_along in I.
        assert (Ez : coefficient (differ t) zb zx zy z = 1).
        { apply (coefficient_above zb zx zy zk); auto; unfold low in L; destruct (differ t); lia. }
        rewrite Ez. lra.
      + apply Forall_inv in R1 as (_ & _ & L). cbn [related] in L. rewrite (add_value w _ _ zu 1 U (cst _ _)), K in L. apply le_IZR in L.
        rewrite cst. rewrite <- (sigma_zero (along zf zu)). apply sigma_ext. intros z I. apply in_along in I.
        assert (Ez : coefficient (differ t) zb zx zy z = 0) by (apply (coefficient_below zb zx zy zk); auto; lia).
        rewrite Ez. lra.
      + pose proof (Forall_inv R1) as (_ & _ & L1). apply Forall_inv_tail, Forall_inv in R1 as (_ & _ & L2). cbn [related] in L1, L2.
        rewrite F, K in L1. apply le_IZR in L1. rewrite (add_value w _ _ zu (1 - low) U (cst _ _)), K in L2. apply le_IZR in L2.
        rewrite (along_split zf zk zu) by (unfold low in L2; destruct (differ t); lia). rewrite sigma_app.
        rewrite (sigma_ext _ (fun _ => 0) (along zf (zk - 1))), sigma_zero, Rplus_0_l.
        2:{ intros z I. apply in_along in I.
            assert (Ez : coefficient (differ t) zb zx zy z = 0) by (apply (coefficient_below zb zx zy zk); auto; lia).
            rewrite Ez. lra. }
        destruct (differ t) eqn:Df0.
        * cbn [orb negb] in B2. destruct (expr_dec (branching t) (Cst 2)) as [E2|]; [|discriminate].
          assert (zb = 2%Z) as Two by (rewrite E2, cst in B; now apply eq_IZR in B).
          rewrite (along_split zk (zk + 1) zu) by (unfold low in L2; lia). replace (zk + 1 - 1)%Z with zk by lia.
          rewrite along_one, sigma_app. unfold sigma at 1; cbn [fold_right]. rewrite (coefficient_at zb zx zy zk) by auto.
          assert (SubV : forall a b, value w (Sub a b) = value w a - value w b) by reflexivity. rewrite SubV.
          rewrite (sum_from_value _ _ _ (zk + 1) zu S Du (add_value w _ _ zk 1 K (cst _ _)) U).
          rewrite (proj1 (substituted_sound height (meet t) w (each t) S Dk)), K.
          rewrite (sigma_ext _ (fun z => value (at_height z) (each t)) (along (zk + 1) zu)); [lra|].
          intros z I. apply in_along in I.
          assert (Ez : coefficient true zb zx zy z = 1) by (apply (coefficient_above zb zx zy zk); auto; lia).
          rewrite Ez. lra.
        * rewrite (sum_from_value _ _ _ zk zu S Du K U). apply sigma_ext. intros z I. apply in_along in I.
          assert (Ez : coefficient false zb zx zy z = 1) by (apply (coefficient_above zb zx zy zk); auto; lia).
          rewrite Ez. lra.
  Qed.

  Definition tree_sum_becomes (ts : list tree_sum) (e : expr) : expr :=
    match find (fun t => if expr_dec (summed t) e then true else false) ts with Some t => becomes t | None => e end.
  Lemma tree_sum_becomes_sound ts e : forallb check_tree ts = true -> stands_for w (tree_sum_becomes ts e) e.
  Proof.
    intros T. unfold tree_sum_becomes. destruct (find _ ts) as [u|] eqn:E; [|split; auto]. apply find_some in E as [I E].
    destruct (expr_dec (summed u) e) as [S|]; [|discriminate]. rewrite forallb_forall in T.
    destruct (check_tree_sound _ (T _ I)) as [V D]. rewrite S in V, D. now split.
  Qed.
End Checker.
(* Relations are shown with what sums over the heights of a tree become. *)
Definition check_trees (d : domain) (ts : list tree_sum) (table : list (expr * positive)) (forms : list form) (ls : list lemma)
  (rels : list relation) (steps : list step) : bool :=
  forallb (check_tree d table) ts
  && check_all d table forms ls (map (relation_with (tree_sum_becomes d ts)) rels) (map (step_with (tree_sum_becomes d ts)) steps).
Theorem check_trees_sound d ts table forms ls rels steps w :
  inside d w -> check_trees d ts table forms ls rels steps = true -> Forall (true_at w) rels.
Proof.
  unfold check_trees; intros here H. apply andb_prop in H as [T H]. apply (check_all_sound _ _ _ _ _ _ w here) in H.
  rewrite Forall_map in H. revert H. apply Forall_impl. intros r X. apply relation_with_sound with (2 := X).
  intros x a b t. now apply (tree_sum_becomes_sound d table w here).
Qed.
