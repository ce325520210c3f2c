(* Sentences are run over numbers that are known exactly, logarithms of primes among them: what they say there is what they
   mean over the reals. And one case in which a sentence is false. *)
From Coq Require Import Reals QArith Qreals Qround List Lia Lra ZArith Bool.
From DP Require Import checker.Agreement checker.Points checker.Values checker.Logarithms
  meaning.Numbers meaning.Expressions meaning.Domains meaning.Sentences meaning.Implications.
Import ListNotations.

Notation "'let?' x := a 'in' b" := (match a with Some x => b | None => None end) (at level 200, x name, right associativity).
(* As in `meaning`, but what depends on a sign that is not known has no value. *)
Module Exact.
  Definition same (x y : exact) : option bool := let? s := compared x y in Some (match s with Eq => true | _ => false end).
  Definition at_most (x y : exact) : option bool := let? s := compared x y in Some (match s with Gt => false | _ => true end).
  Fixpoint equal (a b : datum exact) : option bool :=
    match a, b with
    | Num x, Num y => same x y
    | Truth p, Truth q => Some (Bool.eqb p q)
    | Lst l, Lst m =>
        (fix all l m := match l, m with
                        | [], [] => Some true
                        | x :: l, y :: m => let? e := equal x y in if e then all l m else Some false
                        | _, _ => Some false
                        end) l m
    | _, _ => Some false
    end.
  Fixpoint among (a : datum exact) (l : list (datum exact)) : option bool :=
    match l with [] => Some false | b :: l => let? e := equal a b in if e then Some true else among a l end.
  Fixpoint occurrences (a : datum exact) (l : list (datum exact)) : option nat :=
    match l with [] => Some O | b :: l => let? e := equal a b in let? n := occurrences a l in Some (if e then S n else n) end.
  Fixpoint distinct (before l : list (datum exact)) : option (list (datum exact)) :=
    match l with
    | [] => Some []
    | x :: l => let? e := among x before in
                if e then distinct before l else let? rest := distinct (x :: before) l in Some (x :: rest)
    end.
  Definition count (n : nat) : datum exact := Num (Rat (integer over_Q (Z.of_nat n))).
  Definition natural (x : exact) : option nat := match x with Rat q => Sentences.natural over_Q q | _ => None end.
  Fixpoint power (x : exact) (n : nat) : exact := match n with O => Rat 1 | S n => product x (power x n) end.
  Definition raised (x : exact) (n : nat) : exact :=
    match x with Rat q => Rat (Numbers.power over_Q q (Z.of_nat n)) | _ => power x n end.

  Notation list_of_lists l := (Lst (map Lst l)).
  Definition one (o : of_one) (a : datum exact) : option (datum exact) :=
    match o, a with
    | Only, _ => Some (Lst [a])
    | Events, Lst l => Some (list_of_lists (flat_map (fun k => parts k l) (seq 0 (S (length l)))))
    | Size, Lst l => Some (count (length l))
    | Not, Truth b => Some (Truth (negb b))
    | Indicator, Truth b => Some (count (if b then 1 else 0))
    | Log, Num x => option_map Num (log_of x)
    | _, _ => None
    end.
  Definition two (o : of_two) (a b : datum exact) : option (datum exact) :=
    match o, a, b with
    | Plus, Num x, Num y => option_map Num (plus x y)
    | Minus, Num x, Num y => option_map Num (minus x y)
    | Times, Num x, Num y => Some (Num (product x y))
    | Over, Num x, Num y => let? z := same y (Rat 0) in if z then None else Some (Num (product x (reciprocal y)))
    | Raised, Num x, Num y => option_map (fun n => Num (raised x n)) (natural y)
    | Choose, Num (Rat x), Num y =>
        match natural (Rat x), natural y with Some _, Some k => Some (Num (Rat (binomial over_Q x k))) | _, _ => None end
    | Smaller, Num x, Num y => let? l := at_most x y in Some (Num (if l then x else y))
    | Between, Num x, Num y =>
        match natural x, natural y with Some m, Some n => Some (Lst (map count (seq m (n - m)))) | _, _ => None end
    | Joined, Lst l, Lst m => Some (Lst (l ++ m))
    | Lists, Lst l, Num x => option_map (fun k => list_of_lists (sequences k l)) (natural x)
    | Multisets, Lst l, Num x => option_map (fun k => list_of_lists (multisets k l)) (natural x)
    | At, Lst l, Num x => match natural x with Some k => nth_error l k | None => None end
    | Count, Lst l, _ => option_map count (occurrences b l)
    | AtMost, Num x, Num y => option_map Truth (at_most x y)
    | Equal, _, _ => option_map Truth (equal a b)
    | Among, _, Lst l => option_map Truth (among a l)
    | _, _, _ => None
    end.
  Definition both (a : option (datum exact)) (b : unit -> option (datum exact)) : option (datum exact) :=
    match a with
    | Some (Truth false) => a
    | _ => match a, b tt with
           | _, Some (Truth false) => Some (Truth false)
           | Some (Truth true), Some (Truth true) => Some (Truth true)
           | _, _ => None
           end
    end.
  Fixpoint all_true (each : datum exact -> option (datum exact)) (l : list (datum exact)) : option (datum exact) :=
    match l with [] => Some (Truth true) | x :: l => both (each x) (fun _ => all_true each l) end.
  Definition gathered {B} (read : datum exact -> option B) (each : datum exact -> option (datum exact)) l : option (list B) :=
    traverse (fun x => let? d := each x in read d) l.
  Definition number_of (d : datum exact) : option exact := match d with Num x => Some x | _ => None end.
  Definition list_of (d : datum exact) : option (list (datum exact)) := match d with Lst l => Some l | _ => None end.
  Definition truth_of (d : datum exact) : option bool := match d with Truth b => Some b | _ => None end.
  Fixpoint total (l : list exact) : option exact := match l with [] => Some (Rat 0) | x :: l => let? t := total l in plus x t end.
  Definition all_of (o : of_all) (each : datum exact -> option (datum exact)) (l : list (datum exact)) : option (datum exact) :=
    match o with
    | Union => let? ls := gathered list_of each l in option_map Lst (distinct [] (concat ls))
    | Total => let? xs := gathered number_of each l in option_map Num (total xs)
    | Product => option_map (fun xs => Num (fold_right product (Rat 1) xs)) (gathered number_of each l)
    | Listed => option_map Lst (gathered Some each l)
    | Those => option_map (fun bs => Lst (map fst (filter snd (combine l bs)))) (gathered truth_of each l)
    | All => all_true each l
    end.
  Fixpoint says (env : positive -> datum exact) (s : sentence) : option (datum exact) :=
    match s with
    | Const z => Some (Num (Rat (integer over_Q z)))
    | Name x => Some (env x)
    | One o a => let? a := says env a in one o a
    | Two o a b => match says env a, says env b with Some a, Some b => two o a b | _, _ => None end
    | And a b => both (says env a) (fun _ => says env b)
    | Each o x things each =>
        match says env things with Some (Lst l) => all_of o (fun d => says (put env x d) each) l | _ => None end
    end.
End Exact.

(* A case: a thing for each of the first quantifiers, which is among those that it speaks of. *)
Fixpoint exactly (d : datum Q) : datum exact :=
  match d with Num q => Num (Rat q) | Lst l => Lst (map exactly l) | Truth b => Truth b end.
Fixpoint real_of (d : datum Q) : datum R :=
  match d with Num q => Num (Q2R q) | Lst l => Lst (map real_of l) | Truth b => Truth b end.
Definition is_equal (a b : datum exact) : bool := match Exact.equal a b with Some true => true | _ => false end.
Fixpoint false_in (env : positive -> datum exact) (s : sentence) (case : list (datum Q)) {struct case} : bool :=
  match case, s with
  | [], _ => match Exact.says env s with Some (Truth false) => true | _ => false end
  | d :: case, Each All x things each =>
      match Exact.says env things with
      | Some (Lst l) => match find (is_equal (exactly d)) l with Some e => false_in (put env x e) each case | None => false end
      | _ => false
      end
  | _, _ => false
  end.
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

Section Meant.
Variables (log : R -> R) (is_log : is_logarithm log).
Notation meant := (Logarithms.meant log).
Notation real_log := (Logarithms.real_log log).
Notation compared_sound := (Logarithms.compared_sound log is_log).
Notation product_sound := (Logarithms.product_sound log).
Notation plus_sound := (Logarithms.plus_sound log is_log).
Notation minus_sound := (Logarithms.minus_sound log is_log).
Notation log_of_sound := (Logarithms.log_of_sound log is_log).
Notation reciprocal_sound := (Logarithms.reciprocal_sound log).
Fixpoint real_datum (d : datum exact) : datum R :=
  match d with Num x => Num (meant x) | Lst l => Lst (map real_datum l) | Truth b => Truth b end.

Ltac rewriting G := match type of G with ?a = ?b => match goal with |- context [gathered ?n ?r ?e ?l] => change (gathered n r e l) with a; rewrite G end end.
(* What has a value has the value that is meant. *)
Notation means a b := (forall d, a = Some d -> b = Some (real_datum d)).
Lemma at_most_R x y : at_most over_R x y = if Rle_dec x y then true else false. Proof. reflexivity. Qed.
Lemma at_most_means x y b : Exact.at_most x y = Some b -> at_most over_R (meant x) (meant y) = b.
Proof.
  unfold Exact.at_most; destruct (compared x y) as [s|] eqn:E; [|discriminate]. apply compared_sound in E. rewrite at_most_R.
  intros H; destruct s; cbn [has_sign] in E; destruct (Rle_dec _ _); try congruence; exfalso; lra.
Qed.
Lemma same_means x y b : Exact.same x y = Some b -> same over_R (meant x) (meant y) = b.
Proof.
  unfold Exact.same, same; destruct (compared x y) as [s|] eqn:E; [|discriminate]. apply compared_sound in E. rewrite !at_most_R.
  intros H; destruct s; cbn [has_sign] in E; destruct (Rle_dec (meant x) _), (Rle_dec (meant y) _); cbn; try congruence; exfalso; lra.
Qed.
Lemma equal_means a : forall b e, Exact.equal a b = Some e -> equal over_R (real_datum a) (real_datum b) = e.
Proof.
  induction a as [x|p|l H] using datum_parts; intros [y|m|q] e E; try (cbn in *; congruence); [now apply same_means|].
  cbn [real_datum equal Exact.equal] in *. revert m E; induction H as [|x l X _ IH]; intros [|y m] E; try (cbn; congruence).
  cbn [map]. destruct (Exact.equal x y) as [f|] eqn:F; [|discriminate]. rewrite (X _ _ F). destruct f; [now apply IH|cbn; congruence].
Qed.
Lemma among_means a l : forall e, Exact.among a l = Some e -> existsb (equal over_R (real_datum a)) (map real_datum l) = e.
Proof.
  induction l as [|b l IH]; intros e; cbn [Exact.among map existsb]; [congruence|].
  destruct (Exact.equal a b) as [f|] eqn:F; [|discriminate]. rewrite (equal_means _ _ _ F). destruct f; [cbn; congruence|apply IH].
Qed.
Lemma occurrences_means a l : forall n, Exact.occurrences a l = Some n -> occurrences over_R (real_datum a) (map real_datum l) = n.
Proof.
  unfold occurrences; induction l as [|b l IH]; intros n; cbn [Exact.occurrences map filter]; [cbn; congruence|].
  destruct (Exact.equal a b) as [f|] eqn:F; [|discriminate]. rewrite (equal_means _ _ _ F).
  destruct (Exact.occurrences a l) as [k|]; [|discriminate]. specialize (IH _ eq_refl). intros [= <-].
  destruct f; cbn [length]; now rewrite IH.
Qed.
Lemma distinct_means l : forall before r, Exact.distinct before l = Some r ->
  distinct over_R (map real_datum before) (map real_datum l) = map real_datum r.
Proof.
  induction l as [|x l IH]; intros before r; cbn [Exact.distinct map distinct]; [intros [= <-]; reflexivity|].
  destruct (Exact.among x before) as [f|] eqn:F; [|discriminate]. rewrite (among_means _ _ _ F). destruct f; [apply IH|].
  destruct (Exact.distinct (x :: before) l) as [rest|] eqn:D; [|discriminate]. intros [= <-]. cbn [map]. f_equal. exact (IH _ _ D).
Qed.
Lemma natural_means x n : Exact.natural x = Some n -> natural over_R (meant x) = Some n.
Proof.
  destruct x as [q|]; [|discriminate]. cbn [Exact.natural meant]. unfold natural, same.
  change (floor over_R (Q2R q)) with (Int_part (Q2R q)). rewrite Q2R_floor.
  change (integer over_R (Qfloor q)) with (Q2R (integer over_Q (Qfloor q))). now rewrite !at_most_agrees.
Qed.
Lemma raised_means x n : meant (Exact.raised x n) = Numbers.power over_R (meant x) (Z.of_nat n).
Proof.
  assert (P : meant (Exact.power x n) = Numbers.power over_R (meant x) (Z.of_nat n)).
  { assert (E : meant (Exact.power x n) = (meant x ^ n)%R).
    { induction n as [|n IH]; [apply Q2R_1|]. cbn [Exact.power pow]. now rewrite product_sound, IH. }
    rewrite E. destruct n as [|n]; [symmetry; exact (Q2R_1)|]. cbn [Z.of_nat power]. rewrite positive_power_is.
    now rewrite SuccNat2Pos.id_succ. }
  destruct x as [q|m d]; [|exact P]. cbn [Exact.raised meant]. apply Q2R_power.
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
Lemma lists_agree (ls : list (list (datum exact))) : map real_datum (map Lst ls) = map Lst (map (map real_datum) ls).
Proof. rewrite !map_map; reflexivity. Qed.
Lemma counts_agree l : map real_datum (map Exact.count l) = map (count over_R) l.
Proof. rewrite map_map; reflexivity. Qed.

Ltac with_value := match goal with
  | |- option_map _ ?a = Some _ -> _ => let E := fresh "E" in destruct a eqn:E; [|discriminate]; intros [= <-]
  | |- match ?a with Some x => @?f x | None => None end = Some _ -> _ => let E := fresh "E" in destruct a eqn:E; [|discriminate]
  end.
Lemma one_means o a : means (Exact.one o a) (one over_R real_log o (real_datum a)).
Proof.
  intros d; destruct o, a as [x|l|b]; try discriminate; cbn [Exact.one one real_datum]; try (intros [= <-]; rewrite ?map_length; reflexivity).
  - rewrite map_length. generalize (S (length l)) as n; intros n E.
    assert (d = Lst (map Lst (flat_map (fun k => parts k l) (seq 0 n)))) as -> by congruence.
    cbn [real_datum]. rewrite lists_agree. apply (f_equal (fun ls => Some (Lst (map Lst ls)))).
    induction (seq 0 n) as [|k ks IH]; [reflexivity|]. cbn [flat_map]. rewrite parts_map, map_app. f_equal. now apply IH.
  - with_value. now rewrite (log_of_sound _ _ E).
Qed.
Lemma two_means o a b : means (Exact.two o a b) (two over_R o (real_datum a) (real_datum b)).
Proof.
  intros d; destruct o, a as [x|l|p], b as [y|m|q]; try discriminate; cbn [Exact.two two real_datum].
  all: try (intros [= <-]; cbn [real_datum]; rewrite ?map_app; reflexivity).
  all: try (destruct x; discriminate).
  all: try (with_value; rewrite ?(natural_means _ _ E); cbn [option_map real_datum]; rewrite ?raised_means, ?lists_agree, ?sequences_map, ?multisets_map;
    first [reflexivity
          |apply plus_sound in E; now rewrite E
          |apply minus_sound in E; now rewrite E
          |apply at_most_means in E; now rewrite E
          |apply occurrences_means in E; now rewrite <- E
          |apply among_means in E; now rewrite <- E
          |apply equal_means in E; now rewrite <- E]).
  - intros [= <-]. cbn [real_datum]. now rewrite product_sound.
  - with_value. apply same_means in E. cbn [meant] in E. change (integer over_R 0) with (Q2R 0). rewrite E.
    match goal with |- context [if ?c then _ else _] => destruct c end; [discriminate|]. intros [= <-]. cbn [real_datum].
    now rewrite product_sound, reciprocal_sound.
  - destruct x as [x|]; [|discriminate]. destruct (Exact.natural (Rat x)) eqn:X; [|discriminate].
    destruct (Exact.natural y) eqn:Y; [|discriminate]. intros [= <-].
    rewrite (natural_means _ _ X), (natural_means _ _ Y). cbn [real_datum meant]. now rewrite Q2R_binomial.
  - with_value. apply at_most_means in E. unfold least. rewrite E. intros [= <-].
    match goal with |- context [if ?c then _ else _] => destruct c end; reflexivity.
  - destruct (Exact.natural x) eqn:X; [|discriminate]. destruct (Exact.natural y) eqn:Y; [|discriminate]. intros [= <-].
    rewrite (natural_means _ _ X), (natural_means _ _ Y). cbn [real_datum]. now rewrite counts_agree.
  - with_value. rewrite (natural_means _ _ E). intros H. rewrite nth_error_map, H. reflexivity.
Qed.
Lemma both_means a b a' b' : means a a' -> (forall u, means (b u) (b' u)) -> means (Exact.both a b) (both over_R a' b').
Proof.
  intros A B d. unfold Exact.both, both.
  destruct a as [[x|l|[|]]|]; try (rewrite (A _ eq_refl)); destruct (b tt) as [[y|m|[|]]|] eqn:E; try (rewrite (B _ _ E)); try discriminate;
    cbn [real_datum]; intros [= <-]; try reflexivity.
  destruct a' as [[x'|l'|[|]]|]; reflexivity.
Qed.
Lemma total_means l : forall t, Exact.total l = Some t -> fold_right (add over_R) (integer over_R 0) (map meant l) = meant t.
Proof.
  induction l as [|x l IH]; intros t; cbn [Exact.total map fold_right]; [intros [= <-]; reflexivity|].
  destruct (Exact.total l) as [u|]; [|discriminate]. intros P. rewrite (IH _ eq_refl), (plus_sound _ _ _ P). reflexivity.
Qed.

Section Gathered.
  Variables (each : datum exact -> option (datum exact)) (each_R : datum R -> option (datum R)).
  Hypothesis agree : forall d, means (each d) (each_R (real_datum d)).
  Lemma gathered_means {A B} (f : A -> B) (read : datum exact -> option A) (read_R : datum R -> option B) l :
    (forall d, option_map f (read d) = read_R (real_datum d)) ->
    forall r, Exact.gathered read each l = Some r -> gathered over_R read_R each_R (map real_datum l) = Some (map f r).
  Proof.
    intros H; unfold Exact.gathered, gathered; induction l as [|x l IH]; intros r; cbn [map traverse]; [intros [= <-]; reflexivity|].
    destruct (each x) as [d|] eqn:E; [|discriminate]. rewrite (agree _ _ E), <- H.
    destruct (read d) as [y|]; [|discriminate]. cbn [option_map].
    destruct (traverse _ l) as [ys|]; [|discriminate]. rewrite (IH _ eq_refl). intros [= <-]. reflexivity.
  Qed.
  Lemma all_of_means o l : means (Exact.all_of o each l) (all_of over_R o each_R (map real_datum l)).
  Proof.
    intros d; destruct o; cbn [Exact.all_of all_of].
    - destruct (Exact.gathered _ _ l) as [ls|] eqn:G; [|discriminate].
      apply (gathered_means (map real_datum) Exact.list_of (list_of over_R)) in G; [|now intros []]. rewriting G. cbn [option_map].
      with_value. rewrite <- concat_map. cbn [real_datum]. now rewrite <- (distinct_means _ [] _ E).
    - destruct (Exact.gathered _ _ l) as [xs|] eqn:G; [|discriminate].
      apply (gathered_means meant Exact.number_of (number_of over_R)) in G; [|now intros []]. rewriting G. cbn [option_map].
      with_value. now rewrite (total_means _ _ E).
    - destruct (Exact.gathered _ _ l) as [xs|] eqn:G; [|discriminate].
      apply (gathered_means meant Exact.number_of (number_of over_R)) in G; [|now intros []]. rewriting G. cbn [option_map].
      intros [= <-]. cbn [real_datum]. do 2 f_equal.
      clear G; induction xs as [|x xs IH]; [reflexivity|]. cbn [map fold_right]. now rewrite product_sound, <- IH.
    - destruct (Exact.gathered _ _ l) as [xs|] eqn:G; [|discriminate].
      apply (gathered_means real_datum (@Some (datum exact)) (@Some (datum R))) in G; [|reflexivity]. rewriting G. intros [= <-]. reflexivity.
    - destruct (Exact.gathered _ _ l) as [bs|] eqn:G; [|discriminate].
      apply (gathered_means (fun b => b) Exact.truth_of (truth_of over_R)) in G; [|now intros []]. rewriting G; rewrite map_id. intros [= <-].
      cbn [real_datum option_map]. do 2 f_equal. clear G. revert bs; induction l as [|x l IH]; intros [|b bs]; try reflexivity.
      cbn [map combine filter snd]. destruct b; cbn [map fst]; now rewrite IH.
    - revert d; induction l as [|x l IH]; [intros d [= <-]; reflexivity|]. cbn [map Exact.all_true all_true]. apply both_means; auto.
  Qed.
End Gathered.

(* What a sentence says over exact numbers is what it says over the reals. *)
Theorem says_means s : forall env env', (forall x, real_datum (env x) = env' x) -> means (Exact.says env s) (says over_R real_log env' s).
Proof.
  induction s as [z|x|o a IH|o a IHa b IHb|a IHa b IHb|o x things IHt each IHe]; intros env env' H d; cbn [Exact.says says].
  - intros [= <-]; reflexivity.
  - intros [= <-]; now rewrite H.
  - destruct (Exact.says env a) as [v|] eqn:A; [|discriminate]. rewrite (IH _ _ H _ A). apply one_means.
  - destruct (Exact.says env a) as [v|] eqn:A; [|discriminate]. destruct (Exact.says env b) as [u|] eqn:B; [|discriminate].
    rewrite (IHa _ _ H _ A), (IHb _ _ H _ B). apply two_means.
  - apply both_means; [apply IHa|intros _; apply IHb]; exact H.
  - destruct (Exact.says env things) as [[y|l|b]|] eqn:T; try discriminate. rewrite (IHt _ _ H _ T). cbn [real_datum].
    apply all_of_means. intros e. apply IHe. intros y; unfold put. destruct (y =? x)%positive; auto.
Qed.

(* What is false in one case is false. *)
Lemma all_true_false each (l : list (datum R)) e :
  In e l -> each e = Some (Truth false) -> all_true over_R each l = Some (Truth false).
Proof.
  intros I F; induction l as [|x l IH]; [contradiction|]. cbn [all_true]. destruct I as [->|I].
  - now rewrite F.
  - rewrite (IH I). destruct (each x) as [[y|m|[|]]|]; reflexivity.
Qed.
Lemma false_in_sound case : forall env env' s, (forall x, real_datum (env x) = env' x) ->
  false_in env s case = true -> says over_R real_log env' s = Some (Truth false).
Proof.
  induction case as [|d case IH]; intros env env' s A H.
  - cbn [false_in] in H. destruct (Exact.says env s) as [[x|l|[|]]|] eqn:E; try discriminate H. exact (says_means _ _ _ A _ E).
  - destruct s as [| | | | |[] x things each]; try discriminate. cbn [false_in says] in *.
    destruct (Exact.says env things) as [[y|l|b]|] eqn:T; try discriminate. rewrite (says_means _ _ _ A _ T). cbn [real_datum all_of].
    destruct (find _ l) as [e|] eqn:E; [|discriminate]. apply find_some in E as [I _].
    apply (all_true_false _ _ (real_datum e)); [now apply in_map|]. apply (IH (put env x e)); [|exact H].
    intros y; unfold put. destruct (y =? x)%positive; auto.
Qed.
(* Data without logarithms mean the same for all of these. *)
Fixpoint real_of_exactly (d : datum Q) : real_datum (exactly d) = real_of d.
Proof.
  destruct d as [q|l|b]; [reflexivity| |reflexivity]. cbn [exactly real_datum real_of]. f_equal. rewrite map_map.
  induction l as [|x l IH]; [reflexivity|]. cbn [map]. now rewrite real_of_exactly, IH.
Qed.
End Meant.

Definition env_of (ds : positive -> datum Q) (x : positive) : datum exact := exactly (ds x).
(* What is false in a case is said to be false; what is computed is said. *)
Theorem false_in_said ds s case : false_in (env_of ds) s case = true -> said (fun x => real_of (ds x)) s false.
Proof. intros H log L. apply (false_in_sound log L case (env_of ds)); [|exact H]. intros x. apply real_of_exactly. Qed.
Definition is_shown (b : bool) (ds : positive -> datum Q) (s : sentence) : bool :=
  match Exact.says (env_of ds) s with Some (Truth c) => Bool.eqb b c | _ => false end.
Lemma is_shown_said b ds s : is_shown b ds s = true -> said (fun x => real_of (ds x)) s b.
Proof.
  unfold is_shown. destruct (Exact.says _ s) as [[x|l|c]|] eqn:E; try discriminate. intros H log L.
  apply Bool.eqb_prop in H as ->. exact (says_means log L s _ _ (fun x => real_of_exactly log (ds x)) _ E).
Qed.

Definition data (qs : list Q) (x : positive) : datum Q := Num (point qs x).
(* A sentence that is false in a case at a point of its domain fails. *)
Theorem arithmetic_refuted a qs case :
  inside_Q (Sentences.among a) qs = true -> false_in (env_of (data qs)) (sentence_of a) case = true -> arithmetic_fails a.
Proof.
  intros I F. exists (fun x => Q2R (point qs x)). split; [now apply inside_Q_sound|]. exact (false_in_said _ _ _ F).
Qed.

(* Data, for the names 1, 2, ..., for which the premises are true and a conclusion is false. *)
Definition listed_data (ds : list (datum Q)) (x : positive) : datum Q := nth (Pos.to_nat x - 1) ds (Num 0%Q).
Definition refutes (i : implication) (ds : list (datum Q)) : bool :=
  forallb (is_shown true (listed_data ds)) (premises i) && existsb (is_shown false (listed_data ds)) (conclusions i).
(* An implication that data refute fails. *)
Theorem implication_refuted i ds : refutes i ds = true -> implication_fails i.
Proof.
  intros H. apply andb_prop in H as [P C]. exists (fun x => real_of (listed_data ds x)). split.
  - rewrite forallb_forall in P. apply Forall_forall. intros s I. now apply is_shown_said, P.
  - apply existsb_exists in C as (s & I & F). apply Exists_exists. exists s. split; [exact I|]. now apply is_shown_said.
Qed.
