(* What is shown to be >= 0 before the relations are, by a step or by induction on an integer: it is added to what a domain
   states. *)
From Coq Require Import Reals List Lia Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas
  checker.Agreement checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums.
Import ListNotations.
Open Scope R_scope.

Inductive lemma :=
| Shown (t : expr) (s : step)
| Inducted (t : expr) (x : positive) (factor : expr) (first next : step).
Definition stated_by (l : lemma) : expr := match l with Shown t _ | Inducted t _ _ _ _ => t end.
Definition with_constraint (d : domain) (t : expr) : domain := Domain (ranges d) (constraints d ++ [t]).
Definition without (x : positive) (d : domain) : domain :=
  Domain (ranges d) (filter (closed (filter (fun y => negb (y =? x)%positive) (own_names d))) (constraints d)).

Section Checker.
  Variables (table : list (expr * positive)) (forms : list form).
  (* By induction: t >= 0 at the first value of x, and t at x + 1 is at least `factor` > 0 times t at x. What is stated of x
     itself is not used. *)
  Definition check_lemma (d : domain) (l : lemma) : bool :=
    match l with
    | Shown t s => check_sums d table forms [(Le, Cst 0, t)] [s]
    | Inducted t x factor first next =>
        match range_at (ranges d) x with
        | From low strict true =>
            let start := if strict then (low + 1)%Z else low in
            simple t
            && check_powers (without x d) table [(Le, Cst 0, substituted x (Cst start) t)] [first]
            && check_powers (without x d) table
                 [(Lt, Cst 0, factor); (Le, Mul factor t, substituted x (Add (Var x) (Cst 1)) t)] [plain; next]
        | _ => false
        end
    end.
  Fixpoint with_lemmas (d : domain) (ls : list lemma) : option domain :=
    match ls with
    | [] => Some d
    | l :: ls => if check_lemma d l then with_lemmas (with_constraint d (stated_by l)) ls else None
    end.

  Lemma with_constraint_inside d t w : inside d w -> 0 <= value w t -> defined w t -> inside (with_constraint d t) w.
  Proof. intros [W C] G D. split; [exact W|]. cbn [constraints with_constraint]. apply Forall_app; auto. Qed.
  Lemma without_inside d x low strict z w : range_at (ranges d) x = From low strict true ->
    (if strict then low < z else low <= z)%Z -> inside d w -> inside (without x d) (put w x (IZR z)).
  Proof.
    intros R L [W C]. split.
    - intros y. cbn [ranges without]. unfold put. destruct (Pos.eqb_spec y x) as [->|]; [|apply W].
      rewrite R. split; [|intros _; now exists z]. destruct strict; [now apply IZR_lt|now apply IZR_le].
    - cbn [constraints without]. rewrite Forall_forall in *. intros c I. apply filter_In in I as [I K]. destruct (C c I) as [D G].
      assert (A : forall y, existsb (Pos.eqb y) (filter (fun y => negb (y =? x)%positive) (own_names d)) = true -> w y = put w x (IZR z) y).
      { intros y J. apply existsb_exists in J as (u & J & E). apply Pos.eqb_eq in E as <-. apply filter_In in J as [_ J].
        unfold put. destruct (y =? x)%positive; [discriminate|reflexivity]. }
      split; [exact (closed_defined _ _ _ _ K A D)|]. now rewrite <- (closed_value _ _ _ _ K A).
  Qed.
  Lemma check_lemma_sound d l w : inside d w -> check_lemma d l = true -> 0 <= value w (stated_by l) /\ defined w (stated_by l).
  Proof.
    intros here H. destruct l as [t s|t x factor first next]; cbn [check_lemma stated_by] in *.
    - apply (check_sums_sound _ _ _ w) in H; [|exact here]. apply Forall_inv in H as (_ & D & G). cbn [related] in G.
      unfold value in G at 1; cbn [eval integer of_Q over_R] in G. rewrite Q2R_integer in G. auto.
    - destruct (range_at (ranges d) x) as [low strict [|]|] eqn:R; try discriminate. cbv zeta in H.
      set (start := if strict then (low + 1)%Z else low) in *.
      apply andb_prop in H as [H N]. apply andb_prop in H as [S F].
      assert (Start : forall k, (0 <= k)%Z -> inside (without x d) (put w x (IZR (start + k)))).
      { intros k K. apply without_inside with low strict; auto. unfold start; destruct strict; lia. }
      assert (Again : forall a b y, put (put w x a) x b y = put w x b y).
      { intros a b y. unfold put. destruct (y =? x)%positive; reflexivity. }
      assert (Same : forall a b e, value (put (put w x a) x b) e = value (put w x b) e
        /\ (defined (put (put w x a) x b) e -> defined (put w x b) e)).
      { intros a b e. split; [apply (eval_ext over_R), Again|apply defined_ext, Again]. }
      assert (All : forall k : nat, 0 <= value (put w x (IZR (start + Z.of_nat k))) t /\ defined (put w x (IZR (start + Z.of_nat k))) t).
      { induction k as [|k IH].
        - apply (check_powers_sound _ _ _ _ _ (Start 0%Z ltac:(lia))) in F. apply Forall_inv in F as (_ & D & G).
          cbn [related] in G. unfold value in G at 1; cbn [eval integer of_Q over_R] in G. rewrite Q2R_integer in G.
          destruct (substituted_sound x (Cst start) (put w x (IZR (start + 0))) t S I) as [V E].
          rewrite V in G. apply E in D. replace (value _ (Cst start)) with (IZR start) in * by (symmetry; apply Q2R_integer).
          replace (start + Z.of_nat 0)%Z with start by (simpl; lia). destruct (Same (IZR (start + 0)) (IZR start) t) as [V' D'].
          rewrite V' in G. auto.
        - destruct IH as [G D]. apply (check_powers_sound _ _ _ _ _ (Start (Z.of_nat k) ltac:(lia))) in N.
          set (here_k := put w x (IZR (start + Z.of_nat k))) in *.
          pose proof (Forall_inv N) as (_ & _ & P). apply Forall_inv_tail, Forall_inv in N as (_ & DN & GN). cbn [related] in P, GN.
          unfold value in P at 1; cbn [eval integer of_Q over_R] in P. rewrite Q2R_integer in P.
          unfold value in GN at 1; cbn [eval mul over_R] in GN. fold (value here_k factor) (value here_k t) in GN.
          destruct (substituted_sound x (Add (Var x) (Cst 1)) here_k t S (conj I I)) as [V E]. rewrite V in GN. apply E in DN.
          replace (value here_k (Add (Var x) (Cst 1))) with (IZR (start + Z.of_nat (Datatypes.S k))) in *.
          + destruct (Same (IZR (start + Z.of_nat k)) (IZR (start + Z.of_nat (Datatypes.S k))) t) as [V' D'].
            unfold here_k in GN at 3. rewrite V' in GN. split; [|now apply D'].
            assert (0 <= value here_k factor * value here_k t) by (apply Rmult_le_pos; lra). lra.
          + unfold value; cbn [eval add integer of_Q over_R]. rewrite Q2R_integer. unfold here_k, put. rewrite Pos.eqb_refl.
            rewrite <- plus_IZR. f_equal. lia. }
      destruct here as [W _]. specialize (W x). rewrite R in W. destruct W as [L Z]. destruct (Z eq_refl) as (z & Ez).
      assert (K : (0 <= z - start)%Z).
      { unfold start. rewrite Ez in L. destruct strict; [apply lt_IZR in L|apply le_IZR in L]; lia. }
      destruct (All (Z.to_nat (z - start))) as [G D]. rewrite Z2Nat.id in G, D by exact K.
      replace (start + (z - start))%Z with z in G, D by lia.
      assert (Own : forall y, put w x (IZR z) y = w y).
      { intros y. unfold put. destruct (Pos.eqb_spec y x) as [->|]; auto. }
      split; [|revert D; apply defined_ext, Own]. unfold value in *. now rewrite <- (eval_ext over_R _ _ _ Own).
  Qed.
  (* A point of a domain is one of the domain with lemmas. *)
  Theorem with_lemmas_sound ls : forall d d' w, inside d w -> with_lemmas d ls = Some d' -> inside d' w.
  Proof.
    induction ls as [|l ls IH]; intros d d' w here H; cbn [with_lemmas] in H; [congruence|].
    destruct (check_lemma d l) eqn:E; [|discriminate]. destruct (check_lemma_sound _ _ _ here E) as [G D].
    exact (IH _ _ _ (with_constraint_inside _ _ _ here G D) H).
  Qed.
End Checker.
(* Relations are shown in the domain with lemmas. *)
Definition check_all (d : domain) (table : list (expr * positive)) (forms : list form) (ls : list lemma) (rels : list relation)
  (steps : list step) : bool :=
  match with_lemmas table forms d ls with Some d => check_sums d table forms rels steps | None => false end.
Theorem check_all_sound d table forms ls rels steps w :
  inside d w -> check_all d table forms ls rels steps = true -> Forall (true_at w) rels.
Proof.
  unfold check_all; destruct (with_lemmas table forms d ls) as [d'|] eqn:E; [|discriminate]. intros here H.
  exact (check_sums_sound _ _ _ w _ _ (with_lemmas_sound _ _ _ _ _ _ here E) H).
Qed.
