(* What the definitions of `meaning/Tables.v` say of small cases. *)
From Coq Require Import QArith List ZArith.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Laws meaning.Sentences meaning.Tables.
Import ListNotations.

(* One held item is reported, by chance: of no items nothing is, of both either. *)
Example four_rows : let row s y p := Lst [Lst (map Num s); Num y; Num p] in
  table over_Q (fun _ => 0%Q) 1 1 (Drawn (Row [(Every, [(Own, Cst 1)])]))
  = Lst [row [0] 0 1; row [1] 1 1; row [0; 1] 0 (1 # 2); row [0; 1] 1 (1 # 2)]%Q.
Proof. reflexivity. Qed.
Example not_only_one : table over_Q (fun _ => 0%Q) 1 1 (Drawn (Row [(Every, [(Own, Cst 1)])])) <> Lst [].
Proof. discriminate. Qed.
