(* The judgement "arithmetic": a sentence about numbers and lists of numbers, at all points of a domain. *)
From Coq Require Import Reals QArith List ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Domains.
Import ListNotations.

Inductive datum (A : Type) := Num (x : A) | Lst (l : list (datum A)) | Truth (b : bool).
Arguments Num {A}. Arguments Lst {A}. Arguments Truth {A}.

(* Of one datum: the list of it alone; all parts of a list; how long it is; of a truth: the opposite; 1 or 0; of a number
   > 0: its natural logarithm. *)
Inductive of_one := Only | Events | Size | Not | Indicator | Log.
(* Of two: arithmetic; the integers from one to below the other; lists of things, so many, in every order or in one; a
   place of a list; how often something occurs; comparisons. *)
Inductive of_two :=
| Plus | Minus | Times | Over | Raised | Choose | Smaller
| Between | Joined | Lists | Multisets | At | Count | AtMost | Equal | Among.
(* Of what a term is for every thing of a list. *)
Inductive of_all := Union | Total | Product | Listed | Those | All.
Inductive sentence :=
| Const (z : Z) | Name (x : positive) | One (o : of_one) (a : sentence) | Two (o : of_two) (a b : sentence)
| And (a b : sentence) | Each (o : of_all) (x : positive) (things each : sentence).
Definition Or (a b : sentence) : sentence := One Not (And (One Not a) (One Not b)).
Definition Exist (x : positive) (things each : sentence) : sentence := One Not (Each All x things (One Not each)).

Fixpoint traverse {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | x :: l => match f x, traverse f l with Some y, Some l => Some (y :: l) | _, _ => None end
  end.
(* So many of a list, in its order: none twice; in every order, as often as one likes; in its order, as often. *)
Fixpoint parts {A} (k : nat) (l : list A) : list (list A) :=
  match l, k with
  | _, O => [[]] | [], S _ => [] | x :: l, S j => map (cons x) (parts j l) ++ parts k l
  end.
Fixpoint sequences {A} (k : nat) (l : list A) : list (list A) :=
  match k with O => [[]] | S k => flat_map (fun x => map (cons x) (sequences k l)) l end.
Fixpoint multisets {A} (k : nat) (l : list A) : list (list A) :=
  match k with
  | O => [[]]
  | S k => (fix from l := match l with [] => [] | x :: rest => map (cons x) (multisets k l) ++ from rest end) l
  end.

Section Evaluation.
  Variables (N : number) (log : N -> option N).
  Notation datum := (datum N).
  Notation list_of_lists l := (Lst (map Lst l)).
  Definition same (x y : N) : bool := at_most N x y && at_most N y x.
  Fixpoint equal (a b : datum) : bool :=
    match a, b with
    | Num x, Num y => same x y
    | Truth p, Truth q => Bool.eqb p q
    | Lst l, Lst m =>
        (fix all l m := match l, m with [], [] => true | x :: l, y :: m => equal x y && all l m | _, _ => false end) l m
    | _, _ => false
    end.
  Definition occurrences (x : datum) (l : list datum) : nat := length (filter (equal x) l).
  Fixpoint distinct (seen l : list datum) : list datum :=
    match l with [] => [] | x :: l => if existsb (equal x) seen then distinct seen l else x :: distinct (x :: seen) l end.
  Definition count (n : nat) : datum := Num (integer N (Z.of_nat n)).
  Definition natural (x : N) : option nat :=
    let z := floor N x in if same (integer N z) x && (0 <=? z)%Z then Some (Z.to_nat z) else None.
  Definition number_of (d : datum) : option N := match d with Num x => Some x | _ => None end.
  Definition list_of (d : datum) : option (list datum) := match d with Lst l => Some l | _ => None end.
  Definition truth_of (d : datum) : option bool := match d with Truth b => Some b | _ => None end.

  Definition one (o : of_one) (a : datum) : option datum :=
    match o, a with
    | Only, _ => Some (Lst [a])
    | Events, Lst l => Some (list_of_lists (flat_map (fun k => parts k l) (seq 0 (S (length l)))))
    | Size, Lst l => Some (count (length l))
    | Not, Truth b => Some (Truth (negb b))
    | Indicator, Truth b => Some (count (if b then 1 else 0))
    | Log, Num x => option_map Num (log x)
    | _, _ => None
    end.
  Definition two (o : of_two) (a b : datum) : option datum :=
    match o, a, b with
    | Plus, Num x, Num y => Some (Num (add N x y))
    | Minus, Num x, Num y => Some (Num (sub N x y))
    | Times, Num x, Num y => Some (Num (mul N x y))
    | Over, Num x, Num y => if same y (integer N 0) then None else Some (Num (div N x y))
    | Raised, Num x, Num y => option_map (fun n => Num (power N x (Z.of_nat n))) (natural y)
    | Choose, Num x, Num y =>
        match natural x, natural y with Some _, Some k => Some (Num (binomial N x k)) | _, _ => None end
    | Smaller, Num x, Num y => Some (Num (least N x y))
    | Between, Num x, Num y =>
        match natural x, natural y with Some m, Some n => Some (Lst (map count (seq m (n - m)))) | _, _ => None end
    | Joined, Lst l, Lst m => Some (Lst (l ++ m))
    | Lists, Lst l, Num x => option_map (fun k => list_of_lists (sequences k l)) (natural x)
    | Multisets, Lst l, Num x => option_map (fun k => list_of_lists (multisets k l)) (natural x)
    | At, Lst l, Num x => match natural x with Some k => nth_error l k | None => None end
    | Count, Lst l, _ => Some (count (occurrences b l))
    | AtMost, Num x, Num y => Some (Truth (at_most N x y))
    | Equal, _, _ => Some (Truth (equal a b))
    | Among, _, Lst l => Some (Truth (existsb (equal a) l))
    | _, _, _ => None
    end.
  (* False where one is false, whether the other has a value or not. *)
  Definition both (a : option datum) (b : unit -> option datum) : option datum :=
    match a with
    | Some (Truth false) => a
    | _ => match a, b tt with
           | _, Some (Truth false) => Some (Truth false)
           | Some (Truth true), Some (Truth true) => Some (Truth true)
           | _, _ => None
           end
    end.
  Fixpoint all_true (each : datum -> option datum) (l : list datum) : option datum :=
    match l with [] => Some (Truth true) | x :: l => both (each x) (fun _ => all_true each l) end.
  Definition gathered {B} (read : datum -> option B) (each : datum -> option datum) (l : list datum) : option (list B) :=
    traverse (fun x => match each x with Some d => read d | None => None end) l.
  Definition all_of (o : of_all) (each : datum -> option datum) (l : list datum) : option datum :=
    match o with
    | Union => option_map (fun ls => Lst (distinct [] (concat ls))) (gathered list_of each l)
    | Total => option_map (fun xs => Num (fold_right (add N) (integer N 0) xs)) (gathered number_of each l)
    | Product => option_map (fun xs => Num (fold_right (mul N) (integer N 1) xs)) (gathered number_of each l)
    | Listed => option_map Lst (gathered Some each l)
    | Those => option_map (fun bs => Lst (map fst (filter snd (combine l bs)))) (gathered truth_of each l)
    | All => all_true each l
    end.
  (* What a sentence says of the data that its names stand for; nothing where it is not defined. *)
  Fixpoint says (env : positive -> datum) (s : sentence) : option datum :=
    match s with
    | Const z => Some (Num (integer N z))
    | Name x => Some (env x)
    | One o a => match says env a with Some a => one o a | None => None end
    | Two o a b => match says env a, says env b with Some a, Some b => two o a b | _, _ => None end
    | And a b => both (says env a) (fun _ => says env b)
    | Each o x things each =>
        match says env things with Some (Lst l) => all_of o (fun d => says (put env x d) each) l | _ => None end
    end.
End Evaluation.

(* A logarithm: there is just one, the natural one. *)
Definition is_logarithm (log : R -> R) : Prop :=
  (forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y)%R /\ forall x, (0 < x -> log x <= x - 1)%R.
Definition said (env : positive -> datum R) (s : sentence) (b : bool) : Prop :=
  forall log, is_logarithm log -> says over_R (fun x => if Rlt_dec 0 x then Some (log x) else None) env s = Some (Truth b).
Record arithmetic := Arithmetic { among : domain; sentence_of : sentence }.
Definition arithmetic_holds (a : arithmetic) : Prop :=
  (exists w, inside (among a) w) /\ forall w, inside (among a) w -> said (fun x => Num (w x)) (sentence_of a) true.
Definition arithmetic_fails (a : arithmetic) : Prop :=
  exists w, inside (among a) w /\ said (fun x => Num (w x)) (sentence_of a) false.
