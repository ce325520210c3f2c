"""Matrix mechanisms on arrays."""
