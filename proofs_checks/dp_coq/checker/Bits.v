(* Reports of a bit for every item: what is compared of them tells the bits that matter, and its chance is a product. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Sentences checker.Quantifiers checker.Readings checker.Users.
From DP Require Import theorems.Expectations theorems.Coordinates.
Import ListNotations.
Open Scope R_scope.

(* What a row says of a bit that is 1, or 0. *)
Definition says_bit (b : bool) (c : class) : bool := match c with Bit1 => b | Bit0 => negb b | _ => false end.
Definition weight (b : bool) (l : list (class * expr)) : expr :=
  fold_right (fun c sum => if says_bit b (fst c) then Add (snd c) sum else sum) (Cst 0) l.
Definition of_bits (r : rows) : bool := forallb (fun k => forallb (fun c => bit_class (fst c)) (cells_of r k)) [Sen1; Sen0; Non1; Non0].
(* All bits matter, or those of sensitive items. *)
Definition matters (c : compared) (K x : nat) : bool := match c with Marginal => (x <? K)%nat | _ => true end.

Lemma in_isort x l : In x (isort l) <-> In x l.
Proof.
  unfold isort. induction l as [|y l IH]; [reflexivity|]. cbn [fold_right].
  assert (I : forall m, In x (insert y m) <-> x = y \/ In x m).
  { induction m as [|z m IHm]; cbn [insert]; [cbn; intuition|]. destruct (y <=? z)%nat; cbn; [intuition|]. rewrite IHm. intuition. }
  rewrite I, IH. cbn. intuition.
Qed.
Lemma in_flat_zipped y xs : forall bs, In y (flat (Tup (zipped xs bs))) <-> In (y, true) (combine xs bs).
Proof.
  induction xs as [|x xs IH]; intros [|b bs]; cbn [zipped combine map flat flat_map]; try reflexivity.
  change (flat_map flat (map (fun q => bit (fst q) (snd q)) (combine xs bs))) with (flat (Tup (zipped xs bs))).
  rewrite in_app_iff, IH. destruct b; cbn [fst snd bit flat flat_map In]; split; intros H; intuition congruence.
Qed.

Section Keys.
  Variables (c : compared) (K : nat).
  Definition report_of (xs : list nat) (bs : list bool) : val := apply Blanked K (Tup (zipped xs bs)).
  Lemma beside_report xs bs y : In y (beside (report_of xs bs)) <-> In (y, true) (combine xs bs) /\ (K <= y)%nat.
  Proof.
    unfold report_of, apply, beside. rewrite flat_items, in_isort, filter_In, in_flat_zipped, Nat.leb_le. reflexivity.
  Qed.
  Lemma seen_report xs bs : shown over_R (seen (report_of xs bs)) = Lst (map (fun q => shown over_R (blank K (bit (fst q) (snd q)))) (combine xs bs)).
  Proof. unfold report_of, apply, seen, zipped. cbn [blank shown]. now rewrite !map_map. Qed.
  Lemma blank_bit x b b' : shown over_R (blank K (bit x b)) = shown over_R (blank K (bit x b')) <-> ((x < K)%nat -> b = b').
  Proof.
    destruct b, b'; cbn [bit blank map]; destruct (Nat.ltb_spec x K); cbn [shown map]; split; intros G; try reflexivity; try lia; try discriminate;
      specialize (G ltac:(assumption)); discriminate.
  Qed.
  Lemma alike_iff p xs : NoDup xs -> forall bs bs', length bs = length xs -> length bs' = length xs ->
    (alike p xs bs' bs = true <-> forall x b b', In (x, b) (combine xs bs) -> In (x, b') (combine xs bs') -> p x = true -> b = b').
  Proof.
    intros D. induction D as [|x xs N D IH]; intros [|b bs] [|b' bs'] L L'; try discriminate; cbn [alike combine].
    - split; [intros _ y a a' []|reflexivity].
    - injection L as L. injection L' as L'. rewrite andb_true_iff, IH by assumption. split.
      + intros [A B] y a a' [I|I] [J|J] P.
        * injection I as -> ->. injection J as <-. rewrite P in A. now apply eqb_prop in A.
        * injection I as -> ->. destruct N. now apply in_combine_l in J.
        * injection J as -> ->. destruct N. now apply in_combine_l in I.
        * exact (B y a a' I J P).
      + intros H. split; [|intros y a a' I J P; exact (H y a a' (or_intror I) (or_intror J) P)].
        destruct (p x) eqn:P; [|reflexivity]. rewrite (H x b b' (or_introl eq_refl) (or_introl eq_refl) P). now destruct b'.
  Qed.
  Lemma seen_alike xs : forall bs bs', length bs = length xs -> length bs' = length xs ->
    (shown over_R (seen (report_of xs bs)) = shown over_R (seen (report_of xs bs')) <-> alike (fun x => (x <? K)%nat) xs bs' bs = true).
  Proof.
    intros bs bs'. rewrite !seen_report. revert bs bs'.
    assert (Q : forall l m : list (datum over_R), Lst l = Lst m <-> l = m) by (intros l m; split; [now intros [= E]|congruence]).
    induction xs as [|x xs IH]; intros [|b bs] [|b' bs'] L L'; try discriminate; cbn [combine map alike]; [tauto|].
    injection L as L. injection L' as L'. specialize (IH bs bs' L L'). rewrite Q in IH. rewrite Q, andb_true_iff, <- IH. cbn [fst snd].
    assert (B : negb (x <? K)%nat || eqb b b' = true <-> ((x < K)%nat -> b = b')).
    { destruct (Nat.ltb_spec x K), b, b'; cbn; split; intros G; try reflexivity; try congruence; try lia; specialize (G ltac:(assumption)); discriminate. }
    rewrite B, <- (blank_bit x b b'). split; [intros E; injection E; intros; now split|intros [E F]; now rewrite E, F].
  Qed.
  Theorem key_alike xs bs bs' : NoDup xs -> length bs = length xs -> length bs' = length xs ->
    equal over_R (key c (report_of xs bs)) (key c (report_of xs bs')) = alike (matters c K) xs bs' bs.
  Proof.
    intros D L L'. apply eq_true_iff_eq. rewrite equal_iff. unfold key, matters.
    assert (whole : shown over_R (report_of xs bs) = shown over_R (report_of xs bs') <-> alike (fun _ => true) xs bs' bs = true).
    { split.
      - intros E. unfold report_of, apply in E. cbn [shown map] in E. injection E as E1 E2.
        assert (S : shown over_R (seen (report_of xs bs)) = shown over_R (seen (report_of xs bs'))).
        { unfold report_of, apply, seen. cbn [blank shown]. now f_equal. }
        apply seen_alike in S; try assumption. rewrite alike_iff in S by assumption. apply alike_iff; try assumption.
        intros x b b' I I' _. destruct (Nat.ltb_spec x K) as [A|A]; [apply (S x b b' I I'); now apply Nat.ltb_lt|].
        assert (B : beside (report_of xs bs) = beside (report_of xs bs')).
        { apply set_datum_injective. unfold report_of, apply, beside. rewrite !flat_items. unfold set_datum. f_equal. rewrite !map_map in E2. exact E2. }
        assert (G : forall bs b, In (x, b) (combine xs bs) -> (b = true <-> In x (beside (report_of xs bs)))).
        { intros bs1 b1 J. rewrite beside_report. split; [intros ->; now split|]. intros [J' _].
          clear - D J J'. revert bs1 J J'. induction D as [|y xs N D IH]; intros [|a bs1]; cbn [combine]; [intros []|intros []|intros []|].
          intros [J|J] [J'|J'].
          - congruence.
          - injection J as -> ->. destruct N. now apply in_combine_l in J'.
          - injection J' as -> ->. destruct N. now apply in_combine_l in J.
          - exact (IH bs1 J J'). }
        apply eq_true_iff_eq. now rewrite (G bs b I), (G bs' b' I'), B.
      - intros A. assert (E : bs = bs'); [|now rewrite E]. clear D. revert bs bs' L L' A. induction xs as [|x xs IH]; intros [|b bs] [|b' bs'] L L' A; try discriminate; [reflexivity|].
        cbn [alike negb orb] in A. apply andb_prop in A as [A B]. apply eqb_prop in A as ->. f_equal. apply IH; [now injection L|now injection L'|exact B]. }
    destruct c; try exact whole. now apply seen_alike.
  Qed.
End Keys.

Section Law.
  Variables (w : positive -> R) (K M : nat) (r : rows) (c : compared).
  Hypothesis K_is : w 1%positive = INR K.
  Hypothesis bits : of_bits r = true.
  Notation law := (law over_R w (fun _ => []) K M (Push Blanked (EachItems r))).
  Notation xs := (seq 0 (K + M)).
  Definition weights (k : kind) : R * R := (value w (weight true (cells_of r k)), value w (weight false (cells_of r k))).
  Definition weights_of (s : list nat) (x : nat) : R * R := weights (bit_kind K x (is_held x s)).
  Lemma value_world e : eval over_R (world over_R w K) e = value w e.
  Proof.
    apply eval_ext. intros x. unfold world. destruct x; try reflexivity. rewrite K_is. unfold integer. cbn [of_Q over_R]. now rewrite Q2R_integer, INR_IZR_INZ.
  Qed.
  Lemma value_Add a b : value w (Add a b) = value w a + value w b. Proof. reflexivity. Qed.
  Lemma E_cells k x f : In k [Sen1; Sen0; Non1; Non0] ->
    E (cells over_R w K r k x) f = fst (weights k) * f (bit x true) + snd (weights k) * f (bit x false).
  Proof.
    intros I. unfold of_bits in bits. rewrite forallb_forall in bits. specialize (bits k I). unfold cells, weights. cbn [fst snd].
    induction (cells_of r k) as [|[a e] l IH]; cbn [flat_map weight fold_right]; [rewrite value_Cst; cbn; lra|].
    cbn [forallb] in bits. apply andb_prop in bits as [A B]. rewrite E_app, IH by exact B. cbn [fst snd] in *.
    destruct a; try discriminate; cbn [says_bit negb labels_of map E]; rewrite value_world, value_Add; cbn [bit]; unfold weight; lra.
  Qed.
  Lemma cells_are_bits k x p o : In k [Sen1; Sen0; Non1; Non0] -> In (p, o) (cells over_R w K r k x) -> o = bit x true \/ o = bit x false.
  Proof.
    intros I J. unfold of_bits in bits. rewrite forallb_forall in bits. specialize (bits k I). rewrite forallb_forall in bits.
    unfold cells in J. apply in_flat_map in J as ([a e] & J & G). specialize (bits _ J). apply in_map_iff in G as (y & G & H). injection G as _ <-.
    cbn [fst snd] in *. destruct a; try discriminate; destruct H as [<-|[]]; [right|left]; reflexivity.
  Qed.
  Lemma kind_is x b : In (bit_kind K x b) [Sen1; Sen0; Non1; Non0].
  Proof. unfold bit_kind. destruct (x <? K)%nat, b; cbn; tauto. Qed.
  (* A report is that of some bits. *)
  Theorem reports_of_bits s p v : In (p, v) (law s) -> exists bs, length bs = length xs /\ v = report_of K xs bs.
  Proof.
    cbn [Laws.law]. unfold push. rewrite map_map. intros I. apply in_map_iff in I as ([q l] & I & J). cbn [fst snd] in I. injection I as _ <-.
    destruct (outcomes_are_bits (fun x => cells over_R w K r (bit_kind K x (is_held x s)) x) xs) with (2 := J) as (bs & L & ->).
    - intros x q' o _ H. exact (cells_are_bits _ _ _ _ (kind_is _ _) H).
    - exists bs. now split.
  Qed.
  (* The chance of what is compared of it is a product over the items. *)
  Theorem chance_is_product s bs : length bs = length xs ->
    chance c (law s) (key c (report_of K xs bs)) = factors (matters c K) (weights_of s) xs bs.
  Proof.
    intros L. unfold chance. cbn [Laws.law]. rewrite !E_push.
    rewrite (coordinates_are_bits _ (weights_of s)) by (intros x f _; apply E_cells, kind_is).
    rewrite <- chance_of_bits by exact L. apply over_bits_ext. intros bs' L'. rewrite map_length in L'.
    change (apply Blanked K (Tup (zipped xs bs'))) with (report_of K xs bs'). now rewrite key_alike by (try apply seq_NoDup; assumption).
  Qed.
  Lemma shape_of_bits s p v : In (p, v) (law s) -> exists a l, v = Tup [a; items l].
  Proof. intros I. destruct (reports_of_bits s p v I) as (bs & _ & ->). unfold report_of, apply. now eexists _, _. Qed.
End Law.
