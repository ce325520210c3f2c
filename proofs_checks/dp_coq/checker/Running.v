(* A law run over the rationals is the law over the reals. *)
From Coq Require Import Reals QArith Qreals List Lra ZArith Bool.
From DP Require Import meaning.Numbers meaning.Expressions meaning.Distributions meaning.Laws checker.Agreement.
Import ListNotations.
Open Scope R_scope.

Definition to_R {O} (d : dist Q O) : dist R O := map (fun x => (Q2R (fst x), snd x)) d.
Section Morphism.
  Variables (env : positive -> Q) (fam : positive -> list (Q * (nat -> nat))).
  Notation envR := (fun x => Q2R (env x)).
  Notation famR := (fun f => map (fun h => (Q2R (fst h), snd h)) (fam f)).
  Lemma to_R_scale O p (d : dist Q O) : to_R (scale over_Q p d) = scale over_R (Q2R p) (to_R d).
  Proof.
    unfold to_R, scale; rewrite !map_map; apply map_ext; intros [q o].
    cbn [fst snd mul over_Q over_R]. now rewrite Q2R_red, Q2R_mult.
  Qed.
  Lemma to_R_push A B (f : A -> B) (d : dist Q A) : to_R (push over_Q f d) = push over_R f (to_R d).
  Proof. unfold to_R, push; now rewrite !map_map. Qed.
  Lemma to_R_point O (o : O) : to_R (point over_Q o) = point over_R o.
  Proof. reflexivity. Qed.
  Lemma to_R_app O (d e : dist Q O) : to_R (d ++ e) = to_R d ++ to_R e.
  Proof. apply map_app. Qed.
  Lemma to_R_bind A B (d : dist Q A) (k : A -> dist Q B) (k' : A -> dist R B) :
    (forall a, to_R (k a) = k' a) -> to_R (bind over_Q d k) = bind over_R (to_R d) k'.
  Proof.
    intros H; induction d as [|[q a] d IH]; [reflexivity|].
    change (to_R (scale over_Q q (k a) ++ bind over_Q d k) = scale over_R (Q2R q) (k' a) ++ bind over_R (to_R d) k').
    now rewrite to_R_app, IH, to_R_scale, H.
  Qed.
  Lemma to_R_sequence O (ds : list (dist Q O)) (es : list (dist R O)) :
    map to_R ds = es -> to_R (sequence over_Q ds) = sequence over_R es.
  Proof.
    intros <-; induction ds as [|d ds IH]; cbn [sequence map]; [apply to_R_point|].
    apply to_R_bind; intros a. rewrite to_R_push; now rewrite IH.
  Qed.
  Lemma eval_world K e : Q2R (eval over_Q (world over_Q env K) e) = eval over_R (world over_R envR K) e.
  Proof. rewrite eval_agrees. apply (eval_ext over_R). intros [x|x|]; reflexivity. Qed.
  Lemma to_R_cells K r k x : to_R (cells over_Q env K r k x) = cells over_R envR K r k x.
  Proof.
    unfold cells; induction (cells_of r k) as [|[c e] l IH]; [reflexivity|]. cbn [flat_map].
    rewrite to_R_app, IH; refine (f_equal2 (@app (R * val)) _ eq_refl). unfold to_R; rewrite map_map; apply map_ext; intros y.
    cbn [fst snd]. now rewrite eval_world.
  Qed.
  Lemma to_R_chosen (l : list (Q * (nat -> nat))) :
    to_R (chosen over_Q l) = chosen over_R (map (fun h => (Q2R (fst h), snd h)) l).
  Proof.
    unfold chosen, to_R; rewrite map_map, map_length. generalize 0%nat. induction l as [|[q h] l IH]; intros n; cbn; [reflexivity|].
    f_equal. apply IH.
  Qed.
  (* The same term has the same law: what is computed is what is meant. *)
  Theorem law_agrees K M t : forall s, to_R (law over_Q env fam K M t s) = law over_R envR famR K M t s.
  Proof.
    revert K M; induction t as [r|t IH|r|t IH|a IHa b IHb|n t IH|f b t IH|p t IH|f t IH]; intros K M s; cbn [law].
    - destruct s as [|x [|]]; try reflexivity. apply to_R_cells.
    - rewrite to_R_push; f_equal. apply to_R_sequence. rewrite map_map; apply map_ext; intros x; apply IH.
    - rewrite to_R_push; f_equal. apply to_R_sequence. rewrite map_map; apply map_ext; intros x; apply to_R_cells.
    - rewrite (to_R_bind _ _ _ _ (fun x => law over_R envR famR K M t [x])) by (intros; apply IH). f_equal.
      unfold to_R; rewrite map_map; apply map_ext; intros x.
      cbn [fst snd div integer of_Q over_Q over_R]. now rewrite Q2R_red, Q2R_quotient.
    - (rewrite (to_R_bind _ _ _ _ (fun y => push over_R (fun z => Tup [y; z]) (law over_R envR famR K M b s)))
        by (intros; rewrite to_R_push; now rewrite IHb)); now rewrite IHa.
    - rewrite to_R_push; f_equal. apply to_R_sequence. rewrite <- (IH K M s), <- eval_world. cbn [floor over_Q over_R].
      rewrite Q2R_floor. clear. induction (Z.to_nat _) as [|m I]; cbn [repeat map]; [reflexivity|]. now rewrite I.
    - destruct s as [|x [|]]; try reflexivity.
      rewrite (to_R_bind _ _ _ _ (fun h => push over_R (fun y => Tup [Choice (fst h); y]) (law over_R envR famR b 0 t [snd h x])))
        by (intros; rewrite to_R_push; now rewrite IH). now rewrite to_R_chosen.
    - rewrite to_R_app. refine (f_equal2 (@app (R * val)) _ _).
      + change (to_R (scale over_Q (eval over_Q (world over_Q env K) p) (push over_Q (fun y => Tup [y]) (law over_Q env fam K M t s)))
          = scale over_R (eval over_R (world over_R envR K) p) (push over_R (fun y => Tup [y]) (law over_R envR famR K M t s))).
        now rewrite to_R_scale, to_R_push, IH, eval_world.
      + change (to_R (scale over_Q (sub over_Q (integer over_Q 1) (eval over_Q (world over_Q env K) p)) (point over_Q (Tup [])))
          = scale over_R (sub over_R (integer over_R 1) (eval over_R (world over_R envR K) p)) (point over_R (Tup []))).
        rewrite to_R_scale, to_R_point. f_equal. cbn [sub integer of_Q over_Q over_R]. now rewrite Q2R_red, Q2R_minus, eval_world.
    - now rewrite to_R_push, IH.
  Qed.
End Morphism.
