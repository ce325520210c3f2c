(* Hash functions, of the card blanket: a report is a function, drawn from a family without the data and published, and
   randomized response on h labels of what it maps the value to. Users hide each other as with the labels themselves. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions meaning.Laws theorems.Expectations theorems.Ratios theorems.Shuffles
  theorems.Binomials theorems.Convexity theorems.Halves theorems.Blanket theorems.Exchanges theorems.Messages.
Import ListNotations.
Open Scope R_scope.

Section Family.
  (* Function number i maps x to F i x, one of h labels; it is drawn with the chance that the list has at i. *)
  Variables (h : nat) (F : nat -> nat -> nat).
  Hypotheses (labels : (2 <= h)%nat) (maps : forall i x, (F i x < h)%nat).

  Fixpoint published (of : nat -> dist R nat) (i : nat) (chances : list R) : dist R nat :=
    match chances with
    | [] => []
    | v :: rest => scale over_R v (push over_R (fun y => i * h + y)%nat (of i)) ++ published of (S i) rest
    end.
  Definition hashed (chances : list R) (q : R) (x : nat) : dist R nat := published (fun i => response h q (F i x)) 0 chances.
  Definition hashed_uniform (chances : list R) : dist R nat := published (fun _ => uniform h) 0 chances.
  Definition are_chances (chances : list R) : Prop := Forall (Rle 0) chances /\ fold_right Rplus 0 chances = 1.

  Lemma E_published_S of i v rest f : E (published of i (v :: rest)) f
    = v * E (of i) (fun y => f (i * h + y)%nat) + E (published of (S i) rest) f.
  Proof. cbn [published]. now rewrite E_app, E_scale, E_push. Qed.
  Lemma published_is_law of chances : are_chances chances -> (forall i, is_law (of i)) -> is_law (published of 0 chances).
  Proof.
    intros [P T] L. generalize 0%nat as i. split.
    - clear T. revert i. induction P as [|v rest V _ IH]; intros i; [constructor|]. cbn [published]. apply Forall_app. split.
      + unfold scale, push. apply Forall_map, Forall_map. generalize (proj1 (L i)). apply Forall_impl. intros [p y] Y. cbn in *.
        now apply Rmult_le_pos.
      + apply IH.
    - transitivity (fold_right Rplus 0 chances); [|exact T]. clear - L. revert i. induction chances as [|v rest IH]; intros i; [reflexivity|].
      rewrite E_published_S, IH, (proj2 (L i)). cbn [fold_right]. lra.
  Qed.
  Lemma uniform_ext f g : (forall y, (y < h)%nat -> f y = g y) -> E (uniform h) f = E (uniform h) g.
  Proof.
    intros H. unfold uniform. rewrite !(E_listed _ (fun _ => / INR h)).
    assert (B : Forall (fun y => (y < h)%nat) (seq 0 h)) by (apply Forall_forall; intros y Y; apply in_seq in Y; lia).
    induction B as [|y m Y _ IH]; [reflexivity|]. cbn [fold_right]. now rewrite IH, H.
  Qed.
  Lemma code_function i y : (y < h)%nat -> ((i * h + y) / h = i)%nat.
  Proof. intros Y. rewrite PeanoNat.Nat.div_add_l, PeanoNat.Nat.div_small; lia. Qed.
  Lemma code_label i y : (y < h)%nat -> ((i * h + y) mod h = y)%nat.
  Proof.
    intros Y. rewrite PeanoNat.Nat.add_comm, PeanoNat.Nat.mod_add, PeanoNat.Nat.mod_small; lia.
  Qed.

  Lemma hashed_has_blanket chances q x : are_chances chances -> INR h * q <= 1 ->
    blanket (INR h * q) (hashed_uniform chances) (hashed chances q x).
  Proof.
    intros C Q. set (rest := published (fun i => point over_R (F i x)) 0 chances).
    assert (L : is_law rest) by (apply published_is_law; [exact C|intros i; apply law_point]).
    exists (scale over_R (1 - INR h * q) rest). split; [|split].
    - unfold nonnegative, scale. apply Forall_map. generalize (proj1 L). apply Forall_impl. intros [p y] P. cbn in *.
      apply Rmult_le_pos; lra.
    - rewrite E_scale, (proj2 L). lra.
    - intros f. rewrite E_scale. unfold hashed, hashed_uniform, rest. generalize 0%nat as i. clear rest L C. revert f.
      induction chances as [|v vs IH]; intros f i; [simpl; lra|].
      rewrite !E_published_S, IH, E_point, E_response by apply maps. lra.
  Qed.
  (* How much more likely a message is as a report for x than as one that is uniform. *)
  Definition hashed_likely (p q : R) (x z : nat) : R := likely h p q (F (z / h) x) (z mod h).
  Lemma hashed_is_likely chances q x :
    times_as_likely (hashed_likely (1 - (INR h - 1) * q) q x) (hashed_uniform chances) (hashed chances q x).
  Proof.
    unfold hashed, hashed_uniform, times_as_likely. generalize 0%nat as i. induction chances as [|v rest IH]; intros i f; [reflexivity|].
    rewrite !E_published_S, IH. f_equal. f_equal.
    rewrite (response_is_likely h q (F i x) ltac:(lia)). apply uniform_ext. intros y Y.
    unfold hashed_likely. now rewrite code_function, code_label.
  Qed.

  Lemma E_uniform_but_one x f g : (x < h)%nat -> E (uniform h) (fun y => if (y =? x)%nat then f else g) = g + (f - g) / INR h.
  Proof.
    intros X. assert (N : INR h <> 0) by (apply not_0_INR; lia). unfold uniform. rewrite (E_listed _ (fun _ => / INR h)).
    transitivity (fold_right (fun y total => (if (y =? x)%nat then f / INR h else g / INR h) * 1 + total) 0 (seq 0 h)).
    - induction (seq 0 h) as [|y m IH]; [reflexivity|]. cbn [fold_right]. rewrite IH. f_equal. destruct (y =? x)%nat; field; exact N.
    - rewrite (fold_but_one x (f / INR h) (g / INR h) (fun _ => 1)), is_below by auto using seq_NoDup.
      assert (G : forall m, fold_right (fun (_ : nat) total => g / INR h * 1 + total) 0 m = INR (length m) * (g / INR h)).
      { induction m as [|y m IH]; [simpl; lra|]. cbn [fold_right length]. rewrite IH, S_INR. lra. }
      rewrite G, seq_length. field. exact N.
  Qed.
  (* Where both values have one label, the gains are less far apart than where they have two. *)
  Lemma gains_of_one_label p q a x f : convex f -> q <= p -> 0 <= a -> (x < h)%nat ->
    E (uniform h) (fun y => f (likely h p q x y - a * likely h p q x y)) <= E (response_gains h p q a) f.
  Proof.
    intros C P A X. assert (N : 0 < INR h) by (apply lt_0_INR; lia).
    rewrite (E_ext (uniform h) _ (fun y => if (y =? x)%nat then f (INR h * ((1 - a) * p)) else f (INR h * ((1 - a) * q)))).
    2:{ intros y. unfold likely. destruct (y =? x)%nat; f_equal; lra. }
    rewrite E_uniform_but_one by exact X. unfold response_gains, gains. cbn [E].
    assert (M : forall u v, u <= v -> INR h * u <= INR h * v) by (intros; apply Rmult_le_compat_l; lra).
    assert (Q : a * q <= a * p) by (apply Rmult_le_compat_l; lra).
    pose proof (spread_of_two f (INR h * (p - a * q)) (INR h * (q - a * p)) (INR h * ((1 - a) * p)) (INR h * ((1 - a) * q)) 1 1 C) as S2.
    assert (B : f (INR h * ((1 - a) * p)) + f (INR h * ((1 - a) * q)) <= f (INR h * (p - a * q)) + f (INR h * (q - a * p))).
    { rewrite <- (Rmult_1_l (f (INR h * ((1 - a) * p)))), <- (Rmult_1_l (f (INR h * ((1 - a) * q)))).
      apply S2; try lra; split; apply M; lra. }
    apply (Rmult_le_compat_l (/ INR h)) in B; [|left; now apply Rinv_0_lt_compat]. unfold Rdiv. lra.
  Qed.
  Theorem gains_of_hashes chances p q a x x' : are_chances chances -> q <= p -> 0 <= a ->
    apart (gains_of (hashed_uniform chances) (hashed_likely p q x) (hashed_likely p q x') a) (response_gains h p q a).
  Proof.
    intros [V T] P A f C. unfold gains_of, hashed_uniform. rewrite E_push.
    rewrite <- (Rmult_1_l (E (response_gains h p q a) f)), <- T. clear T. generalize 0%nat as i.
    induction V as [|v rest V _ IH]; intros i; [simpl; lra|]. rewrite E_published_S. cbn [fold_right]. specialize (IH (S i)).
    assert (B : E (uniform h) (fun y => f (hashed_likely p q x (i * h + y) - a * hashed_likely p q x' (i * h + y)))
      <= E (response_gains h p q a) f).
    { rewrite (uniform_ext _ (fun y => f (likely h p q (F i x) y - a * likely h p q (F i x') y)))
        by (intros y Y; unfold hashed_likely; now rewrite code_function, code_label).
      destruct (PeanoNat.Nat.eq_dec (F i x) (F i x')) as [Q|Q].
      - rewrite <- Q. now apply gains_of_one_label.
      - rewrite <- (gains_of_labels h p q a (F i x) (F i x') f (maps i x) (maps i x') Q). unfold gains_of. rewrite E_push. apply Rle_refl. }
    apply (Rmult_le_compat_l v) in B; [|exact V]. lra.
  Qed.

  Lemma bound_of_labels chances q a x x' extra others : are_chances chances -> 0 <= q -> INR h * q <= 1 -> 0 <= a ->
    divergence a (E (binomial_law (INR h * q) (length others))
        (fun b => expected_gain (response_gains h (1 - (INR h - 1) * q) q a) (S (extra + b))))
      (shuffled (map (hashed chances q) (x :: others) ++ repeat (hashed_uniform chances) extra))
      (shuffled (map (hashed chances q) (x' :: others) ++ repeat (hashed_uniform chances) extra)).
  Proof.
    intros V Q C A. assert (N : 2 <= INR h) by (apply (le_INR 2); exact labels).
    assert (L : 0 <= INR h * q <= 1) by (split; [apply Rmult_le_pos; lra|exact C]).
    assert (U : is_law (hashed_uniform chances)) by (apply published_is_law; [exact V|intros; apply uniform_is_law; lia]).
    apply delta_weaken with (t := E (binomial_law (INR h * q) (length others)) (fun b => expected_gain
      (gains_of (hashed_uniform chances) (hashed_likely (1 - (INR h - 1) * q) q x) (hashed_likely (1 - (INR h - 1) * q) q x') a)
      (S (extra + b)))).
    - apply E_binomial_le; [exact L|]. intros b _. apply gain_apart.
      + unfold gains_of, push. apply Forall_map. exact (proj1 U).
      + assert (0 < / INR h) by (apply Rinv_0_lt_compat; lra).
        assert (/ INR h <= / 2) by (apply Rinv_le_contravar; lra). unfold response_gains, gains, nonnegative. repeat (apply Forall_cons; [simpl; lra|]). apply Forall_nil.
      + apply gains_of_hashes; [exact V|lra|exact A].
    - rewrite <- (map_length (hashed chances q) others). apply among_others; auto using hashed_is_likely.
      apply Forall_map, Forall_forall. intros y _. now apply hashed_has_blanket.
  Qed.
End Family.

(* The bound for h labels holds, whatever the family and the values. *)
Theorem hashed_bound h F chances q a x x' extra others : (2 <= h)%nat -> (forall i x, (F i x < h)%nat) -> are_chances chances ->
  0 <= q -> INR h * q <= 1 -> 0 <= a ->
  divergence a (E (binomial_law (INR h * q) (length others))
      (fun b => expected_gain (response_gains h (1 - (INR h - 1) * q) q a) (S (extra + b))))
    (shuffled (map (hashed h F chances q) (x :: others) ++ repeat (hashed_uniform h chances) extra))
    (shuffled (map (hashed h F chances q) (x' :: others) ++ repeat (hashed_uniform h chances) extra)).
Proof. intros H M. now apply bound_of_labels. Qed.

(* The identity alone, on two labels: the reports show which function it was, and the label. *)
Example of_the_identity : gains_of (hashed_uniform 2 [1]) (hashed_likely 2 (fun _ x => Nat.min x 1) 1 0 0) (hashed_likely 2 (fun _ x => Nat.min x 1) 1 0 1) 1
  = [(1 * / 2, 2); (1 * / 2, -2)].
Proof.
  unfold gains_of, hashed_uniform, uniform, hashed_likely, likely, push, scale. cbn. repeat (f_equal; try lra).
Qed.
