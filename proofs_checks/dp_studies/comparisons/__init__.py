"""Which mechanism is the best one: at equal certified privacy, for a workload, for a number of reports."""
