(* The loss of independent Laplace noise, also of discrete noise: densities are proportional to e^(-|x - value| / scale), and
   the logarithm of the largest ratio of two of them is the sum of the distances of the values, each divided by its scale. *)
From Coq Require Import Reals List Lra.
Import ListNotations.
Open Scope R_scope.

(* Queries: their values in two data sets, and the scales of their noise. *)
Record query := Query { value : R; other : R; scale : R }.
Definition loss (qs : list query) : R := fold_right (fun q total => Rabs (value q - other q) / scale q + total) 0 qs.
(* The logarithm of the ratio of the densities of answers. *)
Definition log_ratio (answers : list (query * R)) : R :=
  fold_right (fun a total => (Rabs (snd a - other (fst a)) - Rabs (snd a - value (fst a))) / scale (fst a) + total) 0 answers.

(* No answers have a larger one. *)
Theorem loss_bounds qs : Forall (fun q => 0 < scale q) qs -> forall xs, length xs = length qs -> log_ratio (combine qs xs) <= loss qs.
Proof.
  induction 1 as [|q qs P _ IH]; intros [|x xs] L; try discriminate; cbn [combine log_ratio loss fold_right fst snd]; [lra|].
  injection L as L. specialize (IH xs L). unfold log_ratio, loss in *.
  assert (Rabs (x - other q) - Rabs (x - value q) <= Rabs (value q - other q)).
  { pose proof (Rabs_triang (x - value q) (value q - other q)) as T.
    replace (x - value q + (value q - other q)) with (x - other q) in T by lra. lra. }
  assert ((Rabs (x - other q) - Rabs (x - value q)) / scale q <= Rabs (value q - other q) / scale q); [|lra].
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|assumption].
Qed.
(* The answers that are the values themselves have it. *)
Theorem loss_is_reached qs : log_ratio (combine qs (map value qs)) = loss qs.
Proof.
  induction qs as [|q qs IH]; [reflexivity|]. cbn [map combine log_ratio loss fold_right fst snd]. unfold log_ratio, loss in IH. rewrite IH.
  replace (value q - value q) with 0 by lra. now rewrite Rabs_R0, Rminus_0_r.
Qed.
