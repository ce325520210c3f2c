(* The smallest constant of one drawn item: what is checked of two weights, and that the constant bounds all ratios and is reached. *)
From Coq Require Import Reals QArith List Lra Lia ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Distributions meaning.Laws meaning.Sentences meaning.Tables.
From DP Require Import checker.Agreement checker.Values checker.Steps checker.Powers checker.Sums checker.Quantifiers checker.Readings checker.Comparisons
  checker.Users checker.Places checker.Vectors checker.Factors checker.Ratios checker.Smallest checker.Drawn checker.Weights theorems.Expectations.
Import ListNotations.
Open Scope R_scope.

Section Check.
  Variables (d : domain) (T : positive) (p : derived) (high low : expr) (single : bool).
  Notation q := (about p).
  (* How many items a report can show that are lost: one, or all that are sensitive. *)
  Definition shows_lost (v : vector expr) : expr := if single then Cst 1 else ls v.
  Definition of_first (v : vector expr) : expr := Add (Mul (least q) low) (Mul (shows_lost v) (Sub high low)).
  Definition of_other : expr := Mul (limit q) (Mul (least q) low).
  Definition at_extreme (v : vector expr) : list Formulas.relation := [(Le, Cst 1, ls v); (Le, of_other, of_first v)].
  Definition weight_relations : list Formulas.relation :=
    [(Le, Cst 1, least q); (Lt, Cst 0, low); (Le, low, high); (Le, Cst 1, limit q)] ++ map (fun a => (Le, Cst 0, a)) (exponents (limit q)).
  Definition extreme : bool :=
    (if expr_dec (least q) (most q) then true else false) && forallb (own d) [high; low; limit q]
    && plainly d weight_relations && check_relations (of_pairs d p) [(Le, of_first (variables d), of_other)] (adding p).

  Section Sound.
    Variables (w : positive -> R) (t0 : term).
    Hypotheses (here : inside d w) (ready : readable d T p = true) (checked : extreme = true).
    Notation K := (Z.to_nat (Int_part (w 1%positive))).
    Notation M := (Z.to_nat (Int_part (w 2%positive))).
    Notation m := (Z.to_nat (Int_part (w 3%positive))).
    Notation c := (relation q).
    Notation drawn := (law over_R w (fun _ => []) K M (Push Blanked (Drawn t0))).
    Notation law_of x := (law over_R w (fun _ => []) K M (Push Blanked t0) [x]).
    Notation a := (value w high).
    Notation b := (value w low).
    Notation L := (value w (limit q)).
    Notation item := (weighted w K M t0 q a b).
    Definition most_lost (s s' : list nat) : nat := if single then 1%nat else number (place_of K s s') (seq 0 (K + M)) lost_sen.
    Hypothesis items : forall x p v, (x < K + M)%nat -> In (p, v) (law_of x) -> (nonempty q = true -> shows_item m v = true) ->
      (exists C Y, item v C Y /\ forall s s', In s (every (K + M)) -> In s' (every (K + M)) -> (shown_of Y (lost s s') <= most_lost s s')%nat)
      \/ (c <> Marginal /\ of_one_item w K M t0 q v).
    Hypothesis no_others_in_all : c = Ldp -> M = 0%nat.
    Lemma extreme_sound : least q = most q /\ (forall x, In x [high; low; limit q] -> own d x = true) /\ 1 <= value w (least q) /\ 0 < b /\ b <= a /\ 1 <= L
      /\ defined w (limit q) /\ Forall (fun x => 0 <= value w x) (exponents (limit q))
      /\ check_relations (of_pairs d p) [(Le, of_first (variables d), of_other)] (adding p) = true.
    Proof.
      unfold extreme in checked. apply andb_prop in checked as [H P]. apply andb_prop in H as [H W]. apply andb_prop in H as [E O].
      rewrite forallb_forall in O. apply (plainly_sound d w here) in W. unfold weight_relations in W. apply Forall_app in W as [W X].
      rewrite !Forall_cons_iff in W. destruct W as ((_ & _ & W1) & (_ & _ & W2) & (_ & _ & W3) & (_ & D & W4) & _). cbn [related] in *.
      rewrite value_Cst in W1, W2, W4. rewrite Forall_map in X. destruct (expr_dec (least q) (most q)) as [E'|]; [|discriminate].
      split; [exact E'|]. split; [exact O|]. split; [exact W1|]. split; [exact W2|]. split; [exact W3|]. split; [exact W4|]. split; [exact D|].
      split; [|exact P]. revert X. apply Forall_impl. intros x (_ & _ & G). cbn [related] in G. now rewrite value_Cst in G.
    Qed.
    Section Pair.
      Variables s s' : list nat.
      Hypothesis pair : compared_pair w K M q s s'.
      Lemma pair_size : INR (length s) = value w (least q) /\ INR (length s') = value w (least q).
      Proof.
        destruct extreme_sound as (E & _). destruct pair as (I & I' & _). apply (sizes_of_set w K M q) in I as [_ I], I' as [_ I']. rewrite <- E in I, I'. lra.
      Qed.
      Lemma pair_limit : INR (length s) * b + INR (most_lost s s') * (a - b) <= L * (INR (length s) * b).
      Proof.
        destruct extreme_sound as (_ & O & _ & _ & _ & _ & _ & _ & P). destruct (ready_sound d T p w here ready) as (_ & _ & _ & _ & _ & _ & _ & Ow & _).
        pose proof (check_relations_sound _ _ (pair_inside d T p w here ready s s' pair) _ _ P) as F. apply Forall_inv in F as (_ & _ & F).
        cbn [related] in F. unfold of_first, of_other in F.
        assert (V : forall w x y, value w (Add x y) = value w x + value w y) by reflexivity. assert (V' : forall w x y, value w (Mul x y) = value w x * value w y) by reflexivity.
        assert (V'' : forall w x y, value w (Sub x y) = value w x - value w y) by reflexivity. rewrite V, !V', V'' in F.
        pose proof (own_value d w s s') as N. 
        rewrite (N (least q) (Ow (least q) ltac:(cbn; tauto))), (N high (O high ltac:(cbn; tauto))), (N low (O low ltac:(cbn; tauto))), (N (limit q) (O (limit q) ltac:(cbn; tauto))) in F.
        rewrite (proj1 pair_size). unfold most_lost. unfold shows_lost in F. destruct single.
        - rewrite value_Cst in F. cbn [INR]. exact F.
        - destruct (variables_are d w s s') as (X & _). rewrite X in F. exact F.
      Qed.
      Theorem extreme_bounded v : subject w K M m (Push Blanked (Drawn t0)) q s s' v -> chance c (drawn s) (key c v) <= L * chance c (drawn s') (key c v).
      Proof.
        destruct extreme_sound as (E & _ & some & pos & above & large & _). intros ((z & _ & J) & N & A). pose proof pair as (I & I' & _).
        apply (sizes_of_set w K M q) in I as [S Z], I' as [S' Z']. destruct (outcome_drawn w K M t0 s z v J) as (x & X & z' & X').
        assert (Lx : (x < K + M)%nat) by (apply in_every in S; apply S, in_seq in X; lia).
        destruct pair_size as [Ls Ls'].
        destruct (items x z' v Lx X' N) as [(C & Y & W & D)|[notm O]].
        - apply (weighted_bounded w K M t0 q a b L above large v C Y (most_lost s s') s s' W S S'); [lra|lra|now apply D|exact pair_limit].
        - now apply (one_item_bounded w K M t0 q L large some s s' v).
      Qed.
      (* What the numbers of a case say of the sets that have them. *)
      Lemma extreme_numbers v n : has_values w v n -> number_vector (place_of K s s') (seq 0 (K + M)) = n -> Forall (true_at w) (at_extreme v) ->
        number (place_of K s s') (seq 0 (K + M)) lost_sen <> 0%nat
        /\ L * (value w (least q) * b) <= value w (least q) * b + INR (most_lost s s') * (a - b).
      Proof.
        intros (A & _) N F. pose proof (Forall_inv F) as (_ & _ & X). pose proof (Forall_inv (Forall_inv_tail F)) as (_ & _ & Y). cbn [related] in X, Y.
        rewrite value_Cst, A in X. unfold of_first, of_other in Y.
        assert (V : forall x y, value w (Add x y) = value w x + value w y) by reflexivity. assert (V' : forall x y, value w (Mul x y) = value w x * value w y) by reflexivity.
        assert (V'' : forall x y, value w (Sub x y) = value w x - value w y) by reflexivity. rewrite V, !V', V'' in Y.
        assert (Nl : number (place_of K s s') (seq 0 (K + M)) lost_sen = ls n) by now rewrite <- N. split.
        - rewrite Nl. intros Z. rewrite Z in X. cbn [INR] in X. lra.
        - unfold most_lost. rewrite Nl. unfold shows_lost in Y. destruct single; [rewrite value_Cst in Y; cbn [INR]; exact Y|]. rewrite A in Y. exact Y.
      Qed.
      (* A report that shows just what is lost reaches the limit, where the numbers of the sets do. *)
      Theorem extreme_reached v C Y : item v C Y -> 0 < C -> shown_of Y s' = 0%nat -> shown_of Y s = most_lost s s' ->
        L * (value w (least q) * b) <= value w (least q) * b + INR (most_lost s s') * (a - b) ->
        (forall v', key c v' = key c v -> (exists z, In (z, v') (drawn s)) -> counts_in c s s' v' = true /\ (nonempty q = true -> shows_item m v' = true)) ->
        exists v', subject w K M m (Push Blanked (Drawn t0)) q s s' v' /\ chance c (drawn s) (key c v') = L * chance c (drawn s') (key c v').
      Proof.
        destruct extreme_sound as (E & _ & some & pos & above & large & _). intros W C0 N N' H Q. pose proof pair as (I & I' & _).
        apply (sizes_of_set w K M q) in I as [S Z], I' as [S' Z']. destruct pair_size as [Ls Ls']. pose proof pair_limit as P. rewrite Ls in P.
        destruct (weighted_reached w K M t0 q a b L pos large v C Y s s' W C0 S S') as [G O]; try lra; [exact N|rewrite N', Ls; lra|].
        destruct (possible_report c (drawn s) (key c v) O) as (v' & z & Z0 & J & Ky). exists v'. destruct (Q v' Ky) as [A B]; [now exists z|].
        split; [|now rewrite Ky]. split; [now exists z|]. now split.
      Qed.
    End Pair.
  End Sound.
End Check.
