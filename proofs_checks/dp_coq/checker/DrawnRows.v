(* The label of one drawn item: its chances are sums of entries of a row. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Quantifiers checker.Readings checker.Comparisons checker.Users checker.Bits checker.Places checker.Drawn
  theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

Definition label_class (c : class) : bool := match c with Own | Other | Any => true | _ => false end.
Definition of_labels (r : rows) : bool := forallb (fun k => forallb (fun c => label_class (fst c)) (cells_of r k)) [Sen; Non].
(* What shows the item itself, a sensitive item that is another one, the item itself where it is not sensitive. *)
Definition sum_of (h : class -> bool) (l : list (class * expr)) : expr := fold_right (fun c sum => if h (fst c) then Add (snd c) sum else sum) (Cst 0) l.
Definition shows_own (c : class) : bool := match c with Own | Any => true | _ => false end.
Definition shows_other (c : class) : bool := match c with Other | Any => true | _ => false end.
Definition shows_itself (c : class) : bool := match c with Own => true | _ => false end.
Definition label_sums (r : rows) (alone : bool) : list expr :=
  [sum_of shows_own (cells_of r Sen); sum_of shows_other (cells_of r Sen)] ++ if alone then [] else [sum_of shows_other (cells_of r Non)].
Definition bounded_labels (r : rows) (alone : bool) (limit : expr) : list Formulas.relation :=
  flat_map (fun a => map (fun b => (Le, a, Mul limit b)) (label_sums r alone)) (label_sums r alone).
Definition possible_labels (r : rows) : list Formulas.relation := [(Le, Cst 0, sum_of shows_itself (cells_of r Non))].

(* Whether an entry of a class shows an item, of a user who holds another one. *)
Definition hits (K x z : nat) (c : class) : bool :=
  match c with Own => (x =? z)%nat | Other => (z <? K)%nat && negb (z =? x)%nat | Any => (z <? K)%nat | _ => false end.
Definition shown_label (K : nat) (v : val) (z : nat) : bool := match v with Item y => (y =? z)%nat | _ => false end.

Definition label_sum (K : nat) (r : rows) (y z : nat) : expr :=
  if (y =? z)%nat then sum_of shows_own (cells_of r Sen)
  else if (y <? K)%nat then sum_of shows_other (cells_of r Sen) else sum_of shows_other (cells_of r Non).

Section Rows.
  Variables (w : positive -> R) (K M m : nat) (r : rows) (q : reading) (alone : bool).
  Notation c := (relation q).
  Hypotheses (K_is : w 1%positive = INR K) (labels : of_labels r = true) (none : alone = true -> M = 0%nat).
  Notation single x := (law over_R w (fun _ => []) K M (Push Blanked (Row r)) [x]).
  Notation kind_of x := (if (x <? K)%nat then Sen else Non).
  Definition label_report (z : nat) : val := apply Blanked K (Item z).
  Lemma labels_total z l : NoDup l -> E (map (fun y => (1, y)) (map Item l)) (fun v => if shown_label K v z then 1 else 0) = if is_held z l then 1 else 0.
  Proof.
    intros D. induction D as [|y l N D IH]; [reflexivity|]. cbn [map E shown_label is_held existsb]. rewrite IH. fold (is_held z l).
    rewrite (Nat.eqb_sym z y). destruct (Nat.eqb_spec y z) as [->|E']; cbn [orb]; [|lra].
    destruct (is_held z l) eqn:H; [apply is_held_iff in H; contradiction|lra].
  Qed.
  Lemma entry_total z x a : label_class a = true ->
    E (map (fun y => (1, y)) (labels_of K a x)) (fun v => if shown_label K v z then 1 else 0) = if hits K x z a then 1 else 0.
  Proof.
    intros La. assert (B : forall n, is_held z (seq 0 n) = (z <? n)%nat).
    { intros n. apply eq_true_iff_eq. rewrite is_held_iff, in_seq, Nat.ltb_lt. lia. }
    destruct a; try discriminate; cbn [labels_of hits].
    - change [Item x] with (map Item [x]). rewrite labels_total by (repeat constructor; intros []). cbn [is_held existsb].
      rewrite (Nat.eqb_sym z x), orb_false_r. reflexivity.
    - rewrite labels_total by (apply NoDup_filter, seq_NoDup). rewrite <- B. replace (is_held z (filter _ _)) with (is_held z (seq 0 K) && negb (z =? x)%nat); [reflexivity|].
      apply eq_true_iff_eq. rewrite andb_true_iff, !is_held_iff, filter_In. reflexivity.
    - rewrite labels_total by apply seq_NoDup. now rewrite B.
  Qed.
  Lemma E_scaled (e : R) (l : list val) f : E (map (fun y => (e, y)) l) f = e * E (map (fun y => (1, y)) l) f.
  Proof. induction l as [|y l IH]; [cbn; lra|]. cbn [map E]. rewrite IH. lra. Qed.
  Lemma sum_of_ext h h' l : (forall a, label_class a = true -> h a = h' a) -> forallb (fun c => label_class (fst c)) l = true -> sum_of h l = sum_of h' l.
  Proof.
    intros H. induction l as [|[a e] l IH]; intros F; [reflexivity|]. cbn [forallb fst] in F. apply andb_prop in F as [A F].
    cbn [sum_of fold_right fst snd]. fold (sum_of h l). fold (sum_of h' l). now rewrite IH, H.
  Qed.
  Lemma kind_labels x : forallb (fun c => label_class (fst c)) (cells_of r (kind_of x)) = true.
  Proof. unfold of_labels in labels. rewrite forallb_forall in labels. apply labels. destruct (x <? K)%nat; cbn; tauto. Qed.
  Lemma chance_label x z : E (cells over_R w K r (kind_of x) x) (fun v => if shown_label K v z then 1 else 0)
    = value w (sum_of (hits K x z) (cells_of r (kind_of x))).
  Proof.
    pose proof (kind_labels x) as F. unfold cells. induction (cells_of r (kind_of x)) as [|[a e] l IH]; [symmetry; apply value_Cst|].
    cbn [forallb fst] in F. apply andb_prop in F as [A F]. cbn [flat_map sum_of fold_right fst snd]. fold (sum_of (hits K x z) l).
    rewrite E_app, IH by exact F. cbn [fst snd]. rewrite (value_world w K K_is e), E_scaled, (entry_total z x a A).
    destruct (hits K x z a); [rewrite (value_Add w e _)|]; lra.
  Qed.
  (* What is compared of a report tells the label, where it is sensitive or where all of it is compared. *)
  Lemma label_key y z : (z < K)%nat \/ c <> Marginal -> equal over_R (key c (label_report y)) (key c (label_report z)) = (y =? z)%nat.
  Proof.
    intros H. apply eq_true_iff_eq. rewrite equal_iff, Nat.eqb_eq. split; [|congruence].
    assert (S : shown over_R (seen (label_report y)) = shown over_R (seen (label_report z)) -> (z < K)%nat -> y = z).
    { unfold label_report, apply. cbn [seen blank]. intros E L. apply Nat.ltb_lt in L. rewrite L in E.
      destruct (y <? K)%nat; cbn [shown map] in E; [now apply count_injective|]. rewrite count_is in E. discriminate. }
    assert (W : shown over_R (label_report y) = shown over_R (label_report z) -> y = z).
    { intros E. unfold label_report, apply in E. cbn [shown map] in E. injection E as E1 E2.
      assert (E0 : shown over_R (seen (label_report y)) = shown over_R (seen (label_report z))) by exact E1.
      destruct (Nat.ltb_spec z K) as [L|L]; [exact (S E0 L)|]. cbn [flat filter] in E2.
      assert (Lz : (K <=? z)%nat = true) by now apply Nat.leb_le. rewrite Lz in E2. destruct (K <=? y)%nat; [|discriminate E2].
      apply (f_equal (hd (Lst []))) in E2. cbn [isort fold_right insert map hd shown] in E2. exact (count_injective _ _ E2). }
    unfold key. destruct c eqn:Ec; try exact W. destruct H as [H|H]; [intros E; exact (S E H)|congruence].
  Qed.
  Lemma item_label x z : (z < K)%nat \/ c <> Marginal -> item_chance w K M (Row r) q (key c (label_report z)) x = value w (sum_of (hits K x z) (cells_of r (kind_of x))).
  Proof.
    intros H. unfold item_chance, chance. cbn [law]. rewrite E_push, <- chance_label.
    assert (I : forall p v, In (p, v) (cells over_R w K r (kind_of x) x) -> exists y, v = Item y).
    { intros p v J. unfold cells in J. apply in_flat_map in J as ([a e] & J & G). pose proof (kind_labels x) as F. rewrite forallb_forall in F. specialize (F _ J).
      apply in_map_iff in G as (v' & G & V). injection G as _ <-. cbn [fst] in *. destruct a; try discriminate; cbn [labels_of] in V.
      - destruct V as [<-|[]]. now exists x.
      - apply in_map_iff in V as (y & <- & _). now exists y.
      - apply in_map_iff in V as (y & <- & _). now exists y. }
    induction (cells over_R w K r (kind_of x) x) as [|[p v] l IH]; [reflexivity|]. cbn [E]. rewrite IH by (intros p' v' J; apply (I p'); now right).
    destruct (I p v (or_introl eq_refl)) as (y & ->). change (apply Blanked K (Item y)) with (label_report y). rewrite label_key by exact H. reflexivity.
  Qed.
  Lemma outcome_label x p v : In (p, v) (single x) -> exists z, v = label_report z /\ ((z < K)%nat \/ z = x).
  Proof.
    cbn [law]. unfold push. intros I. apply in_map_iff in I as ([a v0] & E & I). cbn [fst snd] in E. injection E as _ <-. unfold cells in I.
    apply in_flat_map in I as ([b e] & J & G). pose proof (kind_labels x) as F. rewrite forallb_forall in F. specialize (F _ J).
    apply in_map_iff in G as (v' & G & V). injection G as _ <-. cbn [fst] in *. destruct b; try discriminate; cbn [labels_of] in V.
    - destruct V as [<-|[]]. exists x. split; [reflexivity|now right].
    - apply in_map_iff in V as (y & <- & V). apply filter_In in V as [V _]. apply in_seq in V. exists y. split; [reflexivity|left; lia].
    - apply in_map_iff in V as (y & <- & V). apply in_seq in V. exists y. split; [reflexivity|left; lia].
  Qed.
  (* A report that shows no sensitive item does not count where such a one is asked for. *)
  Lemma shows_none z : (K <= z)%nat -> shows_item m (label_report z) = false.
  Proof.
    intros L. unfold shows_item, label_report, apply. cbn [seen blank]. apply Nat.ltb_ge in L. rewrite L. apply negb_false_iff, existsb_exists.
    exists (Lst []). split; [|now apply equal_iff]. unfold blanks. apply in_flat_map. exists 0%nat. split; [apply in_seq; lia|]. now left.
  Qed.
  (* The sum that a sensitive label is, by who holds what. *)
  Lemma label_hits y z : (z < K)%nat -> sum_of (hits K y z) (cells_of r (kind_of y)) = label_sum K r y z.
  Proof.
    intros L. assert (Lz : (z <? K)%nat = true) by now apply Nat.ltb_lt. pose proof (kind_labels y) as F. unfold label_sum.
    destruct (Nat.eq_dec y z) as [->|E].
    - rewrite Lz in *. rewrite Nat.eqb_refl. apply sum_of_ext with (2 := F).
      intros [] La; try discriminate; cbn [hits shows_own shows_other shows_itself]; rewrite ?Nat.eqb_refl, ?Lz; reflexivity.
    - assert (E2 : (z =? y)%nat = false) by (apply Nat.eqb_neq; congruence). apply Nat.eqb_neq in E as E1. rewrite E1.
      destruct (y <? K)%nat; apply sum_of_ext with (2 := F); intros [] La; try discriminate; cbn [hits shows_own shows_other shows_itself];
        rewrite ?E1, ?E2, ?Lz; reflexivity.
  Qed.
  Lemma label_one_item x : Forall (true_at w) (possible_labels r) -> (K <= x < K + M)%nat -> c <> Marginal -> of_one_item w K M (Row r) q (label_report x).
  Proof.
    intros possible X D.
    exists x. split; [exact X|]. split; [|split].
    - unfold label_report, apply, beside. rewrite flat_items, in_isort, filter_In. split; [now left|apply Nat.leb_le; lia].
    - rewrite item_label by now right. pose proof (Forall_inv possible) as (_ & _ & G). cbn [related] in G. rewrite value_Cst in G.
          assert (Lx : (x <? K)%nat = false) by (apply Nat.ltb_ge; lia). pose proof (kind_labels x) as F. rewrite Lx in *.
          rewrite (sum_of_ext (hits K x x) shows_itself); [exact G| |exact F]. intros [] La; try discriminate; cbn [hits shows_own shows_other shows_itself]; rewrite ?Nat.eqb_refl, ?Lx; reflexivity.
    - intros a A E. rewrite item_label by now right. rewrite (sum_of_ext (hits K a x) (fun _ => false)); [| |apply kind_labels].
      + induction (cells_of r (kind_of a)) as [|y l IH]; [apply value_Cst|exact IH].
      + assert (Lx : (x <? K)%nat = false) by (apply Nat.ltb_ge; lia). apply Nat.eqb_neq in E. intros [] La; try discriminate; cbn [hits shows_own shows_other shows_itself]; rewrite ?E, ?Lx; reflexivity.
  Qed.
  Variable limit : expr.
  Hypotheses (bound : Forall (true_at w) (bounded_labels r alone limit)) (possible : Forall (true_at w) (possible_labels r)).
  Hypothesis others_count : c = Marginal -> nonempty q = true \/ M = 0%nat.
  Theorem label_items x p v : (x < K + M)%nat -> In (p, v) (single x) -> (nonempty q = true -> shows_item m v = true) ->
    bounded_items w K M (Row r) q (value w limit) v \/ (nonempty q = false /\ c <> Marginal /\ of_one_item w K M (Row r) q v).
  Proof.
    intros X I N. destruct (outcome_label x p v I) as (z & -> & Z). destruct (Nat.ltb_spec z K) as [L|L].
    - left. intros a b A B. rewrite !item_label by now left.
      assert (S : forall y, (y < K + M)%nat -> exists e, In e (label_sums r alone) /\ value w (sum_of (hits K y z) (cells_of r (kind_of y))) = value w e).
      { intros y Y. exists (label_sum K r y z). split; [|now rewrite label_hits]. unfold label_sum, label_sums.
        destruct (Nat.eq_dec y z) as [->|E]; [rewrite Nat.eqb_refl; cbn; tauto|]. apply Nat.eqb_neq in E. rewrite E.
        destruct (Nat.ltb_spec y K) as [Ly|Ly]; [cbn; tauto|]. destruct alone; [specialize (none eq_refl); lia|]. cbn; tauto. }
      destruct (S a A) as (ea & Ia & ->). destruct (S b B) as (eb & Ib & ->). rewrite Forall_forall in bound.
      destruct (bound (Le, ea, Mul limit eb)) as (_ & _ & G); [|exact G]. apply in_flat_map. exists ea. split; [exact Ia|]. apply in_map_iff. now exists eb.
    - destruct Z as [Z| ->]; [lia|]. destruct (nonempty q) eqn:Ne; [specialize (N eq_refl); rewrite shows_none in N by exact L; discriminate|]. assert (D : c = Marginal \/ c <> Marginal) by (destruct c; (now left) || (right; discriminate)).
      destruct D as [D|D].
      + destruct (others_count D) as [O|O]; [discriminate|lia].
      + right. split; [reflexivity|]. split; [exact D|]. apply label_one_item; [exact possible|lia|exact D].
  Qed.
End Rows.
