(* What quantified parts of sentences say, where what they range over is the image of a list: all, some, those, the total. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Sentences checker.Agreement checker.Sentences.
Import ListNotations.
Open Scope R_scope.

Lemma put_here {A} (env : positive -> A) x a : put env x a x = a.
Proof. unfold put. now rewrite Pos.eqb_refl. Qed.
Lemma put_there {A} (env : positive -> A) x a y : y <> x -> put env x a y = env y.
Proof. unfold put. intros N. apply Pos.eqb_neq in N. now rewrite N. Qed.

(* Equal data are the same ones. *)
Lemma same_iff x y : same over_R x y = true <-> x = y.
Proof.
  unfold same. cbn [at_most over_R]. destruct (Rle_dec x y), (Rle_dec y x); cbn [andb]; split; intros H; try reflexivity; try discriminate; lra.
Qed.
Theorem equal_iff (a : datum over_R) : forall b, equal over_R a b = true <-> a = b.
Proof.
  induction a as [x|p|l IH] using datum_parts; intros [y|m|q]; cbn [equal]; try (split; discriminate).
  - rewrite same_iff. split; congruence.
  - destruct p, q; cbn [Bool.eqb]; split; congruence.
  - revert m. induction IH as [|d l H _ IH]; intros [|e m]; try (split; (reflexivity || discriminate)).
    rewrite andb_true_iff, H. specialize (IH m). split.
    + intros [-> E]. apply IH in E. congruence.
    + intros E. injection E as -> E. split; [reflexivity|]. apply IH. now f_equal.
Qed.
Definition datum_dec (a b : datum R) : {a = b} + {a <> b}.
Proof. destruct (equal over_R a b) eqn:E; [left; now apply equal_iff|right; rewrite <- equal_iff; congruence]. Defined.
Lemma count_is n : count over_R n = Num (INR n).
Proof. unfold count, integer. cbn [of_Q over_R]. now rewrite Q2R_integer, INR_IZR_INZ. Qed.
Lemma count_injective n m : count over_R n = count over_R m -> n = m.
Proof. rewrite !count_is. intros [= E]. now apply INR_eq. Qed.
Lemma equal_counts n m : equal over_R (count over_R n) (count over_R m) = (n =? m)%nat.
Proof.
  apply eq_true_iff_eq. rewrite equal_iff, Nat.eqb_eq. split; [apply count_injective|congruence].
Qed.
Lemma natural_INR n : natural over_R (INR n) = Some n.
Proof.
  unfold natural. cbn [floor over_R]. assert (I : Int_part (INR n) = Z.of_nat n).
  { apply floor_unique. rewrite INR_IZR_INZ. lra. }
  rewrite I. unfold integer. cbn [of_Q over_R]. rewrite Q2R_integer, INR_IZR_INZ.
  assert (S : same over_R (IZR (Z.of_nat n)) (IZR (Z.of_nat n)) = true) by now apply same_iff.
  rewrite S. replace (0 <=? Z.of_nat n)%Z with true by (symmetry; apply Z.leb_le; lia). cbn [andb]. now rewrite Nat2Z.id.
Qed.

Section Says.
  Variable log : R -> option R.
  Notation says := (says over_R log).
  Context {A : Type}.
  Variables (h : A -> datum over_R) (env : positive -> datum over_R) (x : positive) (things each : sentence) (l : list A).
  Hypothesis ranges_over : says env things = Some (Lst (map h l)).
  Section Truths.
    Variable f : A -> bool.
    Hypothesis means : forall a, In a l -> says (put env x (h a)) each = Some (Truth (f a)).
    Theorem says_all : says env (Each All x things each) = Some (Truth (forallb f l)).
    Proof.
      cbn [Sentences.says]. rewrite ranges_over. cbn [all_of]. clear ranges_over. induction l as [|a m IH]; [reflexivity|].
      cbn [map all_true forallb]. rewrite (means a (or_introl eq_refl)). rewrite IH by (intros b I; apply means; now right).
      unfold both. now destruct (f a), (forallb f m).
    Qed.
    Theorem says_those : says env (Each Those x things each) = Some (Lst (map h (filter f l))).
    Proof.
      cbn [Sentences.says]. rewrite ranges_over. cbn [all_of]. unfold gathered.
      assert (G : traverse (fun d => match says (put env x d) each with Some d => truth_of over_R d | None => None end) (map h l) = Some (map f l)).
      { clear ranges_over. induction l as [|a m IH]; [reflexivity|]. cbn [map traverse]. rewrite (means a (or_introl eq_refl)). cbn [truth_of].
        now rewrite IH by (intros b I; apply means; now right). }
      rewrite G. cbn [option_map]. do 2 f_equal. clear. induction l as [|a m IH]; [reflexivity|].
      cbn [map combine filter snd]. destruct (f a); cbn [map fst]; now rewrite IH.
    Qed.
  End Truths.
  Theorem says_some (f : A -> bool) : (forall a, In a l -> says (put env x (h a)) each = Some (Truth (f a))) ->
    says env (Exist x things each) = Some (Truth (existsb f l)).
  Proof.
    intros means. unfold Exist.
    assert (N : says env (Each All x things (One Not each)) = Some (Truth (negb (existsb f l)))).
    { cbn [Sentences.says]. rewrite ranges_over. cbn [all_of]. clear ranges_over. induction l as [|a m IH]; [reflexivity|].
      cbn [map all_true existsb]. rewrite (means a (or_introl eq_refl)). rewrite IH by (intros b I; apply means; now right).
      cbn [one]. unfold both. now destruct (f a), (existsb f m). }
    change (says env (One Not (Each All x things (One Not each))))
      with (match says env (Each All x things (One Not each)) with Some a => one over_R log Not a | None => None end).
    rewrite N. cbn [one]. now rewrite negb_involutive.
  Qed.
  Theorem says_total (g : A -> R) : (forall a, In a l -> says (put env x (h a)) each = Some (Num (g a))) ->
    says env (Each Total x things each) = Some (Num (fold_right Rplus 0 (map g l))).
  Proof.
    intros means. cbn [Sentences.says]. rewrite ranges_over. cbn [all_of]. unfold gathered.
    assert (G : traverse (fun d => match says (put env x d) each with Some d => number_of over_R d | None => None end) (map h l) = Some (map g l)).
    { clear ranges_over. induction l as [|a m IH]; [reflexivity|]. cbn [map traverse]. rewrite (means a (or_introl eq_refl)). cbn [number_of].
      now rewrite IH by (intros b I; apply means; now right). }
    rewrite G. cbn [option_map]. do 2 f_equal. unfold integer. cbn [of_Q over_R]. rewrite Q2R_integer. reflexivity.
  Qed.
  Theorem says_union (g : A -> list (datum over_R)) : (forall a, In a l -> says (put env x (h a)) each = Some (Lst (g a))) ->
    says env (Each Union x things each) = Some (Lst (distinct over_R [] (flat_map g l))).
  Proof.
    intros means. cbn [Sentences.says]. rewrite ranges_over. cbn [all_of]. unfold gathered.
    assert (G : traverse (fun d => match says (put env x d) each with Some d => list_of over_R d | None => None end) (map h l) = Some (map g l)).
    { clear ranges_over. induction l as [|a m IH]; [reflexivity|]. cbn [map traverse]. rewrite (means a (or_introl eq_refl)). cbn [list_of].
      now rewrite IH by (intros b I; apply means; now right). }
    rewrite G. cbn [option_map]. now rewrite flat_map_concat_map.
  Qed.
End Says.
(* What is among different things is among all. *)
Lemma among_distinct (d : datum over_R) l : forall seen, existsb (equal over_R d) (distinct over_R seen l) || existsb (equal over_R d) seen
  = existsb (equal over_R d) l || existsb (equal over_R d) seen.
Proof.
  induction l as [|e l IH]; intros seen; cbn [distinct existsb]; [reflexivity|]. destruct (existsb (equal over_R e) seen) eqn:S.
  - rewrite IH. destruct (equal over_R d e) eqn:D; [|reflexivity]. apply equal_iff in D as ->. rewrite S. cbn [orb]. now rewrite orb_true_r.
  - cbn [existsb]. specialize (IH (e :: seen)). cbn [existsb] in IH.
    destruct (equal over_R d e), (existsb (equal over_R d) (distinct over_R (e :: seen) l)), (existsb (equal over_R d) l), (existsb (equal over_R d) seen); cbn in *; congruence.
Qed.

(* Both of two sentences. *)
Lemma says_and log (env : positive -> datum over_R) a b p q : says over_R log env a = Some (Truth p) -> (p = true -> says over_R log env b = Some (Truth q)) ->
  says over_R log env (And a b) = Some (Truth (p && q)).
Proof.
  intros P Q. cbn [Sentences.says]. rewrite P. destruct p; [|reflexivity]. rewrite (Q eq_refl). unfold both. now destruct q.
Qed.
Lemma says_not log (env : positive -> datum over_R) a p : says over_R log env a = Some (Truth p) -> says over_R log env (One Not a) = Some (Truth (negb p)).
Proof. intros P. cbn [Sentences.says]. now rewrite P. Qed.
Lemma says_two log (env : positive -> datum over_R) o a b p q : says over_R log env a = Some p -> says over_R log env b = Some q ->
  says over_R log env (Two o a b) = two over_R o p q.
Proof. intros P Q. cbn [Sentences.says]. now rewrite P, Q. Qed.
Lemma says_one log (env : positive -> datum over_R) o a p : says over_R log env a = Some p -> says over_R log env (One o a) = one over_R log o p.
Proof. intros P. cbn [Sentences.says]. now rewrite P. Qed.
