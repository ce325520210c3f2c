(* The checker: evidence for a statement, or against it, in; a verdict that is a theorem, out. *)
From Coq Require Import Reals List QArith Bool Lia.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds meaning.Sentences meaning.Implications
  meaning.Moments meaning.Errors meaning.Tables meaning.Exponentials meaning.Statements
  checker.Agreement checker.Points checker.Constants checker.Steps checker.Powers checker.Sums checker.Lemmas checker.Families checker.Trees
  checker.Sentences checker.Tables checker.DataSets checker.Estimates checker.Errors checker.RaisedPoints.
From DP Require checker.Smallest checker.Reached.
Import ListNotations.

(* For a statement: a point of its domain, and a step for every relation; the powers that get names of their own, the closed
   forms of sums, lemmas, sums over trees; of a bound, the constants; of a moment, a data set; with powers of e, all of these; of a ratio, its factors
   and who reaches it. *)
Record hints := Hints { powers : list (expr * positive); forms : list form; lemmas : list lemma; trees : list tree_sum }.
Inductive evidence :=
| Derivation (at_ : list Q) (h : hints) (steps : list step)
| Constants (at_ : list Q) (h : hints) (constants : list expr) (steps : list step)
| Replaced (at_ : list Q) (shown : list (list expr * witness)) (powers : list (expr * positive)) (forms : list form) (steps : list step)
| Computed (data : witness) (powers : list (expr * positive)) (forms : list form) (steps : list step)
| Spelled (at_ : list Q) (shown : list (list expr * witness)) (constants : list expr) (powers : list (expr * positive)) (forms : list form)
    (steps : list step)
| Compared (ratio : Smallest.ratio_proof).
(* Against it: a point, and which relation fails there; or in which case the sentence is false there; or data; of a bound, a
   family of points along which no constant will do, and a number; or a data set. *)
Inductive counterexample :=
| Fails (at_ : list Q) (which : nat) | FalseIn (at_ : list Q) (case : list (datum Q)) | FalseOf (data : list (datum Q))
| Unbounded (at_ : list Q) (which : nat) (family : list expr) (constant : expr) (h : hints) (s : step)
| FailsFor (data : witness) | FailsAt (at_ : list Q) (shown : list (list expr * witness)) (which : nat).

Definition shown (d : domain) (h : hints) : list relation -> list step -> bool := check_trees d (trees h) (powers h) (forms h) (lemmas h).
Definition has_point (b : bound) (qs : list Q) : bool := inside_Q (about b) qs && may_grow (about b) (grows b).
Definition bounding (c : expr * (expr * expr)) : list relation := [(Lt, Cst 0, fst c); (Le, fst (snd c), Mul (fst c) (snd (snd c)))].
Definition check_constants (b : bound) (h : hints) (cs : list expr) (steps : list step) : bool :=
  (length cs =? length (sides b))%nat && forallb (closed (fixed b)) cs
  && shown (about b) h (flat_map bounding (combine cs (sides b))) (flat_map (fun s => [plain; s]) steps).
Definition check (s : statement) (e : evidence) : bool :=
  match s, e with
  | Formulas f, Derivation qs h steps => inside_Q (over f) qs && shown (over f) h (relations f) steps
  | Bounds b, Constants qs h cs steps => has_point b qs && check_constants b h cs steps
  | Moments s, Computed data powers forms steps => check_moment s data powers forms steps
  | Errors s, Replaced qs shown powers forms steps => check_errors s qs shown powers forms steps
  | PowersOfE s, Spelled qs shown cs powers forms steps => check_exponentials s qs shown cs powers forms steps
  | Tables t, Compared x => Reached.check_ratio t x
  | _, _ => false
  end.
Definition refute (s : statement) (c : counterexample) : bool :=
  match s, c with
  | Formulas f, Fails qs k =>
      inside_Q (over f) qs && match nth_error (relations f) k with Some r => false_at_Q (point qs) r | None => false end
  | Sentences a, FalseIn qs case => inside_Q (among a) qs && false_in (env_of (data qs)) (sentence_of a) case
  | Moments s, FailsFor data => refute_moment s data
  | Errors s, FailsAt qs shown k => refute_errors s qs shown k
  | Bounds b, Unbounded qs k family c h s =>
      has_point b qs
      && match nth_error (sides b) k with
         | Some (l, r) => check_family (about b) family c l r (fixed b) (powers h) (lemmas h) s
         | None => false
         end
  | Tables t, FalseIn qs case => law_sentence_false_in t qs case
  | Implications i, FalseOf data => refutes i data
  | _, _ => false
  end.

Lemma has_point_sound b qs : has_point b qs = true -> free (about b) (grows b).
Proof.
  intros H. apply andb_prop in H as [I G]. exists (fun x => Q2R (point qs x)). now apply may_grow_sound, inside_Q_sound.
Qed.
Lemma check_constants_sound b h cs steps : check_constants b h cs steps = true ->
  Forall (fun s => bounded (about b) (fixed b) (fst s) (snd s)) (sides b).
Proof.
  unfold check_constants; intros H. apply andb_prop in H as [H S]; apply andb_prop in H as [L F]. apply Nat.eqb_eq in L.
  rewrite forallb_forall in F. apply Forall_forall. intros side I. apply In_nth with (d := side) in I as (n & N & E).
  set (c := nth n cs (Cst 1)). assert (M : In (c, side) (combine cs (sides b))).
  { rewrite <- E. unfold c. rewrite <- combine_nth by exact L. apply nth_In. rewrite combine_length. lia. }
  exists (fun w => value w c). split.
  - intros w w' A. apply (closed_value c (fixed b)); [apply F, nth_In; lia|]. intros x J; apply A.
    apply existsb_exists in J as (y & J & Y). apply Pos.eqb_eq in Y; now subst.
  - intros w J. pose proof (check_trees_sound _ _ _ _ _ _ _ w J S) as R. rewrite Forall_flat_map, Forall_forall in R. specialize (R _ M).
    pose proof (Forall_inv R) as (_ & _ & P). apply Forall_inv_tail, Forall_inv in R as (D & (_ & D') & G). cbn [fst snd related] in *.
    unfold value in P at 1; cbn [eval integer of_Q over_R] in P. rewrite Q2R_integer in P. auto.
Qed.
(* Whatever the checker accepts holds. *)
Theorem check_sound s e : check s e = true -> holds s.
Proof.
  destruct s as [f|b|a|i|s|s|t|s], e as [qs h steps|qs h cs steps|qs shown powers forms steps|data powers forms steps|qs shown cs powers forms steps|x];
    cbn [check holds]; intros H; try discriminate; [| |exact (check_moment_sound _ _ _ _ _ H)|exact (check_errors_sound _ _ _ _ _ _ H)|exact (Reached.check_ratio_sound _ _ H)|exact (check_exponentials_sound _ _ _ _ _ _ _ H)];
    apply andb_prop in H as [I H]; split.
  - exists (fun x => Q2R (point qs x)). now apply inside_Q_sound.
  - intros w J. exact (check_trees_sound _ _ _ _ _ _ _ w J H).
  - exact (has_point_sound _ _ I).
  - exact (check_constants_sound _ _ _ _ H).
Qed.
(* Whatever it refutes fails. *)
Theorem refute_sound s c : refute s c = true -> fails s.
Proof.
  destruct s as [f|b|a|i|s|s|t|s], c as [qs k|qs case|ds|qs k family c h st|data|qs shown k]; cbn [refute fails]; intros H; try discriminate.
  - apply andb_prop in H as [I H]. exists (fun x => Q2R (point qs x)). split; [now apply inside_Q_sound|].
    destruct (nth_error (relations f) k) as [r|] eqn:E; [|discriminate].
    apply Exists_exists; exists r; split; [now apply nth_error_In in E|now apply false_at_Q_sound].
  - apply andb_prop in H as [I H]. split; [exact (has_point_sound _ _ I)|].
    destruct (nth_error (sides b) k) as [[l r]|] eqn:E; [|discriminate].
    apply Exists_exists; exists (l, r); split; [now apply nth_error_In in E|exact (no_bound _ _ _ _ _ _ _ _ _ H)].
  - apply andb_prop in H as [I H]. exact (arithmetic_refuted _ _ _ I H).
  - exact (implication_refuted _ _ H).
  - exact (refute_moment_sound _ _ H).
  - exact (refute_errors_sound _ _ _ _ H).
  - exact (law_sentence_refuted _ _ _ H).
Qed.
