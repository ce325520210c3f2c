"""The vectorised siblings of the programs: arrays of users, the same laws."""
