(* The judgement "sentence": of the law of reports, as the list of rows [set, report, chance], for every set of items. *)
From Coq Require Import Reals QArith List ZArith.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains meaning.Distributions meaning.Laws meaning.Sentences.
Import ListNotations.

Section Rows.
  Variable N : number.
  Fixpoint shown (v : val) : datum N := match v with Item n | Choice n => count N n | Tup l => Lst (map shown l) end.
  Definition row (s : list nat) (x : N * val) : datum N := Lst [Lst (map (count N) s); shown (snd x); Num (fst x)].
  Definition table (env : positive -> N) (K M : nat) (t : term) : datum N :=
    let every := seq 0 (K + M) in
    Lst (flat_map (fun s => map (row s) (law N env (fun _ => []) K M t s)) (flat_map (fun k => parts k every) (seq 0 (S (K + M))))).
End Rows.
(* Names 1 and 2 are K and N; `rows_of` is the name of the table. *)
Record law_sentence := LawSentence { sizes_of : domain; term_of : term; rows_of : positive; what : sentence }.
Definition data_of (t : law_sentence) (w : positive -> R) : positive -> datum R :=
  let size x := Z.to_nat (Int_part (w x)) in
  put (fun x => Num (w x)) (rows_of t) (table over_R w (size 1%positive) (size 2%positive) (term_of t)).
Definition law_sentence_holds (t : law_sentence) : Prop :=
  (exists w, inside (sizes_of t) w) /\ forall w, inside (sizes_of t) w -> said (data_of t w) (what t) true.
Definition law_sentence_fails (t : law_sentence) : Prop := exists w, inside (sizes_of t) w /\ said (data_of t w) (what t) false.
