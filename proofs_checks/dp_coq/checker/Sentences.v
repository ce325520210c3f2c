(* Sentences are run over the rationals: they say there what they mean over the reals. And one case in which a sentence
   is false. *)
From Coq Require Import Reals QArith Qreals List Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Sentences checker.Agreement checker.Points.
Import ListNotations.

Fixpoint real_datum (d : datum Q) : datum R :=
  match d with Num q => Num (Q2R q) | Lst l => Lst (map real_datum l) | Truth b => Truth b end.
Notation real_data := (option_map real_datum).

Section Nested.
  Variables (A : Type) (P : datum A -> Prop).
  Hypotheses (numbers : forall x, P (Num x)) (truths : forall b, P (Truth b)) (lists : forall l, Forall P l -> P (Lst l)).
  Fixpoint datum_parts (d : datum A) : P d :=
    match d with
    | Num x => numbers x
    | Truth b => truths b
    | Lst l =>
        lists l ((fix all l : Forall P l := match l with [] => Forall_nil P | d :: l => Forall_cons d (datum_parts d) (all l) end) l)
    end.
End Nested.

Lemma same_agrees x y : same over_R (Q2R x) (Q2R y) = same over_Q x y.
Proof. unfold same; now rewrite !at_most_agrees. Qed.
Lemma equal_agrees a : forall b, equal over_R (real_datum a) (real_datum b) = equal over_Q a b.
Proof.
  induction a as [x|p|l H] using datum_parts; intros [y|m|q]; try reflexivity; [apply same_agrees|].
  cbn [real_datum equal]. revert m; induction H as [|x l X _ IH]; intros [|y m]; try reflexivity.
  cbn [map]. now rewrite X, IH.
Qed.
Lemma integer_agrees z : Q2R (integer over_Q z) = integer over_R z.
Proof. reflexivity. Qed.
Lemma floor_agrees q : floor over_R (Q2R q) = floor over_Q q.
Proof. apply Q2R_floor. Qed.
Lemma natural_agrees x : natural over_R (Q2R x) = natural over_Q x.
Proof. unfold natural. now rewrite floor_agrees, <- integer_agrees, same_agrees. Qed.
Lemma filter_map {A B} (f : A -> B) p l : filter p (map f l) = map f (filter (fun x => p (f x)) l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map filter]. destruct (p (f x)); cbn [map]; now rewrite IH. Qed.
Lemma existsb_map {A B} (f : A -> B) p l : existsb p (map f l) = existsb (fun x => p (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map existsb]. now rewrite IH. Qed.
Lemma existsb_agrees a l : existsb (equal over_R (real_datum a)) (map real_datum l) = existsb (equal over_Q a) l.
Proof. rewrite existsb_map. induction l as [|b l IH]; [reflexivity|]. cbn [existsb]. now rewrite equal_agrees, IH. Qed.
Lemma occurrences_agrees a l : occurrences over_R (real_datum a) (map real_datum l) = occurrences over_Q a l.
Proof.
  unfold occurrences. rewrite filter_map, map_length. apply (f_equal (@length (datum Q))), filter_ext; intros b; apply equal_agrees.
Qed.
Lemma distinct_agrees l : forall seen,
  distinct over_R (map real_datum seen) (map real_datum l) = map real_datum (distinct over_Q seen l).
Proof.
  induction l as [|x l IH]; intros seen; [reflexivity|]. cbn [map distinct]. rewrite existsb_agrees.
  destruct (existsb _ _); [apply IH|]. cbn [map]. f_equal. apply (IH (x :: seen)).
Qed.
Lemma parts_map {A B} (f : A -> B) l : forall k, parts k (map f l) = map (map f) (parts k l).
Proof.
  induction l as [|x l IH]; intros [|k]; try reflexivity. cbn [map parts]. rewrite !IH, map_app, !map_map. reflexivity.
Qed.
Lemma prefixed_map {A B} (f : A -> B) (rest : list (list A)) l :
  flat_map (fun x => map (cons x) (map (map f) rest)) (map f l) = map (map f) (flat_map (fun x => map (cons x) rest) l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map flat_map]. rewrite IH, map_app, !map_map. reflexivity. Qed.
Lemma sequences_map {A B} (f : A -> B) l k : sequences k (map f l) = map (map f) (sequences k l).
Proof. induction k as [|k IH]; [reflexivity|]. cbn [sequences]. rewrite IH. apply prefixed_map. Qed.
Lemma multisets_map {A B} (f : A -> B) k : forall l, multisets k (map f l) = map (map f) (multisets k l).
Proof.
  induction k as [|k IH]; intros l; [reflexivity|]. induction l as [|x l IHl]; [reflexivity|].
  change (multisets (S k) (map f (x :: l))) with (map (cons (f x)) (multisets k (map f (x :: l))) ++ multisets (S k) (map f l)).
  change (multisets (S k) (x :: l)) with (map (cons x) (multisets k (x :: l)) ++ multisets (S k) l).
  rewrite IHl, IH, map_app, !map_map. reflexivity.
Qed.
Lemma lists_agree (ls : list (list (datum Q))) : map real_datum (map Lst ls) = map Lst (map (map real_datum) ls).
Proof. rewrite !map_map; reflexivity. Qed.
Lemma counts_agree l : map real_datum (map (count over_Q) l) = map (count over_R) l.
Proof. rewrite map_map; reflexivity. Qed.

Lemma one_agrees o a : real_data (one over_Q o a) = one over_R o (real_datum a).
Proof.
  destruct o, a as [x|l|b]; try reflexivity; cbn [one real_datum option_map]; rewrite ?map_length; try reflexivity.
  rewrite lists_agree, flat_map_concat_map, concat_map, map_map, flat_map_concat_map.
  apply (f_equal (fun ls => Some (Lst (map Lst (concat ls))))), map_ext; intros k. symmetry; apply parts_map.
Qed.
Lemma two_agrees o a b : real_data (two over_Q o a b) = two over_R o (real_datum a) (real_datum b).
Proof.
  destruct o, a as [x|l|p], b as [y|m|q]; try reflexivity; cbn [two real_datum option_map];
    rewrite ?natural_agrees, ?at_most_agrees, ?existsb_agrees, ?map_app; try reflexivity.
  all: try (cbn [add sub mul over_Q over_R]; rewrite Q2R_red, ?Q2R_plus, ?Q2R_minus, ?Q2R_mult; reflexivity).
  all: try (match goal with |- context [occurrences over_Q ?a ?l] =>
      change (occurrences over_R _ _) with (occurrences over_R (real_datum a) (map real_datum l)) end;
      now rewrite occurrences_agrees).
  all: try (match goal with |- context [existsb (equal over_Q ?a) ?l] =>
      exact (f_equal (fun b => Some (Truth b)) (eq_sym (existsb_agrees a l))) end).
  all: try (match goal with |- context [equal over_Q ?a ?b] =>
      change (equal over_R _ _) with (equal over_R (real_datum a) (real_datum b)) end; now rewrite equal_agrees).
  - rewrite <- integer_agrees, same_agrees. destruct (same over_Q y _); [reflexivity|]. cbn [option_map real_datum].
    cbn [div over_Q over_R]. now rewrite Q2R_red, Q2R_quotient.
  - destruct (natural over_Q y); [|reflexivity]. cbn [option_map real_datum]. now rewrite Q2R_power.
  - destruct (natural over_Q x), (natural over_Q y); try reflexivity. cbn [option_map real_datum]. now rewrite Q2R_binomial.
  - now rewrite Q2R_least.
  - destruct (natural over_Q x), (natural over_Q y); try reflexivity. cbn [option_map real_datum]. now rewrite counts_agree.
  - destruct (natural over_Q y); [|reflexivity]. cbn [option_map real_datum]. now rewrite lists_agree, sequences_map.
  - destruct (natural over_Q y); [|reflexivity]. cbn [option_map real_datum]. now rewrite lists_agree, multisets_map.
  - destruct (natural over_Q y); [|reflexivity]. symmetry; apply nth_error_map.
Qed.
Lemma both_agrees a b a' b' :
  real_data a = a' -> (forall u, real_data (b u) = b' u) -> real_data (both over_Q a b) = both over_R a' b'.
Proof.
  intros <- H. unfold both. rewrite <- (H tt).
  destruct a as [[x|l|[|]]|], (b tt) as [[y|m|[|]]|]; reflexivity.
Qed.

Section Gathered.
  Variables (each : datum Q -> option (datum Q)) (each_R : datum R -> option (datum R)).
  Hypothesis agree : forall d, real_data (each d) = each_R (real_datum d).
  Lemma gathered_agrees {A B} (f : A -> B) (read : datum Q -> option A) (read_R : datum R -> option B) l :
    (forall d, option_map f (read d) = read_R (real_datum d)) ->
    option_map (map f) (gathered over_Q read each l) = gathered over_R read_R each_R (map real_datum l).
  Proof.
    intros H; unfold gathered; induction l as [|x l IH]; [reflexivity|]. cbn [map traverse].
    rewrite <- IH, <- agree. clear IH. destruct (each x) as [d|]; [|reflexivity]. cbn [option_map]. rewrite <- H.
    destruct (read d); [|reflexivity]. cbn [option_map]. destruct (traverse _ l); reflexivity.
  Qed.
  Lemma all_of_agrees o l : real_data (all_of over_Q o each l) = all_of over_R o each_R (map real_datum l).
  Proof.
    destruct o; cbn [all_of].
    - rewrite <- (gathered_agrees (map real_datum) (list_of over_Q)) by (now intros []).
      destruct (gathered _ _ _ l) as [ls|]; [|reflexivity]. cbn [option_map real_datum].
      now rewrite <- concat_map, <- (distinct_agrees _ []).
    - rewrite <- (gathered_agrees Q2R (number_of over_Q)) by (now intros []).
      destruct (gathered _ _ _ l) as [xs|]; [|reflexivity]. cbn [option_map real_datum].
      apply (f_equal (fun x => Some (Num x))).
      induction xs as [|x xs IH]; [reflexivity|]. cbn [map fold_right]. rewrite <- IH. cbn [add over_Q over_R].
      now rewrite Q2R_red, Q2R_plus.
    - rewrite <- (gathered_agrees Q2R (number_of over_Q)) by (now intros []).
      destruct (gathered _ _ _ l) as [xs|]; [|reflexivity]. cbn [option_map real_datum].
      apply (f_equal (fun x => Some (Num x))).
      induction xs as [|x xs IH]; [reflexivity|]. cbn [map fold_right]. rewrite <- IH. cbn [mul over_Q over_R].
      now rewrite Q2R_red, Q2R_mult.
    - rewrite <- (gathered_agrees real_datum (@Some (datum Q))) by reflexivity. destruct (gathered _ _ _ l); reflexivity.
    - rewrite <- (gathered_agrees (fun b => b) (truth_of over_Q)) by (now intros []).
      destruct (gathered _ _ _ l) as [bs|]; [|reflexivity]. cbn [option_map real_datum]. rewrite map_id.
      apply (f_equal (fun ds => Some (Lst ds))). revert bs; induction l as [|x l IH]; intros [|b bs]; try reflexivity. cbn [map combine filter snd].
      destruct b; cbn [map fst]; now rewrite IH.
    - induction l as [|x l IH]; [reflexivity|]. cbn [map all_true]. now apply both_agrees.
  Qed.
End Gathered.

(* What a sentence says over the rationals is what it says over the reals. *)
Theorem says_agrees s : forall env env', (forall x, real_datum (env x) = env' x) ->
  real_data (says over_Q env s) = says over_R env' s.
Proof.
  induction s as [z|x|o a IH|o a IHa b IHb|a IHa b IHb|o x things IHt each IHe]; intros env env' H; cbn [says].
  - reflexivity.
  - cbn [option_map]. now rewrite H.
  - rewrite <- (IH _ _ H). destruct (says over_Q env a); [apply one_agrees|reflexivity].
  - rewrite <- (IHa _ _ H), <- (IHb _ _ H).
    destruct (says over_Q env a); [|reflexivity]. destruct (says over_Q env b); [apply two_agrees|reflexivity].
  - apply both_agrees; intros; auto.
  - rewrite <- (IHt _ _ H). destruct (says over_Q env things) as [[y|l|b]|]; try reflexivity. cbn [option_map real_datum].
    apply all_of_agrees. intros d. apply IHe. intros y; unfold put. destruct (y =? x)%positive; auto.
Qed.

(* A case: a thing for each of the first quantifiers, which is among those that it speaks of. *)
Fixpoint false_in (env : positive -> datum Q) (s : sentence) (case : list (datum Q)) {struct case} : bool :=
  match case, s with
  | [], _ => match says over_Q env s with Some (Truth false) => true | _ => false end
  | d :: case, Each All x things each =>
      match says over_Q env things with
      | Some (Lst l) => match find (equal over_Q d) l with Some e => false_in (put env x e) each case | None => false end
      | _ => false
      end
  | _, _ => false
  end.
Lemma all_true_false each (l : list (datum Q)) e :
  In e l -> each e = Some (Truth false) -> all_true over_Q each l = Some (Truth false).
Proof.
  intros I F; induction l as [|x l IH]; [contradiction|]. cbn [all_true]. destruct I as [->|I].
  - now rewrite F.
  - rewrite (IH I). destruct (each x) as [[y|m|[|]]|]; reflexivity.
Qed.
(* What is false in one case is false. *)
Theorem false_in_sound case : forall env s, false_in env s case = true -> says over_Q env s = Some (Truth false).
Proof.
  induction case as [|d case IH]; intros env s H.
  - cbn [false_in] in H. destruct (says over_Q env s) as [[x|l|[|]]|]; try discriminate H; reflexivity.
  - destruct s as [| | | | |[] x things each]; try discriminate. cbn [false_in says] in *.
    destruct (says over_Q env things) as [[y|l|b]|]; try discriminate. cbn [all_of].
    destruct (find _ l) as [e|] eqn:E; [|discriminate]. apply find_some in E as [I _].
    exact (all_true_false _ _ _ I (IH _ _ H)).
Qed.
Definition data (qs : list Q) (x : positive) : datum Q := Num (point qs x).
(* A sentence that is false in a case at a point of its domain fails. *)
Theorem arithmetic_refuted a qs case :
  inside_Q (among a) qs = true -> false_in (data qs) (sentence_of a) case = true -> arithmetic_fails a.
Proof.
  intros I F. exists (fun x => Q2R (point qs x)). split; [now apply inside_Q_sound|]. unfold says_at.
  rewrite <- (says_agrees _ (data qs)) by reflexivity. now rewrite (false_in_sound _ _ _ F).
Qed.
