"""Matrix mechanisms: noisy answers to a strategy of linear queries, and what is restored from them."""
