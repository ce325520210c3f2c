"""Source 003: Figures 4 to 6, synthetic tables of HMPrivBayes and its relatives."""
