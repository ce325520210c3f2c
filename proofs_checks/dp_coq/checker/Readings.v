(* The sentence of a ratio, as it is translated, and what it says: of compared sets and of the chances of their reports. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Sentences checker.Quantifiers theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

(* Which sets are compared: those that differ; that differ in a sensitive item and one more; in sensitive items only. What of
   a report: all, all that both sets can show, what is seen of sensitive items; and whether one that shows none of these counts. *)
Inductive compared := Ldp | Deniability | Samenon | Joint | Marginal.
Record reading := Reading { relation : compared; least : expr; most : expr; limit : expr; smallest : bool; nonempty : bool }.

(* An expression as a part of a sentence, where it can be one, and the exponents that are to be >= 0. *)
Fixpoint spoken (e : expr) : sentence :=
  match e with
  | Cst z => Const z | Var x => Name x
  | Add a b => Two Plus (spoken a) (spoken b) | Sub a b => Two Minus (spoken a) (spoken b)
  | Mul a b => Two Times (spoken a) (spoken b) | Div a b => Two Over (spoken a) (spoken b)
  | Neg a => Two Minus (Const 0) (spoken a) | Pow a b => Two Raised (spoken a) (spoken b)
  | Floor a => spoken a | Min a b => Two Smaller (spoken a) (spoken b) | Binom _ _ | Sum _ _ _ _ => Const 0
  end.
Fixpoint speakable (last : positive) (e : expr) : bool :=
  match e with
  | Cst _ => true | Var x => (x <? last)%positive
  | Add a b | Sub a b | Mul a b | Div a b | Pow a b | Min a b => speakable last a && speakable last b
  | Neg a => speakable last a | Floor _ | Binom _ _ | Sum _ _ _ _ => false
  end.
Fixpoint exponents (e : expr) : list expr :=
  match e with
  | Add a b | Sub a b | Mul a b | Div a b | Min a b => exponents a ++ exponents b
  | Pow a b => b :: exponents a ++ exponents b | Neg a => exponents a | _ => []
  end.

Definition part (k : Z) (r : sentence) : sentence := Two At r (Const k).
Definition items_text : sentence := Two Between (Const 0) (Two Plus (Name 1) (Name 2)).
Section Texts.
  Variables (T : positive) (r : reading).
  Let s := (T + 1)%positive.
  Let s' := (T + 2)%positive.
  Let report := (T + 3)%positive.
  Let inner := (T + 4)%positive.
  Definition sets_text (v : positive) : sentence :=
    Each Those v (One Events items_text)
      (And (Two AtMost (spoken (least r)) (One Size (Name v))) (Two AtMost (One Size (Name v)) (spoken (most r)))).
  Definition lost_text (a b : positive) : sentence := Each Those report (Name a) (One Not (Two Among (Name report) (Name b))).
  Definition kept_text (a : positive) : sentence := Each Those report (Name a) (Two AtMost (Name 1) (Name report)).
  Definition differ_text : sentence := One Not (Two Equal (Name s) (Name s')).
  Definition related_text : sentence :=
    match relation r with
    | Deniability =>
        And (Two Equal (One Size (lost_text s s')) (Const 1))
          (And (Two Equal (One Size (lost_text s' s)) (Const 1)) (One Not (Two AtMost (Name 1) (part 0 (lost_text s s')))))
    | Samenon => And differ_text (Two Equal (kept_text s) (kept_text s'))
    | _ => differ_text
    end.
  Definition rows_text (v a : positive) : sentence := Each Those v (Name T) (Two Equal (part 0 (Name v)) (Name a)).
  Definition possible_text : sentence := One Not (Two Equal (part 2 (Name report)) (Const 0)).
  Definition joint_text : sentence :=
    Each All inner (part 1 (part 1 (Name report))) (And (Two Among (Name inner) (Name s)) (Two Among (Name inner) (Name s'))).
  (* It shows an item: it is no list of at most m blanks. *)
  Definition blanks_text : sentence :=
    Each Union inner (Two Between (Const 0) (Two Plus (Name 3) (Const 1))) (Two Lists (One Only (Two Between (Const 0) (Const 0))) (Name inner)).
  Definition shows_text : sentence := One Not (Two Among (part 0 (part 1 (Name report))) blanks_text).
  Definition subject_text : sentence :=
    match nonempty r, relation r with
    | false, Joint => And possible_text joint_text
    | true, Joint => And possible_text (And shows_text joint_text)
    | true, _ => And possible_text shows_text
    | false, _ => possible_text
    end.
  Definition key_text (a : positive) : sentence := match relation r with Marginal => part 0 (part 1 (Name a)) | _ => part 1 (Name a) end.
  Definition chance_text (a : positive) : sentence :=
    Each Total inner (Each Those inner (rows_text inner a) (Two Equal (key_text inner) (key_text report))) (part 2 (Name inner)).
  Definition others_text : sentence := Each Those s' (sets_text s') related_text.
  Definition reports_text : sentence := Each Those report (rows_text report s) subject_text.
  Definition bounded_text : sentence := Two AtMost (chance_text s) (Two Times (spoken (limit r)) (chance_text s')).
  Definition reached_text : sentence := Two Equal (chance_text s) (Two Times (spoken (limit r)) (chance_text s')).
  Definition all_text : sentence := Each All s (sets_text s) (Each All s' others_text (Each All report reports_text bounded_text)).
  Definition some_text : sentence := Exist s (sets_text s) (Exist s' others_text (Exist report reports_text reached_text)).
  Definition ratio_text : sentence := if smallest r then And all_text some_text else all_text.
End Texts.

(* What is seen of a report, and the other items that it shows. *)
Definition seen (v : val) : val := match v with Tup (a :: _) => a | _ => v end.
Definition beside (v : val) : list nat := match v with Tup [_; l] => flat l | _ => [] end.
Definition every (n : nat) : list (list nat) := flat_map (fun k => parts k (seq 0 n)) (seq 0 (S n)).
Definition set_datum (s : list nat) : datum over_R := Lst (map (count over_R) s).
Definition lost (s s' : list nat) : list nat := filter (fun x => negb (is_held x s')) s.
Definition others (K : nat) (s : list nat) : list nat := filter (Nat.leb K) s.
Definition differ (s s' : list nat) : bool := negb (equal over_R (set_datum s) (set_datum s')).
Definition compares (c : compared) (K : nat) (s s' : list nat) : bool :=
  match c with
  | Deniability => (length (lost s s') =? 1)%nat && ((length (lost s' s) =? 1)%nat && negb (K <=? hd 0 (lost s s'))%nat)
  | Samenon => differ s s' && equal over_R (set_datum (others K s)) (set_datum (others K s'))
  | _ => differ s s'
  end.
Definition key (c : compared) (v : val) : datum over_R := shown over_R (match c with Marginal => seen v | _ => v end).
Definition counts_in (c : compared) (s s' : list nat) (v : val) : bool :=
  match c with Joint => forallb (fun x => is_held x s && is_held x s') (beside v) | _ => true end.
Definition blanks (m : nat) : list (datum over_R) := flat_map (fun k => map (@Lst over_R) (sequences k [Lst []])) (seq 0 (S m)).
Definition shows_item (m : nat) (v : val) : bool := negb (existsb (equal over_R (shown over_R (seen v))) (blanks m)).
(* The chance of what is compared of a report. *)
Definition chance (c : compared) (law : dist over_R val) (y : datum over_R) : R :=
  E law (fun v => if equal over_R (key c v) y then 1 else 0).

Lemma at_most_INR n m : at_most over_R (INR n) (INR m) = (n <=? m)%nat.
Proof.
  rewrite at_most_R. destruct (Rle_dec (INR n) (INR m)) as [L|L]; symmetry; [apply Nat.leb_le|apply Nat.leb_gt].
  - now apply INR_le.
  - apply INR_lt. lra.
Qed.
Lemma set_datum_injective s s' : set_datum s = set_datum s' -> s = s'.
Proof.
  unfold set_datum. intros [= E]. revert s' E. induction s as [|x s IH]; intros [|y s'] E; try discriminate; [reflexivity|].
  injection E as E F. rewrite (IH s' F). f_equal. apply INR_eq. pose proof (count_is x) as X. pose proof (count_is y) as Y.
  unfold count in X, Y. cbn in E, X, Y. congruence.
Qed.
Lemma equal_sets s s' : equal over_R (set_datum s) (set_datum s') = true <-> s = s'.
Proof. rewrite equal_iff. split; [apply set_datum_injective|congruence]. Qed.
Lemma among_items x s : existsb (equal over_R (count over_R x)) (map (count over_R) s) = is_held x s.
Proof. unfold is_held. induction s as [|y s IH]; [reflexivity|]. cbn [map existsb]. now rewrite equal_counts, IH. Qed.
Lemma E_of_filter (law : dist over_R val) (p : val -> bool) :
  fold_right Rplus 0 (map fst (filter (fun q => p (snd q)) law)) = E law (fun v => if p v then 1 else 0).
Proof.
  induction law as [|[q v] law IH]; [reflexivity|]. cbn [filter snd E]. destruct (p v); cbn [map fold_right fst]; rewrite IH; lra.
Qed.
Lemma shown_items l : shown over_R (items l) = set_datum l.
Proof. unfold items, set_datum. cbn [shown]. now rewrite map_map. Qed.
Lemma flat_items l : flat (items l) = l.
Proof. unfold items. cbn [flat]. induction l as [|x l IH]; [reflexivity|]. cbn [map flat_map flat app]. now rewrite IH. Qed.
Lemma number_datum z : integer over_R z = IZR z. Proof. apply Q2R_integer. Qed.

(* A report of a chance that is not 0 is possible, at least one that is compared as it is. *)
Lemma possible_report c (law : dist over_R val) y : chance c law y <> 0 -> exists v z, z <> 0 /\ In (z, v) law /\ key c v = y.
Proof.
  unfold chance. induction law as [|[z v] l IH]; cbn [E]; intros Z; [lra|].
  destruct (equal over_R (key c v) y) eqn:Q.
  - destruct (Req_dec z 0) as [->|O]; [|exists v, z; split; [exact O|]; split; [now left|now apply equal_iff]].
    destruct IH as (v' & z' & O & J & Q'); [lra|]. exists v', z'. split; [exact O|]. split; [now right|exact Q'].
  - destruct IH as (v' & z' & O & J & Q'); [lra|]. exists v', z'. split; [exact O|]. split; [now right|exact Q'].
Qed.

Section Spoken.
  Variables (log : R -> option R) (w : positive -> R) (T : positive) (env : positive -> datum over_R).
  Hypothesis agree : forall x, (x < T)%positive -> env x = Num (w x).
  (* What an expression is as a part of a sentence is its value. *)
  Theorem spoken_says e : speakable T e = true -> defined w e -> Forall (fun a => 0 <= value w a) (exponents e) ->
    says over_R log env (spoken e) = Some (Num (value w e)).
  Proof.
    induction e as [z|x|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa|a IHa b IHb|a IHa b IHb|x a IHa b IHb c IHc];
      cbn [speakable defined exponents spoken]; intros S D F; try discriminate;
      try (apply andb_prop in S as [Sa Sb]).
    - reflexivity.
    - cbn [says]. apply Pos.ltb_lt in S. now rewrite (agree x S).
    - apply Forall_app in F as [Fa Fb]. destruct D as [Da Db]. cbn [says]. now rewrite (IHa Sa Da Fa), (IHb Sb Db Fb).
    - apply Forall_app in F as [Fa Fb]. destruct D as [Da Db]. cbn [says]. now rewrite (IHa Sa Da Fa), (IHb Sb Db Fb).
    - apply Forall_app in F as [Fa Fb]. destruct D as [Da Db]. cbn [says]. now rewrite (IHa Sa Da Fa), (IHb Sb Db Fb).
    - apply Forall_app in F as [Fa Fb]. destruct D as (Da & Db & N). cbn [says]. rewrite (IHa Sa Da Fa), (IHb Sb Db Fb). cbn [two].
      rewrite number_datum. destruct (same over_R (value w b) 0) eqn:Z; [apply same_iff in Z; congruence|reflexivity].
    - cbn [says]. rewrite (IHa S D F). reflexivity.
    - inversion F as [|e l P G]; subst. apply Forall_app in G as [Fa Fb]. destruct D as (Da & Db & W & _). cbn [says].
      rewrite (IHa Sa Da Fa), (IHb Sb Db Fb). cbn [two]. set (n := Z.to_nat (Int_part (value w b))).
      assert (I : Z.of_nat n = Int_part (value w b)).
      { unfold n. rewrite Z2Nat.id; [reflexivity|]. apply le_IZR. rewrite <- W. exact P. }
      replace (value w b) with (INR n) by (rewrite W, INR_IZR_INZ, I; reflexivity).
      rewrite natural_INR. cbn [option_map]. rewrite I. reflexivity.
    - apply Forall_app in F as [Fa Fb]. destruct D as [Da Db]. cbn [says]. now rewrite (IHa Sa Da Fa), (IHb Sb Db Fb).
  Qed.
End Spoken.
