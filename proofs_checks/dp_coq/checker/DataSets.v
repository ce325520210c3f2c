(* Data sets that are written down: so many users for every set. *)
From Coq Require Import Reals QArith Qreals Qround List Lra Lia ZArith NArith Nnat Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Moments.
From DP Require Import checker.Agreement checker.Values checker.Points.
Import ListNotations.
Open Scope R_scope.

(* Values of the names of a law, how many users hold which set, and an item. *)
Record witness := Witness { values : list Q; holders : list (N * list N); item : N }.
Definition sets (W : witness) : list (N * list nat) := map (fun g => (fst g, map N.to_nat (snd g))) (holders W).
Definition users_of (W : witness) : list (list nat) := flat_map (fun g => repeat (snd g) (N.to_nat (fst g))) (sets W).
Definition size_Q (qs : list Q) (x : positive) : nat := Z.to_nat (Qfloor (point qs x)).
(* All items of a list are larger than a number, and each larger than the one before. *)
Fixpoint rising (least : nat) (l : list nat) : bool := match l with [] => true | y :: l => (least <=? y)%nat && rising (S y) l end.
Definition sum_of (W : witness) (f : list nat -> nat) : N := fold_right (fun g sum => (fst g * N.of_nat (f (snd g)) + sum)%N) 0%N (sets W).
Definition natural_Q (n : N) : Q := inject_Z (Z.of_N n).
Definition share_Q (W : witness) (x : positive) (f : list nat -> nat) : bool :=
  Qeq_bool (Qmult (point (values W) x) (natural_Q (sum_of W (fun _ => 1%nat)))) (natural_Q (sum_of W f)).
Definition is_data_set (d : domain) (W : witness) : bool :=
  let qs := values W in
  let K := size_Q qs 1 in let many := (K + size_Q qs 2)%nat in let m := size_Q qs 3 in let n := sum_of W (fun _ => 1%nat) in
  inside_Q d qs && forallb (fun g => rising 0 (snd g) && (length (snd g) =? m)%nat && forallb (fun y => (y <? many)%nat) (snd g)) (sets W)
  && (0 <? n)%N && Qeq_bool (point qs 4) (natural_Q n) && share_Q W 6 (above K).
Definition is_counted (sensitive : bool) (W : witness) : bool :=
  let K := size_Q (values W) 1 in let x := N.to_nat (item W) in
  (if sensitive then (x <? K)%nat else (K <=? x)%nat && (x <? K + size_Q (values W) 2)%nat) && share_Q W 5 (times x).

Notation real qs := (fun x => Q2R (point qs x)).
Lemma size_agrees qs x : size (real qs) x = size_Q qs x.
Proof. unfold size, size_Q. now rewrite Q2R_floor. Qed.
Lemma rising_sound l : forall least, rising least l = true -> NoDup l /\ forall y, In y l -> (least <= y)%nat.
Proof.
  induction l as [|x l IH]; intros least H; [split; [constructor|contradiction]|]. cbn [rising] in H.
  apply andb_prop in H as [L H]. apply Nat.leb_le in L. destruct (IH _ H) as [D A]. split.
  - constructor; [|exact D]. intros J. specialize (A x J). lia.
  - intros y [<-|J]; [exact L|]. specialize (A y J). lia.
Qed.
Lemma sum_users W f : list_sum (map f (users_of W)) = N.to_nat (sum_of W f).
Proof.
  unfold users_of, sum_of. induction (sets W) as [|[k s] l IH]; [reflexivity|]. cbn [flat_map fold_right fst snd].
  rewrite map_app, list_sum_app, IH, N2Nat.inj_add, N2Nat.inj_mul, Nat2N.id. f_equal. clear.
  induction (N.to_nat k) as [|j IH]; [reflexivity|]. cbn [repeat map]. change (list_sum (?a :: ?b)) with (a + list_sum b)%nat. rewrite IH. reflexivity.
Qed.
Lemma length_users W : length (users_of W) = N.to_nat (sum_of W (fun _ => 1%nat)).
Proof.
  rewrite <- sum_users. induction (users_of W) as [|s l IH]; [reflexivity|]. cbn [length map].
  change (list_sum (?a :: ?b)) with (a + list_sum b)%nat. rewrite IH. reflexivity.
Qed.
Lemma natural_R n : Q2R (natural_Q n) = INR (N.to_nat n).
Proof. unfold natural_Q. now rewrite Q2R_integer, INR_IZR_INZ, N_nat_Z. Qed.
Lemma share_sound W x f : (0 < sum_of W (fun _ => 1%nat))%N -> share_Q W x f = true -> Q2R (point (values W) x) = per_user f (users_of W).
Proof.
  intros P H. apply Qeq_bool_iff, Qeq_eqR in H. rewrite Q2R_mult, !natural_R in H. unfold per_user. rewrite sum_users, length_users, <- H.
  field. apply not_0_INR; lia.
Qed.
(* A data set that is written down is one. *)
Theorem data_set_sound d W : is_data_set d W = true ->
  inside d (real (values W)) /\ data_set (real (values W)) (users_of W) /\ (0 < sum_of W (fun _ => 1%nat))%N.
Proof.
  unfold is_data_set. intros H. apply andb_prop in H as [H G]; apply andb_prop in H as [H Nn]; apply andb_prop in H as [H P].
  apply andb_prop in H as [I S]. apply N.ltb_lt in P. split; [now apply inside_Q_sound|]. split; [|exact P]. split; [|split].
  - rewrite forallb_forall in S. apply Forall_forall. intros s J. unfold users_of in J. apply in_flat_map in J as (g & J & R).
    apply repeat_spec in R as ->. specialize (S g J). apply andb_prop in S as [S B]; apply andb_prop in S as [D L].
    rewrite !size_agrees. split; [exact (proj1 (rising_sound _ _ D))|]. split; [now apply Nat.eqb_eq|].
    rewrite forallb_forall in B. apply Forall_forall. intros y Y. now apply Nat.ltb_lt, B.
  - apply Qeq_bool_iff, Qeq_eqR in Nn. now rewrite Nn, natural_R, length_users.
  - rewrite size_agrees. now apply share_sound.
Qed.
Theorem counted_sound (M : mechanism) W : (0 < sum_of W (fun _ => 1%nat))%N -> is_counted (sensitive M) W = true ->
  In (N.to_nat (item W)) (counted M (real (values W)))
  /\ Q2R (point (values W) 5) = per_user (times (N.to_nat (item W))) (users_of W).
Proof.
  intros P H. unfold is_counted in H. apply andb_prop in H as [C S]. split; [|now apply share_sound].
  unfold counted. rewrite !size_agrees. destruct (sensitive M); apply in_seq; [apply Nat.ltb_lt in C; lia|].
  apply andb_prop in C as [L G]. apply Nat.leb_le in L; apply Nat.ltb_lt in G. lia.
Qed.
