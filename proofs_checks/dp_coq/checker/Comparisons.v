(* The sentence of a ratio says what is said of the law: every compared chance is at most the limit times the other one. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool FinFun.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Sentences checker.Quantifiers checker.Readings theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

(* The sets of the table are different ones. *)
Lemma NoDup_join {A} (l m : list A) : NoDup l -> NoDup m -> (forall x, In x l -> In x m -> False) -> NoDup (l ++ m).
Proof.
  intros L M D. induction L as [|x l N L IH]; [exact M|]. cbn [app]. constructor.
  - intros I. apply in_app_or in I as [I|I]; [now apply N|]. exact (D x (or_introl eq_refl) I).
  - apply IH. intros y I J. exact (D y (or_intror I) J).
Qed.
Lemma in_parts {A} (l : list A) : forall k s, In s (parts k l) -> incl s l /\ length s = k.
Proof.
  induction l as [|x l IH]; intros [|k] s; cbn [parts].
  - intros [<-|[]]. split; [intros y []|reflexivity].
  - intros [].
  - intros [<-|[]]. split; [intros y []|reflexivity].
  - intros I. apply in_app_or in I as [I|I].
    + apply in_map_iff in I as (s' & <- & I). apply IH in I as [I L]. split; [|cbn; congruence].
      intros y [<-|J]; [now left|right; now apply I].
    + apply IH in I as [I L]. split; [intros y J; right; now apply I|exact L].
Qed.
Lemma parts_differ {A} (l : list A) : NoDup l -> forall k, NoDup (parts k l).
Proof.
  intros D. induction D as [|x l N D IH]; intros [|k]; cbn [parts]; try (constructor; [intros []|constructor]); [constructor|].
  apply NoDup_join; [apply Injective_map_NoDup; [intros a b E; now injection E|apply IH]|apply IH|].
  intros s I J. apply in_map_iff in I as (s' & <- & _). apply in_parts in J as [J _]. apply N, J. now left.
Qed.
Lemma every_differ n : NoDup (every n).
Proof.
  unfold every. generalize (seq_NoDup (S n) 0). induction (seq 0 (S n)) as [|k ks IH]; intros D; [constructor|].
  apply NoDup_cons_iff in D as [N D]. cbn [flat_map]. apply NoDup_join; [apply parts_differ, seq_NoDup|exact (IH D)|].
  intros s I J. apply in_parts in I as [_ <-]. apply in_flat_map in J as (j & J & I). apply in_parts in I as [_ <-]. now apply N.
Qed.
Lemma in_every n s : In s (every n) -> incl s (seq 0 n).
Proof. intros I. apply in_flat_map in I as (k & _ & I). now apply in_parts in I. Qed.

Lemma sets_map l ks : map (@Lst over_R) (flat_map (fun k => parts k (map (count over_R) l)) ks) = map set_datum (flat_map (fun k => parts k l) ks).
Proof. induction ks as [|k ks IH]; [reflexivity|]. cbn [flat_map]. rewrite !map_app, IH, parts_map, map_map. reflexivity. Qed.

Section Law.
  Variables (log : R -> option R) (w : positive -> R) (K M m : nat) (t : term) (T : positive) (r : reading).
  Notation says := (says over_R log).
  Notation law := (law over_R w (fun _ => []) K M t).
  Notation sets := (every (K + M)).
  Hypotheses (K_is : w 1%positive = INR K) (M_is : w 2%positive = INR M) (named : (2 < T)%positive).
  Hypothesis m_is : nonempty r = true -> w 3%positive = INR m /\ (3 < T)%positive.
  (* A report is what is seen, and other items. *)
  Hypothesis shape : forall s p v, In s sets -> In (p, v) (law s) -> exists a l, v = Tup [a; items l].
  Hypothesis speaks : forall e (env : positive -> datum over_R), In e [least r; most r; limit r] -> (forall x, (x < T)%positive -> env x = Num (w x)) ->
    says env (spoken e) = Some (Num (value w e)).
  Notation c := (relation r).
  Definition line : Type := list nat * (over_R * val).
  Definition lines : list line := flat_map (fun s => map (pair s) (law s)) sets.
  Definition line_datum (q : line) : datum over_R := row over_R (fst q) (snd q).
  Definition sized (s : list nat) : bool :=
    at_most over_R (value w (least r)) (INR (length s)) && at_most over_R (INR (length s)) (value w (most r)).
  Definition compared_sets : list (list nat) := filter sized sets.

  Lemma table_lines : table over_R w K M t = Lst (map line_datum lines).
  Proof.
    unfold table, lines, every. cbv zeta. apply (f_equal (@Lst over_R)). induction (flat_map _ (seq 0 (S (K + M)))) as [|s l IH]; [reflexivity|].
    cbn [flat_map]. rewrite map_app, map_map. apply (f_equal2 (@app (datum over_R))); [reflexivity|exact IH].
  Qed.
  Lemma lines_of s : In s sets -> filter (fun q : line => equal over_R (set_datum (fst q)) (set_datum s)) lines = map (pair s) (law s).
  Proof.
    unfold lines. generalize (every_differ (K + M)). clear shape. induction sets as [|a l IH]; [intros _ []|]. intros D I.
    apply NoDup_cons_iff in D as [N D]. cbn [flat_map]. rewrite filter_app.
    assert (F : forall b (d : dist over_R val), filter (fun q : line => equal over_R (set_datum (fst q)) (set_datum s)) (map (pair b) d)
      = if list_eq_dec Nat.eq_dec b s then map (pair b) d else []).
    { intros b d. induction d as [|x d IHd]; [now destruct list_eq_dec|]. cbn [map filter fst]. rewrite IHd.
      destruct (list_eq_dec Nat.eq_dec b s) as [->|E].
      - assert (G : equal over_R (set_datum s) (set_datum s) = true) by now apply equal_sets. now rewrite G.
      - destruct (equal over_R (set_datum b) (set_datum s)) eqn:G; [apply equal_sets in G; congruence|reflexivity]. }
    assert (Z : forall l', ~ In s l' -> filter (fun q : line => equal over_R (set_datum (fst q)) (set_datum s)) (flat_map (fun b => map (pair b) (law b)) l') = []).
    { induction l' as [|b l' IHm]; [reflexivity|]. intros J. cbn [flat_map]. rewrite filter_app, F.
      destruct (list_eq_dec Nat.eq_dec b s) as [->|]; [destruct J; now left|]. apply IHm. intros G; apply J; now right. }
    rewrite F. destruct (list_eq_dec Nat.eq_dec a s) as [->|E].
    - etransitivity; [apply f_equal; exact (Z l N)|apply app_nil_r].
    - apply IH; [exact D|]. destruct I as [I|I]; [congruence|exact I].
  Qed.
  Lemma in_lines q : In q lines -> In (fst q) sets /\ In (snd q) (law (fst q)).
  Proof.
    intros I. apply in_flat_map in I as (s & J & I). apply in_map_iff in I as (x & <- & I). now split.
  Qed.
  Lemma line_shape q : In q lines -> exists a l, snd (snd q) = Tup [a; items l].
  Proof. intros I. apply in_lines in I as [I J]. destruct q as [s [p v]]. exact (shape s p v I J). Qed.

  Section Environment.
    Variable env : positive -> datum over_R.
    Hypothesis agree : forall x, (x < T)%positive -> env x = Num (w x).
    Lemma says_items : says env items_text = Some (Lst (map (count over_R) (seq 0 (K + M)))).
    Proof.
      unfold items_text. cbn [Sentences.says]. rewrite !agree by lia. cbn [two]. rewrite K_is, M_is. cbn [add over_R]. rewrite number_datum.
      change (IZR 0) with (INR 0). rewrite <- plus_INR, !natural_INR. now rewrite Nat.sub_0_r.
    Qed.
    Lemma says_sets v : (T <= v)%positive -> says env (sets_text r v) = Some (Lst (map set_datum compared_sets)).
    Proof.
      intros V. unfold sets_text. apply says_those with (l := sets).
      - cbn [Sentences.says]. rewrite says_items. cbn [one]. rewrite map_length, seq_length. apply f_equal, f_equal. exact (sets_map (seq 0 (K + M)) _).
      - intros s _. assert (A : forall x, (x < T)%positive -> put env v (set_datum s) x = Num (w x)).
        { intros x L. rewrite put_there by lia. now apply agree. }
        assert (L : says (put env v (set_datum s)) (One Size (Name v)) = Some (Num (INR (length s)))).
        { cbn [Sentences.says]. rewrite put_here. unfold set_datum. cbn [one]. now rewrite map_length, count_is. }
        apply says_and.
        + rewrite (says_two log _ AtMost _ _ _ _ (speaks (least r) _ (or_introl eq_refl) A) L). reflexivity.
        + intros _. rewrite (says_two log _ AtMost _ _ _ _ L (speaks (most r) _ (or_intror (or_introl eq_refl)) A)). reflexivity.
    Qed.

    (* What is said of two sets, which stand at two names. *)
    Lemma says_set a (s : list nat) : env a = set_datum s -> says env (Name a) = Some (Lst (map (count over_R) s)).
    Proof. intros E. cbn [Sentences.says]. now rewrite E. Qed.
    Lemma says_lost a b (s s' : list nat) : (a < T + 3)%positive -> (b < T + 3)%positive -> env a = set_datum s -> env b = set_datum s' ->
      says env (lost_text T a b) = Some (Lst (map (count over_R) (lost s s'))).
    Proof.
      intros A B Ea Eb. unfold lost_text, lost. apply says_those; [now apply says_set|]. intros x _. apply says_not.
      cbn [Sentences.says]. rewrite put_here, put_there by lia. rewrite Eb. unfold set_datum. cbn [two]. now rewrite among_items.
    Qed.
    Lemma says_kept a (s : list nat) : (a < T + 3)%positive -> env a = set_datum s -> says env (kept_text T a) = Some (Lst (map (count over_R) (others K s))).
    Proof.
      intros A E. unfold kept_text, others. apply says_those; [now apply says_set|]. intros x _.
      cbn [Sentences.says]. rewrite put_here, put_there, agree by lia. rewrite K_is, count_is. cbn [two]. now rewrite at_most_INR.
    Qed.
    Lemma says_among x a y (s : list nat) : env x = count over_R y -> env a = set_datum s ->
      says env (Two Among (Name x) (Name a)) = Some (Truth (is_held y s)).
    Proof. intros X A. cbn [Sentences.says]. rewrite X, A. unfold set_datum. cbn [two]. now rewrite among_items. Qed.
    Lemma says_one_item text (l : list nat) : says env text = Some (Lst (map (count over_R) l)) ->
      says env (Two Equal (One Size text) (Const 1)) = Some (Truth (length l =? 1)%nat).
    Proof.
      intros E. rewrite (says_two log env Equal _ _ (count over_R (length l)) (count over_R 1)); [|rewrite (says_one _ _ _ _ _ E); cbn [one]; now rewrite map_length|reflexivity].
      cbn [two]. now rewrite equal_counts.
    Qed.
  End Environment.

  Section Pair.
    Variables (env : positive -> datum over_R) (s s' : list nat).
    Hypothesis agree : forall x, (x < T)%positive -> env x = Num (w x).
    Hypothesis (at_s : env (T + 1)%positive = set_datum s) (at_s' : env (T + 2)%positive = set_datum s').
    Lemma says_differ : says env (differ_text T) = Some (Truth (differ s s')).
    Proof. unfold differ_text. apply says_not. cbn [Sentences.says]. now rewrite at_s, at_s'. Qed.
    Lemma says_related : says env (related_text T r) = Some (Truth (compares c K s s')).
    Proof.
      pose proof (says_lost env (T + 1) (T + 2) s s' ltac:(lia) ltac:(lia) at_s at_s') as L.
      pose proof (says_lost env (T + 2) (T + 1) s' s ltac:(lia) ltac:(lia) at_s' at_s) as L'.
      pose proof says_differ as D. unfold related_text, compares. destruct c; try exact D.
      - apply says_and; [exact (says_one_item _ _ _ L)|]. intros one. apply says_and; [exact (says_one_item _ _ _ L')|]. intros _. apply says_not.
        apply Nat.eqb_eq in one. destruct (lost s s') as [|x [|y l]]; try discriminate. cbn [hd].
        rewrite (says_two log env AtMost _ _ (Num (INR K)) (count over_R x)).
        + rewrite count_is. cbn [two]. now rewrite at_most_INR.
        + cbn [Sentences.says]. now rewrite agree, K_is by lia.
        + unfold part. rewrite (says_two log env At _ (Const 0) _ (count over_R 0) L) by reflexivity. rewrite count_is. cbn [two]. now rewrite natural_INR.
      - apply says_and; [exact D|]. intros _.
        rewrite (says_two log env Equal _ _ _ _ (says_kept env agree (T + 1) s ltac:(lia) at_s) (says_kept env agree (T + 2) s' ltac:(lia) at_s')). reflexivity.
    Qed.
  End Pair.

  (* A row of the table: its set, what is seen of its report, its chance. *)
  Section Line.
    Variables (env : positive -> datum over_R) (a : positive) (q : line).
    Hypothesis at_a : env a = line_datum q.
    Lemma says_place k e : nth_error [set_datum (fst q); shown over_R (snd (snd q)); Num (fst (snd q))] k = Some e ->
      says env (part (Z.of_nat k) (Name a)) = Some e.
    Proof.
      intros P. unfold part. rewrite (says_two log env At _ _ (line_datum q) (count over_R k)); [|cbn [Sentences.says]; now rewrite at_a|reflexivity].
      rewrite count_is. unfold line_datum, row. cbn [two]. rewrite natural_INR. exact P.
    Qed.
    Lemma says_key : In q lines -> says env (key_text r a) = Some (key c (snd (snd q))).
    Proof.
      intros I. destruct (line_shape q I) as (v & l & S). pose proof (says_place 1 _ eq_refl) as P. change (Z.of_nat 1) with 1%Z in P.
      unfold key_text, key. destruct c; try exact P.
      unfold part at 1. rewrite (says_two log env At _ (Const 0) _ (count over_R 0) P) by reflexivity.
      rewrite count_is, S. cbn [seen shown map two]. now rewrite natural_INR.
    Qed.
  End Line.

  Section Reports.
    Variables (env : positive -> datum over_R) (s s' : list nat).
    Hypothesis (at_T : env T = table over_R w K M t) (at_s : env (T + 1)%positive = set_datum s) (at_s' : env (T + 2)%positive = set_datum s').
    Hypothesis agree : forall x, (x < T)%positive -> env x = Num (w x).
    Lemma says_rows v a (b : list nat) : (T < v)%positive -> v <> a -> In b sets -> env a = set_datum b ->
      says env (rows_text T v a) = Some (Lst (map line_datum (map (pair b) (law b)))).
    Proof.
      intros V N I A. unfold rows_text. rewrite <- (lines_of b I). apply says_those.
      - cbn [Sentences.says]. now rewrite at_T, table_lines.
      - intros q _. rewrite (says_two log _ Equal _ _ (set_datum (fst q)) (set_datum b)); [reflexivity| |].
        + exact (says_place _ v q (put_here _ _ _) 0 _ eq_refl).
        + cbn [Sentences.says]. now rewrite put_there, A by congruence.
    Qed.
    Definition counted (q : line) : bool :=
      negb (equal over_R (Num (fst (snd q))) (count over_R 0)) && ((negb (nonempty r) || shows_item m (snd (snd q))) && counts_in c s s' (snd (snd q))).
    Definition reports : list line := filter counted (map (pair s) (law s)).
    Lemma says_reports : In s sets -> says env (reports_text T r) = Some (Lst (map line_datum reports)).
    Proof.
      intros I. unfold reports_text. apply says_those; [apply says_rows; [lia|lia|exact I|exact at_s]|]. intros q J.
      set (e := put env (T + 3)%positive (line_datum q)). assert (at_q : e (T + 3)%positive = line_datum q) by apply put_here.
      assert (P : says e (possible_text T) = Some (Truth (negb (equal over_R (Num (fst (snd q))) (count over_R 0))))).
      { apply says_not. rewrite (says_two log e Equal _ (Const 0) (Num (fst (snd q))) (count over_R 0)); [reflexivity| |reflexivity].
        exact (says_place e _ q at_q 2 _ eq_refl). }
      assert (Q : In q lines).
      { apply in_flat_map. exists s. split; [exact I|exact J]. }
      destruct (line_shape q Q) as (v & l & S).
      assert (J' : says e (joint_text T) = Some (Truth (forallb (fun x => is_held x s && is_held x s') (beside (snd (snd q)))))).
      { rewrite S. cbn [beside]. rewrite flat_items. apply says_all with (h := count over_R).
        - unfold part at 1. rewrite (says_two log e At _ (Const 1) (shown over_R (snd (snd q))) (count over_R 1)); [| |reflexivity].
          + rewrite count_is, S. cbn [shown two map]. rewrite natural_INR.
            change (Some (shown over_R (items l)) = Some (set_datum l)). now rewrite shown_items.
          + exact (says_place e _ q at_q 1 _ eq_refl).
        - intros x _. set (f := put e (T + 4)%positive (count over_R x)). assert (at_x : f (T + 4)%positive = count over_R x) by apply put_here.
          apply says_and; [|intros _]; apply says_among; try exact at_x; unfold f, e; rewrite !put_there by lia; assumption. }
      assert (N : nonempty r = true -> says e (shows_text T) = Some (Truth (shows_item m (snd (snd q))))).
      { intros E. destruct (m_is E) as [M3 T3]. apply says_not.
        assert (B : says e (blanks_text T) = Some (Lst (distinct over_R [] (blanks m)))).
        { unfold blanks_text, blanks. apply says_union with (h := count over_R).
          - cbn [Sentences.says]. unfold e. rewrite put_there, agree by lia. cbn [two]. rewrite M3, number_datum. cbn [add over_R].
            rewrite number_datum. change (IZR 0) with (INR 0). change (IZR 1) with (INR 1). rewrite <- plus_INR, !natural_INR. now rewrite Nat.sub_0_r, Nat.add_1_r.
          - intros k _. rewrite (says_two log _ Lists _ _ (Lst [Lst []]) (count over_R k)).
            + rewrite count_is. cbn [two]. now rewrite natural_INR.
            + assert (Z : says (put e (T + 4)%positive (count over_R k)) (Two Between (Const 0) (Const 0)) = Some (Lst [])).
              { cbn [Sentences.says two]. rewrite number_datum. change (IZR 0) with (INR 0). now rewrite natural_INR. }
              now rewrite (says_one _ _ _ _ _ Z).
            + cbn [Sentences.says]. now rewrite put_here. }
        rewrite (says_two log e Among _ _ (shown over_R (seen (snd (snd q)))) (Lst (distinct over_R [] (blanks m)))); [| |exact B].
        - cbn [two]. do 2 f_equal. pose proof (among_distinct (shown over_R (seen (snd (snd q)))) (blanks m) []) as A. cbn [existsb] in A.
          rewrite !orb_false_r in A. exact A.
        - unfold part at 1. rewrite (says_two log e At _ (Const 0) (shown over_R (snd (snd q))) (count over_R 0)); [| |reflexivity].
          + rewrite count_is, S. cbn [shown two map seen]. now rewrite natural_INR.
          + exact (says_place e _ q at_q 1 _ eq_refl). }
      unfold subject_text, counted, counts_in. destruct (nonempty r) eqn:En; cbn [negb orb andb].
      - specialize (N eq_refl). destruct c; try (rewrite andb_true_r; apply says_and; [exact P|intros _; exact N]).
        apply says_and; [exact P|]. intros _. apply says_and; [exact N|intros _; exact J'].
      - destruct c; try (rewrite andb_true_r; exact P). apply says_and; [exact P|intros _; exact J'].
    Qed.
    (* The chance of what is compared of a report, under a set that has a name. *)
    Lemma says_chance a (b : list nat) q : (a < T + 3)%positive -> In b sets -> env a = set_datum b -> env (T + 3)%positive = line_datum q -> In q lines ->
      says env (chance_text T r a) = Some (Num (chance c (law b) (key c (snd (snd q))))).
    Proof.
      intros A I at_a at_q Q. unfold chance_text.
      rewrite (says_total log line_datum env (T + 4) _ _
        (filter (fun x : line => equal over_R (key c (snd (snd x))) (key c (snd (snd q)))) (map (pair b) (law b)))) with (g := fun x : line => fst (snd x)).
      - do 2 f_equal. unfold chance. rewrite <- E_of_filter. clear. induction (law b) as [|[p v] d IH]; [reflexivity|].
        cbn [map filter snd fst]. destruct (equal over_R (key c v) (key c (snd (snd q)))); cbn [map fold_right fst snd]; now rewrite IH.
      - apply says_those; [apply says_rows; [lia|lia|exact I|exact at_a]|]. intros x J.
        assert (X : In x lines) by (apply in_flat_map; exists b; split; [exact I|exact J]).
        rewrite (says_two log _ Equal _ _ (key c (snd (snd x))) (key c (snd (snd q)))); [reflexivity| |].
        + exact (says_key _ (T + 4) x (put_here _ _ _) X).
        + apply says_key; [rewrite put_there by lia; exact at_q|exact Q].
      - intros x J. exact (says_place _ (T + 4) x (put_here _ _ _) 2 _ eq_refl).
    Qed.
  End Reports.

  Definition bound_of (s s' : list nat) (q : line) : R := value w (limit r) * chance c (law s') (key c (snd (snd q))).
  Definition chance_of (s : list nat) (q : line) : R := chance c (law s) (key c (snd (snd q))).
  Section Sentence.
    Variable env : positive -> datum over_R.
    Hypothesis at_T : env T = table over_R w K M t.
    Hypothesis agree : forall x, (x < T)%positive -> env x = Num (w x).
    Definition beside_set (s : list nat) : list (list nat) := filter (compares c K s) compared_sets.
    Definition here (s s' : list nat) (q : line) : positive -> datum over_R :=
      put (put (put env (T + 1)%positive (set_datum s)) (T + 2)%positive (set_datum s')) (T + 3)%positive (line_datum q).
    Lemma says_others s : says (put env (T + 1)%positive (set_datum s)) (others_text T r) = Some (Lst (map set_datum (beside_set s))).
    Proof.
      unfold others_text. apply says_those.
      - apply says_sets; [|lia]. intros x L. rewrite put_there by lia. now apply agree.
      - intros s' _. apply says_related.
        + intros x L. rewrite !put_there by lia. now apply agree.
        + rewrite put_there by lia. apply put_here.
        + apply put_here.
    Qed.
    Lemma in_sets s : In s compared_sets -> In s sets. Proof. intros I. now apply filter_In in I. Qed.
    Lemma in_reports s s' q : In s sets -> In q (reports s s') -> In q lines.
    Proof. intros I J. apply filter_In in J as [J _]. apply in_flat_map. exists s. now split. Qed.
    Lemma says_reports_here s s' : In s compared_sets ->
      says (put (put env (T + 1)%positive (set_datum s)) (T + 2)%positive (set_datum s')) (reports_text T r) = Some (Lst (map line_datum (reports s s'))).
    Proof.
      intros I. apply says_reports; [rewrite !put_there by lia; exact at_T|rewrite put_there by lia; apply put_here|apply put_here|intros x L; rewrite !put_there by lia; now apply agree|now apply in_sets].
    Qed.
    Lemma says_sides s s' q : In s compared_sets -> In s' compared_sets -> In q (reports s s') ->
      says (here s s' q) (chance_text T r (T + 1)) = Some (Num (chance_of s q))
      /\ says (here s s' q) (Two Times (spoken (limit r)) (chance_text T r (T + 2))) = Some (Num (bound_of s s' q)).
    Proof.
      intros I I' J. apply in_sets in I, I'. pose proof (in_reports _ _ _ I J) as Q. unfold here.
      assert (A : forall x, (x < T)%positive -> here s s' q x = Num (w x)) by (intros x L; unfold here; rewrite !put_there by lia; now apply agree).
      split.
      - apply says_chance; [rewrite !put_there by lia; exact at_T|lia|exact I|rewrite !put_there by lia; apply put_here|apply put_here|exact Q].
      - rewrite (says_two log _ Times _ _ (Num (value w (limit r))) (Num (chance_of s' q))); [reflexivity| |].
        + apply speaks; [right; right; now left|exact A].
        + apply says_chance; [rewrite !put_there by lia; exact at_T|lia|exact I'|rewrite put_there by lia; apply put_here|apply put_here|exact Q].
    Qed.
    Lemma says_bounded : says env (all_text T r)
      = Some (Truth (forallb (fun s => forallb (fun s' => forallb (fun q => at_most over_R (chance_of s q) (bound_of s s' q)) (reports s s')) (beside_set s)) compared_sets)).
    Proof.
      unfold all_text. apply says_all with (h := set_datum); [apply says_sets; [exact agree|lia]|]. intros s I.
      apply says_all with (h := set_datum); [apply says_others|]. intros s' I'. apply filter_In in I' as [I' _].
      apply says_all with (h := line_datum); [now apply says_reports_here|]. intros q J.
      destruct (says_sides s s' q I I' J) as [X Y]. exact (says_two log _ AtMost _ _ _ _ X Y).
    Qed.
    Lemma says_reached : says env (some_text T r)
      = Some (Truth (existsb (fun s => existsb (fun s' => existsb (fun q => same over_R (chance_of s q) (bound_of s s' q)) (reports s s')) (beside_set s)) compared_sets)).
    Proof.
      unfold some_text. apply says_some with (h := set_datum); [apply says_sets; [exact agree|lia]|]. intros s I.
      apply says_some with (h := set_datum); [apply says_others|]. intros s' I'. apply filter_In in I' as [I' _].
      apply says_some with (h := line_datum); [now apply says_reports_here|]. intros q J.
      destruct (says_sides s s' q I I' J) as [X Y]. exact (says_two log _ Equal _ _ _ _ X Y).
    Qed.
    (* Of two sets that are compared, and of a possible report of the first one that is: the limit holds; if it is the smallest, it is reached. *)
    Definition compared_pair (s s' : list nat) : Prop := In s compared_sets /\ In s' compared_sets /\ compares c K s s' = true.
    Definition subject (s s' : list nat) (v : val) : Prop :=
      (exists p, p <> 0 /\ In (p, v) (law s)) /\ (nonempty r = true -> shows_item m v = true) /\ counts_in c s s' v = true.
    Theorem says_ratio :
      (forall s s' v, compared_pair s s' -> subject s s' v -> chance c (law s) (key c v) <= value w (limit r) * chance c (law s') (key c v)) ->
      (smallest r = true -> exists s s' v, compared_pair s s' /\ subject s s' v /\ chance c (law s) (key c v) = value w (limit r) * chance c (law s') (key c v)) ->
      says env (ratio_text T r) = Some (Truth true).
    Proof.
      intros B S.
      assert (all : says env (all_text T r) = Some (Truth true)).
      { rewrite says_bounded. do 2 f_equal. apply forallb_forall. intros s I. apply forallb_forall. intros s' I'. apply filter_In in I' as [I' C].
        apply forallb_forall. intros q J. apply filter_In in J as [J P]. apply in_map_iff in J as ([p v] & <- & J). apply andb_prop in P as [P Q]. apply andb_prop in Q as [O Q].
        cbn [fst snd] in *. specialize (B s s' v). rewrite at_most_R. unfold chance_of, bound_of. cbn [snd].
        destruct (Rle_dec _ _) as [|N]; [reflexivity|]. destruct N. apply B; [now repeat split|]. split; [|split; [|exact Q]].
        2:{ intros N'. rewrite N' in O. exact O. } exists p. split; [|exact J].
        intros ->. apply negb_true_iff in P. apply not_true_iff_false in P. apply P, equal_iff. now rewrite count_is. }
      unfold ratio_text. destruct (smallest r); [|exact all]. change true with (true && true). apply says_and; [exact all|]. intros _.
      rewrite says_reached. do 2 f_equal. destruct (S eq_refl) as (s & s' & v & (I & I' & C) & ((p & P & J) & O & Q) & G).
      apply existsb_exists. exists s. split; [exact I|]. apply existsb_exists. exists s'. split; [now apply filter_In|].
      apply existsb_exists. exists (s, (p, v)). split; [|now apply same_iff].
      apply filter_In. split; [now apply in_map|]. unfold counted. cbn [fst snd]. rewrite Q, andb_true_r.
      assert (O' : negb (nonempty r) || shows_item m v = true) by (destruct (nonempty r); [exact (O eq_refl)|reflexivity]).
      rewrite O', andb_true_r. apply negb_true_iff.
      apply not_true_iff_false. intros Z. apply equal_iff in Z. rewrite count_is in Z. injection Z as Z. now apply P.
    Qed.
  End Sentence.
End Law.
