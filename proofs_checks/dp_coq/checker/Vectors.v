(* What is checked of the numbers of an exchange vector: that they are those of compared sets, and that the powers of factors add up to the
   exponent of the limit. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws.
From DP Require Import checker.Agreement checker.Values checker.Constants checker.Steps checker.Sums checker.Quantifiers checker.Readings checker.Places.
Import ListNotations.
Open Scope R_scope.

(* Numbers of items, as expressions, by places: lost, lost and not sensitive, gained, gained and not sensitive, in both, in both and not sensitive. *)
Record vector (A : Type) := Vector { ls : A; ln : A; gs : A; gn : A; bs : A; bn : A }.
Arguments Vector {A}. Arguments ls {A}. Arguments ln {A}. Arguments gs {A}. Arguments gn {A}. Arguments bs {A}. Arguments bn {A}.
Definition all_counts {A} (v : vector A) : list A := [ls v; ln v; gs v; gn v; bs v; bn v].
Definition number_vector (g : nat -> place) (xs : list nat) : vector nat :=
  let n p := number g xs p in Vector (n lost_sen) (n lost_non) (n gained_sen) (n gained_non) (n both_sen) (n both_non).
Definition has_values (w : positive -> R) (v : vector expr) (n : vector nat) : Prop :=
  value w (ls v) = INR (ls n) /\ value w (ln v) = INR (ln n) /\ value w (gs v) = INR (gs n) /\ value w (gn v) = INR (gn n)
  /\ value w (bs v) = INR (bs n) /\ value w (bn v) = INR (bn n).

Definition size_one (v : vector expr) : expr := Add (Add (ls v) (ln v)) (Add (bs v) (bn v)).
Definition size_other (v : vector expr) : expr := Add (Add (gs v) (gn v)) (Add (bs v) (bn v)).
(* What is >= 0 of compared sets. *)
Definition facts (r : reading) (v : vector expr) : list expr :=
  [Sub (Var 1) (Add (Add (ls v) (gs v)) (bs v)); Sub (Var 2) (Add (Add (ln v) (gn v)) (bn v));
   Sub (size_one v) (least r); Sub (most r) (size_one v); Sub (size_other v) (least r); Sub (most r) (size_other v)]
  ++ match relation r with
     | Deniability => [Sub (ls v) (Cst 1); Sub (Cst 1) (ls v); Neg (ln v); Sub (Add (gs v) (gn v)) (Cst 1); Sub (Cst 1) (Add (gs v) (gn v))]
     | Samenon => [Neg (ln v); Neg (gn v)]
     | _ => []
     end.
Definition true_of (r : reading) (w : positive -> R) (K M : nat) (n : vector nat) : Prop :=
  (ls n + gs n + bs n <= K)%nat /\ (ln n + gn n + bn n <= M)%nat
  /\ value w (least r) <= INR (ls n + ln n + bs n + bn n) <= value w (most r)
  /\ value w (least r) <= INR (gs n + gn n + bs n + bn n) <= value w (most r)
  /\ match relation r with
     | Deniability => ls n = 1%nat /\ ln n = 0%nat /\ (gs n + gn n = 1)%nat
     | Samenon => ln n = 0%nat /\ gn n = 0%nat
     | _ => True
     end.
Ltac values := unfold value; cbn [eval add sub mul integer of_Q over_R]; rewrite ?Q2R_integer.
Lemma INR_equal n m : INR n = INR m <-> n = m. Proof. split; [apply INR_eq|congruence]. Qed.
Section Facts.
  Variables (r : reading) (w : positive -> R) (K M : nat) (v : vector expr) (n : vector nat).
  Hypotheses (K_is : w 1%positive = INR K) (M_is : w 2%positive = INR M) (are : has_values w v n).
  Theorem facts_iff : Forall (fun e => 0 <= value w e) (facts r v) <-> true_of r w K M n.
  Proof.
    destruct are as (A & B & C & D & G & H). unfold facts, true_of, size_one, size_other. rewrite Forall_app.
    assert (S : value w (Sub (Var 1) (Add (Add (ls v) (gs v)) (bs v))) = INR K - INR (ls n + gs n + bs n)).
    { rewrite !plus_INR, <- K_is, <- A, <- C, <- G. values. reflexivity. }
    assert (S' : value w (Sub (Var 2) (Add (Add (ln v) (gn v)) (bn v))) = INR M - INR (ln n + gn n + bn n)).
    { rewrite !plus_INR, <- M_is, <- B, <- D, <- H. values. reflexivity. }
    assert (O : value w (Add (Add (ls v) (ln v)) (Add (bs v) (bn v))) = INR (ls n + ln n + bs n + bn n)).
    { rewrite !plus_INR, <- A, <- B, <- G, <- H. values. lra. }
    assert (O' : value w (Add (Add (gs v) (gn v)) (Add (bs v) (bn v))) = INR (gs n + gn n + bs n + bn n)).
    { rewrite !plus_INR, <- C, <- D, <- G, <- H. values. lra. }
    assert (Gn : value w (Add (gs v) (gn v)) = INR (gs n + gn n)) by (rewrite plus_INR, <- C, <- D; values; reflexivity).
    assert (V : forall a b, value w (Sub a b) = value w a - value w b) by reflexivity.
    assert (N : forall a, value w (Neg a) = - value w a) by (intros a; values; lra).
    assert (one : value w (Cst 1) = INR 1) by (values; reflexivity).
    assert (L : forall i j, 0 <= INR i - INR j <-> (j <= i)%nat) by (intros i j; split; [intros X; apply INR_le; lra|intros X; apply le_INR in X; lra]).
    assert (Z : forall i, 0 <= - INR i <-> i = 0%nat).
    { intros i. split; [intros X; apply INR_eq; pose proof (pos_INR i); cbn [INR] in *; lra|intros ->; cbn [INR]; lra]. }
    rewrite !Forall_cons_iff, S, S', !(V _ (least r)), !(V (most r)), O, O', !L.
    destruct (relation r); rewrite ?Forall_cons_iff, ?Forall_nil_iff, ?N, ?(V _ (Cst 1)), ?(V (Cst 1)), ?Gn, ?A, ?B, ?D, ?one, ?L, ?Z; intuition (lra || lia).
  Qed.
End Facts.

(* Powers of the factors of exchanged items; none where there is no such item. *)
Definition rates : Type := vector (option nat).
Definition times_count (l : option nat) (a : expr) : expr := match l with Some l => Mul (Cst (Z.of_nat l)) a | None => Cst 0 end.
Definition powers_sum (l : rates) (v : vector expr) : expr :=
  Add (Add (times_count (ls l) (ls v)) (times_count (ln l) (ln v))) (Add (times_count (gs l) (gs v)) (times_count (gn l) (gn v))).
Definition none_of (l : option nat) (a : expr) : list Formulas.relation := match l with Some _ => [] | None => [(Le, a, Cst 0)] end.
Definition is_one (e : expr) : bool := match e with Cst 1 => true | _ => false end.
Definition balance (shift : expr) (v : vector expr) : list Formulas.relation :=
  if is_one shift then [] else [(Le, Add (ls v) (ln v), Add (gs v) (gn v)); (Le, Add (gs v) (gn v), Add (ls v) (ln v))].
Definition adding_up (l : rates) (shift e : expr) (v : vector expr) : list Formulas.relation :=
  (Le, powers_sum l v, e) :: none_of (ls l) (ls v) ++ none_of (ln l) (ln v) ++ none_of (gs l) (gs v) ++ none_of (gn l) (gn v) ++ balance shift v.
Definition rate (l : option nat) : nat := match l with Some l => l | None => 0%nat end.
Definition total_rate (l : rates) (n : vector nat) : nat := (rate (ls l) * ls n + rate (ln l) * ln n + rate (gs l) * gs n + rate (gn l) * gn n)%nat.
Definition absent (l : option nat) (n : nat) : Prop := l = None -> n = 0%nat.
Definition adds_up (l : rates) (w : positive -> R) (shift : expr) (n : vector nat) : Prop :=
  absent (ls l) (ls n) /\ absent (ln l) (ln n) /\ absent (gs l) (gs n) /\ absent (gn l) (gn n)
  /\ (is_one shift = true \/ (ls n + ln n = gs n + gn n)%nat).
Section Adding.
  Variables (l : rates) (w : positive -> R) (shift e : expr) (v : vector expr) (n : vector nat).
  Hypothesis are : has_values w v n.
  Lemma value_powers : value w (powers_sum l v) = INR (total_rate l n).
  Proof.
    destruct are as (A & B & C & D & _). unfold total_rate. rewrite !plus_INR, !mult_INR, <- A, <- B, <- C, <- D.
    assert (T : forall o a, value w (times_count o a) = INR (rate o) * value w a).
    { intros [o|] a; cbn [times_count rate]; values; [now rewrite INR_IZR_INZ|cbn; lra]. }
    unfold powers_sum. assert (V : forall a b, value w (Add a b) = value w a + value w b) by reflexivity. rewrite !V, !T. lra.
  Qed.
  Theorem adding_up_sound : Forall (true_at w) (adding_up l shift e v) -> INR (total_rate l n) <= value w e /\ adds_up l w shift n.
  Proof.
    pose proof value_powers as P. destruct are as (A & B & C & D & _). unfold adding_up, adds_up. rewrite Forall_cons_iff, !Forall_app.
    assert (Z : forall o a i, value w a = INR i -> Forall (true_at w) (none_of o a) -> absent o i).
    { intros [o|] a i V F E; [discriminate|]. apply Forall_inv in F as (_ & _ & F). cbn [related] in F. rewrite V in F.
      unfold value in F. cbn [eval integer of_Q over_R] in F. rewrite Q2R_integer in F. apply INR_eq. pose proof (pos_INR i). cbn [INR]. lra. }
    intros ((_ & _ & S) & F1 & F2 & F3 & F4 & F5). cbn [related] in S. rewrite P in S.
    split; [exact S|]. repeat split; [exact (Z _ _ _ A F1)|exact (Z _ _ _ B F2)|exact (Z _ _ _ C F3)|exact (Z _ _ _ D F4)|].
    unfold balance in F5. destruct (is_one shift); [now left|right].
    assert (V : forall a b, value w (Add a b) = value w a + value w b) by reflexivity.
    pose proof (Forall_inv F5) as (_ & _ & L). apply Forall_inv_tail, Forall_inv in F5 as (_ & _ & G). cbn [related] in L, G.
    rewrite !V, A, B, C, D, <- !plus_INR in L, G. apply INR_eq. lra.
  Qed.
End Adding.
