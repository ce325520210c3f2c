(* The checker: evidence for a statement, or against it, in; a verdict that is a theorem, out. *)
From Coq Require Import Reals List QArith Bool Lra.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds meaning.Sentences meaning.Moments meaning.Errors meaning.Statements
  checker.Values checker.Points checker.Constants checker.Steps checker.Powers checker.Sums
  checker.Sentences checker.DataSets checker.Estimates checker.Errors.
Import ListNotations.

(* For a statement: a point of its domain, and a step for every relation; the powers that get names of their own and the
   closed forms of sums; of a bound, the constants; of a moment, a data set. *)
Inductive evidence :=
| Derivation (at_ : list Q) (powers : list (expr * positive)) (forms : list form) (steps : list step)
| Constants (at_ : list Q) (constants : list expr) (steps : list step)
| Replaced (at_ : list Q) (shown : list (list expr * witness)) (powers : list (expr * positive)) (forms : list form) (steps : list step)
| Computed (data : witness) (powers : list (expr * positive)) (forms : list form) (steps : list step).
(* Against it: a point, and which relation fails there; or in which case the sentence is false there; or
   a data set. *)
Inductive counterexample :=
| Fails (at_ : list Q) (which : nat) | FalseIn (at_ : list Q) (case : list (datum Q)) | FailsFor (data : witness)
| FailsAt (at_ : list Q) (shown : list (list expr * witness)) (which : nat).

Definition check_constant (b : bound) (side : expr * expr) (c : expr) (s : step) : bool :=
  closed (fixed b) c && positive_e (ranges (about b)) c
  && shows (about b) Le (Sub (Mul c (snd side)) (fst side)) s.
Fixpoint check_constants (b : bound) (sides : list (expr * expr)) (cs : list expr) (steps : list step) : bool :=
  match sides, cs, steps with
  | [], [], [] => true
  | side :: sides, c :: cs, s :: steps => check_constant b side c s && check_constants b sides cs steps
  | _, _, _ => false
  end.
Definition check (s : statement) (e : evidence) : bool :=
  match s, e with
  | Formulas f, Derivation qs powers forms steps => inside_Q (over f) qs && check_sums (over f) powers forms (relations f) steps
  | Bounds b, Constants qs cs steps => inside_Q (about b) qs && check_constants b (sides b) cs steps
  | Moments s, Computed data powers forms steps => check_moment s data powers forms steps
  | Errors s, Replaced qs shown powers forms steps => check_errors s qs shown powers forms steps
  | _, _ => false
  end.
Definition refute (s : statement) (c : counterexample) : bool :=
  match s, c with
  | Formulas f, Fails qs k =>
      inside_Q (over f) qs && match nth_error (relations f) k with Some r => false_at_Q (point qs) r | None => false end
  | Sentences a, FalseIn qs case => inside_Q (among a) qs && false_in (data qs) (sentence_of a) case
  | Moments s, FailsFor data => refute_moment s data
  | Errors s, FailsAt qs shown k => refute_errors s qs shown k
  | _, _ => false
  end.

Lemma check_constants_sound b sides : forall cs steps, check_constants b sides cs steps = true ->
  Forall (fun s => bounded (about b) (fixed b) (fst s) (snd s)) sides.
Proof.
  induction sides as [|side sides IH]; intros [|c cs] [|s steps] H; try discriminate; constructor;
    apply andb_prop in H as [H K]; [|exact (IH _ _ K)].
  apply andb_prop in H as [H S]; apply andb_prop in H as [F P].
  exists (fun w => value w c). split.
  - intros w w' A. apply (closed_value c (fixed b)); [exact F|]. intros x I; apply A.
    apply existsb_exists in I as (y & I & E). apply Pos.eqb_eq in E; now subst.
  - intros w I. destruct (positive_e_sound _ w (proj1 I) _ P) as [Q _].
    destruct (shows_sound _ w I _ _ _ S) as [G D]. cbn [defined] in D. repeat split; try tauto.
    unfold signed, value in *; cbn [eval sub mul over_R] in G. lra.
Qed.
(* Whatever the checker accepts holds. *)
Theorem check_sound s e : check s e = true -> holds s.
Proof.
  destruct s as [f|b|a|s|s], e as [qs powers forms steps|qs cs steps|qs shown powers forms steps|data powers forms steps]; simpl; intros H;
    try discriminate; [| |exact (check_moment_sound _ _ _ _ _ H)|exact (check_errors_sound _ _ _ _ _ _ H)]; apply andb_prop in H as [I H]; split.
  - exists (fun x => Q2R (point qs x)). now apply inside_Q_sound.
  - intros w J. exact (check_sums_sound _ _ _ w _ _ J H).
  - exists (fun x => Q2R (point qs x)). now apply inside_Q_sound.
  - exact (check_constants_sound _ _ _ _ H).
Qed.
(* Whatever it refutes fails. *)
Theorem refute_sound s c : refute s c = true -> fails s.
Proof.
  destruct s as [f|b|a|s|s], c as [qs k|qs case|data|qs shown k]; simpl; intros H; try discriminate;
    [| |exact (refute_moment_sound _ _ H)|exact (refute_errors_sound _ _ _ _ H)]; apply andb_prop in H as [I H]; [|exact (arithmetic_refuted _ _ _ I H)].
  exists (fun x => Q2R (point qs x)). split; [now apply inside_Q_sound|].
  destruct (nth_error (relations f) k) as [r|] eqn:E; [|discriminate].
  apply Exists_exists; exists r; split; [now apply nth_error_In in E|now apply false_at_Q_sound].
Qed.
