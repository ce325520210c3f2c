(* Independent bits, one for every item: the chance that those which matter have these values is a product. *)
From Coq Require Import Reals List Lra Lia Bool.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Ratios theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

(* A bit that is 1 shows its item. *)
Definition bit (x : nat) (b : bool) : val := if b then Item x else Tup [].
Definition zipped (xs : list nat) (bs : list bool) : list val := map (fun q => bit (fst q) (snd q)) (combine xs bs).
(* The expectation over independent bits: 1 with the first weight of a pair, 0 with the second one. *)
Fixpoint over_bits (cs : list (R * R)) (f : list bool -> R) : R :=
  match cs with
  | [] => f []
  | (p, q) :: cs => p * over_bits cs (fun l => f (true :: l)) + q * over_bits cs (fun l => f (false :: l))
  end.
Lemma over_bits_ext cs : forall f g, (forall l, length l = length cs -> f l = g l) -> over_bits cs f = over_bits cs g.
Proof.
  induction cs as [|[p q] cs IH]; intros f g H; cbn [over_bits]; [now apply H|].
  rewrite (IH (fun l => f (true :: l)) (fun l => g (true :: l))), (IH (fun l => f (false :: l)) (fun l => g (false :: l)));
    [reflexivity|intros l L; apply H; cbn; congruence|intros l L; apply H; cbn; congruence].
Qed.
Lemma over_bits_none cs : over_bits cs (fun _ => 0) = 0.
Proof. induction cs as [|[p q] cs IH]; cbn [over_bits]; [reflexivity|]. rewrite IH. lra. Qed.

Section Coordinates.
  Variables (d : nat -> dist R val) (c : nat -> R * R).
  (* Coordinates that show their item or nothing are bits. *)
  Theorem coordinates_are_bits xs : (forall x f, In x xs -> E (d x) f = fst (c x) * f (bit x true) + snd (c x) * f (bit x false)) ->
    forall f, E (rsequence (map d xs)) f = over_bits (map c xs) (fun bs => f (zipped xs bs)).
  Proof.
    intros H. induction xs as [|x xs IH]; intros f; cbn [map sequence over_bits].
    - now rewrite E_point.
    - rewrite E_bind, (H x) by now left. rewrite !E_push. destruct (c x) as [p q]. cbn [over_bits fst snd].
      now rewrite !IH by (intros y g I; apply H; now right).
  Qed.
  Lemma outcomes_are_bits xs : (forall x p o, In x xs -> In (p, o) (d x) -> o = bit x true \/ o = bit x false) ->
    forall p l, In (p, l) (rsequence (map d xs)) -> exists bs, length bs = length xs /\ l = zipped xs bs.
  Proof.
    intros H. induction xs as [|x xs IH]; intros p l I; cbn [map sequence] in I.
    - exists []. split; [reflexivity|]. destruct I as [I|[]]. now injection I as _ <-.
    - unfold bind in I. apply in_flat_map in I as ([p1 o] & I & J). cbn [fst snd] in J. unfold scale, push in J.
      rewrite map_map in J. apply in_map_iff in J as ([p2 l'] & J & G). cbn [fst snd] in J. injection J as _ <-.
      destruct (IH (fun y q o' Y => H y q o' (or_intror Y)) p2 l' G) as (bs & L & ->).
      destruct (H x p1 o (or_introl eq_refl) I) as [-> | ->]; [exists (true :: bs)|exists (false :: bs)]; (split; [cbn; congruence|reflexivity]).
  Qed.
End Coordinates.

(* Bits are alike where they agree at all items that matter. *)
Section Alike.
  Variable matters : nat -> bool.
  Fixpoint alike (xs : list nat) (bs0 bs : list bool) : bool :=
    match xs, bs0, bs with
    | [], [], [] => true
    | x :: xs, b :: bs0, a :: bs => (negb (matters x) || Bool.eqb a b) && alike xs bs0 bs
    | _, _, _ => false
    end.
  Definition factor (c : nat -> R * R) (x : nat) (b : bool) : R :=
    if matters x then (if b then fst (c x) else snd (c x)) else fst (c x) + snd (c x).
  Fixpoint factors (c : nat -> R * R) (xs : list nat) (bs : list bool) : R :=
    match xs, bs with x :: xs, b :: bs => factor c x b * factors c xs bs | _, _ => 1 end.
  Theorem chance_of_bits c xs : forall bs0, length bs0 = length xs ->
    over_bits (map c xs) (fun bs => if alike xs bs0 bs then 1 else 0) = factors c xs bs0.
  Proof.
    induction xs as [|x xs IH]; intros [|b bs0] L; try discriminate; cbn [map over_bits factors alike]; [reflexivity|].
    injection L as L. specialize (IH bs0 L). unfold factor. destruct (c x) as [p q]. cbn [over_bits alike fst snd].
    destruct (matters x); cbn [negb orb andb].
    - destruct b; cbn [Bool.eqb andb]; rewrite over_bits_none, IH; lra.
    - rewrite IH. lra.
  Qed.
  (* Where every factor is at most its multiple, and where every one is equal to it. *)
  Variables (c c' : nat -> R * R) (m : nat -> R).
  Definition multiple (xs : list nat) : R := fold_right (fun x p => m x * p) 1 xs.
  Theorem factors_bounded xs : forall bs, length bs = length xs ->
    (forall x b, In (x, b) (combine xs bs) -> 0 <= factor c x b /\ 0 <= m x /\ 0 <= factor c' x b /\ factor c x b <= m x * factor c' x b) ->
    0 <= factors c xs bs /\ 0 <= factors c' xs bs /\ factors c xs bs <= multiple xs * factors c' xs bs.
  Proof.
    induction xs as [|x xs IH]; intros [|b bs] L H; try discriminate; cbn [factors multiple fold_right]; [lra|].
    injection L as L. destruct (IH bs L (fun y a I => H y a (or_intror I))) as (P & P' & B).
    destruct (H x b (or_introl eq_refl)) as (Q & M & Q' & C). fold (multiple xs). repeat split; try (apply Rmult_le_pos; assumption).
    apply Rle_trans with (m x * factor c' x b * (multiple xs * factors c' xs bs)); [now apply Rmult_le_compat|lra].
  Qed.
  Theorem factors_reached xs : forall bs, length bs = length xs ->
    (forall x b, In (x, b) (combine xs bs) -> m x <> 0 /\ factor c' x b <> 0 /\ factor c x b = m x * factor c' x b) ->
    factors c xs bs = multiple xs * factors c' xs bs /\ factors c xs bs <> 0.
  Proof.
    induction xs as [|x xs IH]; intros [|b bs] L H; try discriminate; cbn [factors multiple fold_right]; [split; lra|].
    injection L as L. destruct (IH bs L (fun y a I => H y a (or_intror I))) as (B & P).
    destruct (H x b (or_introl eq_refl)) as (M & Q & C). fold (multiple xs). split; [rewrite B, C; lra|].
    apply Rmult_integral_contrapositive. split; [|exact P]. rewrite C. apply Rmult_integral_contrapositive. now split.
  Qed.
End Alike.

(* Two bits, of which the second one does not matter. *)
Example a_marginal_chance :
  factors (fun x => (x =? 0)%nat) (fun _ => (1 / 3, 2 / 3)) [0%nat; 1%nat] [true; true] = 1 / 3.
Proof. cbn. lra. Qed.
Example not_of_both_bits :
  factors (fun x => (x =? 0)%nat) (fun _ => (1 / 3, 2 / 3)) [0%nat; 1%nat] [true; true] <> 1 / 9.
Proof. cbn. lra. Qed.
