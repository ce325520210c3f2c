(* How often a row shows the counted item, and what functions of an outcome do to the count. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool Permutation.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values theorems.Expectations checker.Variances.
Import ListNotations.
Open Scope R_scope.

(* An item, as the counted one sees it: itself, another sensitive one, another one that is not sensitive. *)
Inductive group := Mine | Sensitive | NotSensitive.
Definition group_of (K x y : nat) : group := if (y =? x)%nat then Mine else if (y <? K)%nat then Sensitive else NotSensitive.
Definition is_mine (g : group) : bool := match g with Mine => true | _ => false end.
Definition count (x : nat) (v : val) : R := INR (times x (flat v)).

(* Whether one of the labels of a class is the item; how many labels there are. *)
Definition hit (sens : bool) (c : class) (g : group) : bool :=
  match c with Own | Bit1 => is_mine g | Other => sens && negb (is_mine g) | Any => sens | Bit0 => false end.
Definition labels (c : class) (of_sensitive : bool) : expr :=
  match c with Own | Bit0 | Bit1 => Cst 1 | Any => Var 1 | Other => if of_sensitive then Sub (Var 1) (Cst 1) else Var 1 end.
Definition entry (sens : bool) (cells : list (class * expr)) (g : group) : expr :=
  fold_right (fun c sum => if hit sens (fst c) g then Add (snd c) sum else sum) (Cst 0) cells.
Definition mass (cells : list (class * expr)) (of_sensitive : bool) : expr :=
  fold_right (fun c sum => Add (Mul (snd c) (labels (fst c) of_sensitive)) sum) (Cst 0) cells.
Definition is_row (rs : list range) (cells : list (class * expr)) (of_sensitive : bool) : bool :=
  forallb (fun c => nonnegative_e rs (snd c)) cells && zero_e rs (Sub (mass cells of_sensitive) (Cst 1)).

Lemma times_app x l m : times x (l ++ m) = (times x l + times x m)%nat. Proof. apply count_occ_app. Qed.
Lemma times_distinct x l : NoDup l -> times x l = if in_dec Nat.eq_dec x l then 1%nat else 0%nat.
Proof.
  intros D; destruct (in_dec Nat.eq_dec x l) as [J|J].
  - unfold times; now apply NoDup_count_occ'.
  - now apply count_occ_not_In.
Qed.
Lemma count_slots x l : count x (Tup l) = total (count x) l.
Proof.
  unfold count; induction l as [|v l IH]; [reflexivity|]. cbn [flat flat_map total fold_right] in *. fold (total (count x) l).
  rewrite times_app, plus_INR, IH. reflexivity.
Qed.
Lemma count_items x l : total (count x) (map Item l) = INR (times x l).
Proof.
  rewrite <- count_slots. unfold count. do 2 f_equal. induction l as [|y l IH]; [reflexivity|]. cbn [map flat flat_map app] in *. now rewrite IH.
Qed.

(* What is seen of an outcome has the same counts, but for sets. *)
Lemma times_insert x y l : times x (insert y l) = times x (y :: l).
Proof.
  induction l as [|z l IH]; [reflexivity|]. cbn [insert]. destruct (y <=? z)%nat; [reflexivity|].
  unfold times in *; cbn [count_occ] in *. rewrite IH. destruct (Nat.eq_dec z x), (Nat.eq_dec y x); reflexivity.
Qed.
Lemma times_sorted x l : times x (isort l) = times x l.
Proof.
  induction l as [|y l IH]; [reflexivity|]. cbn [isort fold_right]. fold (isort l). rewrite times_insert.
  unfold times in *; cbn [count_occ]. now rewrite IH.
Qed.
Lemma times_filter x (p : nat -> bool) l : times x (filter p l) = if p x then times x l else 0%nat.
Proof.
  induction l as [|y l IH]; [now destruct (p x)|]. cbn [filter]. unfold times in *; cbn [count_occ].
  destruct (Nat.eq_dec y x) as [->|N]; destruct (p x) eqn:P; cbn [count_occ].
  - destruct (Nat.eq_dec x x); [|congruence]. now rewrite IH.
  - exact IH.
  - destruct (p y); cbn [count_occ]; [destruct (Nat.eq_dec y x); [congruence|]|]; exact IH.
  - destruct (p y); cbn [count_occ]; [destruct (Nat.eq_dec y x); [congruence|]|]; exact IH.
Qed.
Lemma flat_items l : flat (items l) = l.
Proof. unfold items; induction l as [|y l IH]; [reflexivity|]. cbn [map flat flat_map app] in *. now rewrite IH. Qed.
Lemma times_blank K x v : times x (flat (blank K v)) = if (x <? K)%nat then times x (flat v) else 0%nat.
Proof.
  destruct (Nat.ltb_spec x K) as [L|L]; revert v; fix rec 1; intros [n|l|i]; cbn [blank flat]; try reflexivity;
    try (destruct (Nat.ltb_spec n K); cbn [flat flat_map]; unfold times; cbn [count_occ]; destruct (Nat.eq_dec n x); try reflexivity; lia);
    induction l as [|v l IH]; try reflexivity; cbn [map flat_map]; now rewrite !times_app, IH, rec.
Qed.
Definition keeps_counts (f : fn) : bool := match f with AsSet => false | _ => true end.
Theorem count_seen f K x v : keeps_counts f = true -> count x (apply f K v) = count x v.
Proof.
  unfold count. intros H; f_equal. destruct f; try discriminate; cbn [apply flat flat_map]; rewrite ?app_nil_r, ?times_app, ?flat_items,
    ?times_sorted, ?times_filter, ?times_blank; try reflexivity; cbv beta;
    destruct (Nat.ltb_spec x K), (Nat.leb_spec K x); lia.
Qed.

(* By groups: what is summed over the items of a set. *)
Lemma total_groups K x (F : group -> R) s : total (fun y => F (group_of K x y)) s
  = INR (times x s) * (F Mine - F (if (x <? K)%nat then Sensitive else NotSensitive))
    + (INR (length s) - INR (above K s)) * F Sensitive + INR (above K s) * F NotSensitive.
Proof.
  induction s as [|y s IH]; [unfold times, above; simpl; lra|]. cbn [total fold_right]. fold (total (fun y => F (group_of K x y)) s).
  rewrite IH. clear IH. unfold group_of, times, above. cbn [count_occ filter length].
  destruct (Nat.eqb_spec y x) as [->|N].
  - destruct (Nat.eq_dec x x) as [_|]; [|congruence]. rewrite S_INR.
    destruct (Nat.ltb_spec x K), (Nat.leb_spec K x); try lia; cbn [length]; rewrite !S_INR; ring.
  - destruct (Nat.eq_dec y x) as [|_]; [congruence|].
    destruct (Nat.ltb_spec y K), (Nat.leb_spec K y); try lia; cbn [length]; rewrite !S_INR; ring.
Qed.

Section Row.
  Variables (rs : list range) (w : positive -> R) (K x : nat).
  Hypothesis within : forall y, in_range (range_at rs y) (w y).
  Hypothesis K_is : w 1%positive = INR K.
  Lemma eval_world e : eval over_R (world over_R w K) e = value w e.
  Proof.
    apply eval_ext. intros [y|y|]; try reflexivity. rewrite K_is. cbn [world integer of_Q over_R].
    now rewrite Q2R_integer, INR_IZR_INZ.
  Qed.
  Lemma E_labels (c : class) p y f : E (map (fun z => (p, z)) (labels_of K c y) : dist R val) f = p * total f (labels_of K c y).
  Proof. induction (labels_of K c y) as [|z l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
  Lemma total_others f y : total f (map Item (filter (fun z => negb (z =? y)%nat) (seq 0 K)))
    = total (fun z => f (Item z)) (seq 0 K) - (if (y <? K)%nat then f (Item y) else 0).
  Proof.
    rewrite total_map. set (g := fun z => f (Item z)). change (f (Item y)) with (g y).
    assert (G : forall k n, total g (filter (fun z => negb (z =? y)%nat) (seq n k))
      = total g (seq n k) - (if (n <=? y)%nat && (y <? n + k)%nat then g y else 0)).
    { induction k as [|k IH]; intros n; cbn [seq filter].
      - destruct (Nat.leb_spec n y), (Nat.ltb_spec y (n + 0)); simpl; try lra; lia.
      - specialize (IH (S n)). assert (H : forall z l, total g (z :: l) = g z + total g l) by reflexivity.
        destruct (Nat.eqb_spec n y) as [E|N]; cbn [negb]; rewrite ?H, IH;
          destruct (Nat.leb_spec (S n) y), (Nat.ltb_spec y (S n + k)), (Nat.leb_spec n y), (Nat.ltb_spec y (n + S k)); cbn [andb];
          try lia; try rewrite E; lra. }
    rewrite G. reflexivity.
  Qed.
  Lemma labels_number c y : total (fun _ => 1) (labels_of K c y) = value w (labels c (y <? K)%nat).
  Proof.
    unfold value. destruct c; cbn [labels_of labels]; rewrite ?total_others, ?total_map, ?total_const, ?seq_length;
      try destruct (y <? K)%nat; cbn [total fold_right eval sub integer of_Q over_R]; cbn [length INR]; rewrite ?Q2R_integer, ?K_is; lra.
  Qed.
  Lemma times_upto : times x (seq 0 K) = if (x <? K)%nat then 1%nat else 0%nat.
  Proof.
    rewrite times_distinct by apply seq_NoDup. destruct (in_dec Nat.eq_dec x (seq 0 K)) as [J|J]; rewrite in_seq in J;
      destruct (Nat.ltb_spec x K); try reflexivity; lia.
  Qed.
  Lemma count_item z : count x (Item z) = if (z =? x)%nat then 1 else 0.
  Proof. unfold count, times; cbn. destruct (Nat.eq_dec z x), (Nat.eqb_spec z x); try congruence; reflexivity. Qed.
  Lemma labels_hit c y k : (k = 1 \/ k = 2)%nat -> total (fun z => count x z ^ k) (labels_of K c y)
    = if hit (x <? K)%nat c (group_of K x y) then 1 else 0.
  Proof.
    intros k12. assert (One : forall z, count x (Item z) ^ k = count x (Item z)).
    { intros z. rewrite count_item. destruct (z =? x)%nat, k12 as [->| ->]; lra. }
    assert (All : total (fun z => count x (Item z) ^ k) (seq 0 K) = if (x <? K)%nat then 1 else 0).
    { rewrite (total_ext_in _ (fun z => count x (Item z))) by (intros; apply One).
      rewrite <- (total_map Item (count x)), count_items, times_upto. now destruct (x <? K)%nat. }
    assert (M : is_mine (group_of K x y) = (y =? x)%nat).
    { unfold group_of. destruct (y =? x)%nat; [reflexivity|]. now destruct (y <? K)%nat. }
    destruct c; cbn [labels_of hit]; rewrite ?M, ?total_others, ?total_map; cbn [total fold_right]; rewrite ?One, ?All, ?count_item.
    - destruct (y =? x)%nat; lra.
    - destruct (Nat.eqb_spec y x) as [->|]; destruct (x <? K)%nat; cbn [negb andb]; try lra; destruct (y <? K)%nat; lra.
    - reflexivity.
    - unfold count; simpl. destruct k12 as [->| ->]; lra.
    - destruct (y =? x)%nat; lra.
  Qed.
  Lemma E_cells r k y f : E (cells over_R w K r k y) f = fold_right (fun c sum => value w (snd c) * total f (labels_of K (fst c) y) + sum) 0 (cells_of r k).
  Proof.
    unfold cells. induction (cells_of r k) as [|[c e] l IH]; [reflexivity|]. cbn [flat_map fold_right fst snd].
    rewrite E_app, <- IH, E_labels, eval_world. reflexivity.
  Qed.
  (* The count of a row is 1 with the chance of its entry, else 0. *)
  Theorem moves_row r k y : is_row rs (cells_of r k) (y <? K)%nat = true ->
    let p := value w (entry (x <? K)%nat (cells_of r k) (group_of K x y)) in
    moves (cells over_R w K r k y) (count x) p (p * (1 - p)).
  Proof.
    intros H p. apply andb_prop in H as [N Z]. apply (zero_e_sound _ _ within) in Z as [Z _].
    unfold value in Z at 1; cbn [eval sub integer of_Q over_R] in Z; rewrite Q2R_integer in Z. fold (value w (mass (cells_of r k) (y <? K)%nat)) in Z.
    assert (P : forall j, (j = 1 \/ j = 2)%nat -> E (cells over_R w K r k y) (fun z => count x z ^ j) = p).
    { intros j J. rewrite E_cells. unfold p, value. clear - J. induction (cells_of r k) as [|[c e] l IH]; cbn [fold_right fst snd entry].
      - cbn [eval integer of_Q over_R]. now rewrite Q2R_integer.
      - fold (entry (x <? K)%nat l (group_of K x y)). rewrite labels_hit, IH by exact J.
        destruct (hit (x <? K)%nat c (group_of K x y)); cbn [eval add over_R]; lra. }
    split; [split|split].
    - unfold nonnegative, cells. rewrite Forall_flat_map. rewrite forallb_forall in N. apply Forall_forall. intros [c e] J.
      rewrite Forall_map. apply Forall_forall. intros z _. cbn [fst snd]. rewrite eval_world.
      exact (proj1 (nonnegative_e_sound _ _ within _ (N _ J))).
    - rewrite E_cells. transitivity (value w (mass (cells_of r k) (y <? K)%nat)); [|lra]. unfold value. clear - K_is.
      induction (cells_of r k) as [|[c e] l IH]; cbn [fold_right fst snd mass].
      + cbn [eval integer of_Q over_R]. now rewrite Q2R_integer.
      + fold (mass l (y <? K)%nat). rewrite IH, labels_number. reflexivity.
    - rewrite <- (P 1%nat) by auto. apply E_ext. intros z; lra.
    - rewrite (P 2%nat) by auto. ring.
  Qed.
End Row.
