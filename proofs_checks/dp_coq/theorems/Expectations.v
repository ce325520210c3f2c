(* What expectations do to the constructors of distributions, and what these do to the judgements. *)
From Coq Require Import Reals List Lra Lia.
From DP Require Import meaning.Numbers meaning.Distributions theorems.Ratios checker.Agreement.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Notation rscale := (scale over_R).
Notation rpoint := (point over_R).
Notation rpush := (push over_R).
Notation rbind := (bind over_R).
Notation rsequence := (sequence over_R).

Lemma one_R : integer over_R 1 = 1. Proof. exact (Q2R_integer 1). Qed.
Lemma E_app A (d e : dist R A) f : E (d ++ e) f = E d f + E e f.
Proof. induction d as [|[p o] d IH]; simpl; rewrite ?IH; lra. Qed.
Lemma E_scale A p (d : dist R A) f : E (rscale p d) f = p * E d f.
Proof. unfold scale; cbn [mul over_R]; induction d as [|[q o] d IH]; cbn [map E fst snd]; rewrite ?IH; lra. Qed.
Lemma E_push A B (h : A -> B) d k : E (rpush h d) k = E d (fun a => k (h a)).
Proof. unfold push; cbn [carrier over_R] in *; induction d as [|[q o] d IH]; cbn [map E fst snd]; rewrite ?IH; lra. Qed.
Lemma E_bind A B d (k : A -> dist R B) f : E (rbind d k) f = E d (fun a => E (k a) f).
Proof.
  unfold bind; cbn [carrier over_R] in *; induction d as [|[q o] d IH]; cbn [flat_map E fst snd]; [lra|].
  rewrite E_app, E_scale, IH; reflexivity.
Qed.
Lemma E_point A (o : A) f : E (rpoint o) f = f o.
Proof. unfold point; rewrite one_R; simpl; lra. Qed.
Lemma E_ext A (d : dist R A) f g : (forall o, f o = g o) -> E d f = E d g.
Proof. intros H; induction d as [|[p o] d IH]; simpl; rewrite ?IH, ?H; lra. Qed.
Lemma E_plus A (d : dist R A) f g : E d (fun o => f o + g o) = E d f + E d g.
Proof. induction d as [|[p o] d IH]; simpl; rewrite ?IH; lra. Qed.
Lemma E_scal A (d : dist R A) c f : E d (fun o => c * f o) = c * E d f.
Proof. induction d as [|[p o] d IH]; simpl; rewrite ?IH; lra. Qed.
Lemma E_zero A (d : dist R A) : E d (fun _ => 0) = 0.
Proof. induction d as [|[p o] d IH]; simpl; rewrite ?IH; lra. Qed.
Lemma E_const A (d : dist R A) c : E d (fun _ => 1) = 1 -> E d (fun _ => c) = c.
Proof.
  intros H; rewrite (@E_ext _ d (fun _ => c) (fun _ => c * 1)) by (intros; lra). rewrite E_scal, H; lra.
Qed.
Lemma E_le A (d : dist R A) f g :
  nonnegative d -> (forall o, f o <= g o) -> E d f <= E d g.
Proof.
  intros P H; induction P as [|[p o] d Hp P IH]; simpl in *; [lra|].
  specialize (H o); assert (p * f o <= p * g o) by (apply Rmult_le_compat_l; lra); lra.
Qed.
Lemma E_nonneg A (d : dist R A) f :
  nonnegative d -> (forall o, 0 <= f o) -> 0 <= E d f.
Proof. intros P H; rewrite <- (E_zero d); apply E_le; auto. Qed.
Lemma E_swap A B (d : dist R A) (e : dist R B) f : E d (fun a => E e (f a)) = E e (fun b => E d (fun a => f a b)).
Proof.
  induction d as [|[p o] d IH]; simpl; [now rewrite E_zero|].
  now rewrite IH, <- E_scal, <- E_plus.
Qed.

(* Constructors make laws of laws. *)
Lemma law_point A (o : A) : is_law (rpoint o).
Proof. unfold point; rewrite one_R. split; [repeat constructor; simpl; lra|simpl; lra]. Qed.
Lemma law_push A B (h : A -> B) d : is_law d -> is_law (rpush h d).
Proof.
  intros [P T]; split; [|now rewrite E_push].
  unfold push, nonnegative; rewrite Forall_map; simpl; auto.
Qed.
Lemma law_bind A B d (k : A -> dist R B) : is_law d -> (forall a, is_law (k a)) -> is_law (rbind d k).
Proof.
  intros [P T] H; split.
  - unfold bind, nonnegative; rewrite Forall_flat_map. revert P; apply Forall_impl; intros [p a] Hp; simpl in *.
    unfold scale; rewrite Forall_map; simpl. generalize (proj1 (H a)); apply Forall_impl.
    intros [q b] Hq; simpl in *; now apply Rmult_le_pos.
  - rewrite E_bind, (@E_ext _ d _ (fun _ => 1)); [exact T|]. intros a; exact (proj2 (H a)).
Qed.


Lemma ratio_prob O c (d e : dist R O) S : ratio c d e -> prob d S <= c * prob e S.
Proof. intros H; apply H; intros o; destruct (S o); lra. Qed.
Lemma attained_least O c b (d e : dist R O) : attained c d e -> ratio b d e -> c <= b.
Proof.
  intros (S & pos & eq) H; generalize (ratio_prob S H); rewrite eq; intros L.
  apply Rmult_le_reg_r with (prob e S); lra.
Qed.
Lemma ratio_refl O (d : dist R O) : ratio 1 d d.
Proof. intros f _; lra. Qed.
Lemma ratio_weaken O b c (d e : dist R O) : nonnegative e -> b <= c -> ratio b d e -> ratio c d e.
Proof.
  intros P L H f pos; specialize (H f pos). assert (0 <= E e f) by now apply E_nonneg.
  assert (b * E e f <= c * E e f) by now apply Rmult_le_compat_r. lra.
Qed.
(* Post-processing. *)
Lemma ratio_push A B c (h : A -> B) d e : ratio c d e -> ratio c (rpush h d) (rpush h e).
Proof. intros H f pos; rewrite !E_push; now apply H. Qed.
(* Sequence, side by side, product: constants multiply. *)
Lemma ratio_bind A B b c (d e : dist R A) (k l : A -> dist R B) :
  nonnegative d -> (forall a, nonnegative (l a)) -> 0 <= c ->
  ratio b d e -> (forall a, ratio c (k a) (l a)) -> ratio (b * c) (rbind d k) (rbind e l).
Proof.
  intros Pd Pl Pc H K f pos; rewrite !E_bind.
  assert (E d (fun a => E (k a) f) <= c * E d (fun a => E (l a) f)).
  { rewrite <- E_scal; apply E_le; auto. intros a; now apply K. }
  assert (E d (fun a => E (l a) f) <= b * E e (fun a => E (l a) f)).
  { apply H; intros a; apply E_nonneg; auto. }
  assert (c * E d (fun a => E (l a) f) <= c * (b * E e (fun a => E (l a) f))) by now apply Rmult_le_compat_l.
  lra.
Qed.
(* Mixture: a choice made without the data. *)
Lemma ratio_mix A B c (d : dist R A) (k l : A -> dist R B) :
  nonnegative d -> (forall a, ratio c (k a) (l a)) -> ratio c (rbind d k) (rbind d l).
Proof.
  intros Pd K f pos; rewrite !E_bind, <- E_scal; apply E_le; auto. intros a; now apply K.
Qed.


Lemma delta_push A B a t (h : A -> B) d e : divergence a t d e -> divergence a t (rpush h d) (rpush h e).
Proof. intros H f pos; rewrite !E_push; now apply H. Qed.
Lemma delta_mix A B a (t : A -> R) (d : dist R A) (k l : A -> dist R B) :
  nonnegative d -> (forall o, divergence a (t o) (k o) (l o)) ->
  divergence a (E d t) (rbind d k) (rbind d l).
Proof.
  intros Pd K f pos; rewrite !E_bind, <- E_scal, <- E_plus. apply E_le; auto. intros o; now apply K.
Qed.
Lemma delta_weaken O a t u (d e : dist R O) : t <= u -> divergence a t d e -> divergence a u d e.
Proof. intros L H f pos. specialize (H f pos). lra. Qed.
Lemma delta_of_ratio O a (d e : dist R O) : ratio a d e -> divergence a 0 d e.
Proof. intros H f pos; rewrite Rplus_0_r; apply H; intros o; apply pos. Qed.
(* Both judgements see a law only through expectations. *)
Lemma delta_same O a t (d e d' e' : dist R O) :
  (forall f, E d f = E d' f) -> (forall f, E e f = E e' f) -> divergence a t d' e' -> divergence a t d e.
Proof. intros H K D f pos; rewrite H, K; now apply D. Qed.
