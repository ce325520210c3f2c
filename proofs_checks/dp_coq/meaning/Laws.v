(* Laws as terms, and their meaning: a finite distribution over outcomes, for numbers of any kind. *)
From Coq Require Import Reals QArith List ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions.
Import ListNotations.

(* The kind of an input: sensitive, not sensitive, every; for bits of sets also whether the item is held. The class of an
   output: the input itself, another sensitive item, any of them, a bit. *)
Inductive kind := Sen | Non | Every | Sen1 | Sen0 | Non1 | Non0.
Inductive class := Own | Other | Any | Bit0 | Bit1.
Definition rows := list (kind * list (class * expr)).
Inductive fn := Multiset | AsSet | Sorted | Blanked.
Inductive term :=
| Row (r : rows) | EachHeld (t : term) | EachItems (r : rows) | Drawn (t : term) | Pair (a b : term)
| Copies (c : expr) (t : term) | Mix (f : positive) (labels : nat) (t : term) | Thinned (p : expr) (t : term)
| Push (f : fn) (t : term).
(* A bit that is 1 shows its item, one that is 0 nothing, Tup []; Choice says which function has been published. *)
Inductive val := Item (n : nat) | Tup (l : list val) | Choice (i : nat).

Definition kind_eqb (a b : kind) : bool :=
  match a, b with
  | Sen, Sen | Non, Non | Every, Every | Sen1, Sen1 | Sen0, Sen0 | Non1, Non1 | Non0, Non0 => true | _, _ => false
  end.
Fixpoint cells_of (r : rows) (k : kind) : list (class * expr) :=
  match r with
  | [] => []
  | (j, l) :: r => if kind_eqb j k || kind_eqb j Every then l else cells_of r k
  end.
Definition labels_of (K : nat) (c : class) (x : nat) : list val :=
  match c with
  | Own | Bit1 => [Item x] | Other => map Item (filter (fun z => negb (z =? x)%nat) (seq 0 K))
  | Any => map Item (seq 0 K) | Bit0 => [Tup []]
  end.

Fixpoint insert (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: l => if (x <=? y)%nat then x :: y :: l else y :: insert x l end.
Definition isort (l : list nat) : list nat := fold_right insert [] l.
Fixpoint flat (v : val) : list nat := match v with Item n => [n] | Tup l => flat_map flat l | Choice _ => [] end.
Definition items (l : list nat) : val := Tup (map Item l).
Fixpoint blank (K : nat) (v : val) : val :=
  match v with Item n => if (n <? K)%nat then v else Tup [] | Tup l => Tup (map (blank K) l) | Choice _ => v end.
(* What is seen: of sensitive items, the multiset, the set, or every slot (blank for other items); beside it the others. *)
Definition apply (f : fn) (K : nat) (v : val) : val :=
  let shown := isort (filter (fun z => (z <? K)%nat) (flat v)) in
  let kept := isort (filter (fun z => (K <=? z)%nat) (flat v)) in
  match f with
  | Multiset => Tup [items shown; items kept]
  | AsSet => Tup [items (nodup Nat.eq_dec shown); items (nodup Nat.eq_dec kept)]
  | Sorted => items (isort (flat v))
  | Blanked => Tup [blank K v; items kept]
  end.

Section Meaning.
  Variable N : number.
  (* Families of functions: by name, weights and images. Name 1 is the number K of (sensitive) items of a world. *)
  Definition families := positive -> list (N * (nat -> nat)).
  Definition world (env : positive -> N) (K : nat) (x : positive) : N :=
    match x with 1%positive => integer N (Z.of_nat K) | _ => env x end.

  Definition cells (env : positive -> N) (K : nat) (r : rows) (k : kind) (x : nat) : dist N val :=
    flat_map (fun c => map (fun y => (eval N (world env K) (snd c), y)) (labels_of K (fst c) x)) (cells_of r k).
  Definition is_held (x : nat) (s : list nat) : bool := existsb (Nat.eqb x) s.
  Definition bit_kind (K x : nat) (held : bool) : kind :=
    if (x <? K)%nat then (if held then Sen1 else Sen0) else (if held then Non1 else Non0).

  (* Which function it is, is published: its place in the list. *)
  Definition chosen (l : list (N * (nat -> nat))) : dist N (nat * (nat -> nat)) :=
    map (fun ih => (fst (snd ih), (fst ih, snd (snd ih)))) (combine (seq 0 (length l)) l).

  Variables (env : positive -> N) (fam : families).
  (* K sensitive and M other items; s: what the user holds. *)
  Fixpoint law (K M : nat) (t : term) (s : list nat) : dist N val :=
    match t with
    | Row r => match s with [x] => cells env K r (if (x <? K)%nat then Sen else Non) x | _ => [] end
    | EachHeld t => push N Tup (sequence N (map (fun x => law K M t [x]) s))
    | EachItems r =>
        push N Tup (sequence N (map (fun x => cells env K r (bit_kind K x (is_held x s)) x) (seq 0 (K + M))))
    | Drawn t => bind N (map (fun x => (div N (integer N 1) (integer N (Z.of_nat (length s))), x)) s) (fun x => law K M t [x])
    | Pair a b => bind N (law K M a s) (fun y => push N (fun z => Tup [y; z]) (law K M b s))
    | Copies c t => push N Tup (sequence N (repeat (law K M t s) (Z.to_nat (floor N (eval N (world env K) c)))))
    | Mix f labels t =>
        match s with
        | [x] => bind N (chosen (fam f)) (fun h => push N (fun y => Tup [Choice (fst h); y]) (law labels 0 t [snd h x]))
        | _ => []
        end
    | Thinned p t =>
        scale N (eval N (world env K) p) (push N (fun y => Tup [y]) (law K M t s))
        ++ scale N (sub N (integer N 1) (eval N (world env K) p)) (point N (Tup []))
    | Push f t => push N (apply f K) (law K M t s)
    end.
End Meaning.

(* Randomized response on K items, with w : 1 for the truth: name 2 is w. *)
Definition response : term :=
  let total := Sub (Add (Var 2) (Var 1)) (Cst 1) in
  Row [(Sen, [(Own, Div (Var 2) total); (Other, Div (Cst 1) total)])].
Example response_of_three : law over_Q (fun _ => 2%Q) (fun _ => []) 3 0 response [1%nat]
  = [((1 # 2)%Q, Item 1); ((1 # 4)%Q, Item 0); ((1 # 4)%Q, Item 2)].
Proof. reflexivity. Qed.
(* A row of one item says nothing of a user who holds two. *)
Example response_of_two_items : law over_Q (fun _ => 2%Q) (fun _ => []) 3 0 response [0%nat; 1%nat] = [].
Proof. reflexivity. Qed.
