"""The vectorized siblings of the programs: arrays of users, the same laws."""
