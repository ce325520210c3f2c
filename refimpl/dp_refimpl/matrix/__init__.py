"""Matrix mechanisms: a strategy is measured with independent noise, and a workload is restored from it (source 001)."""
