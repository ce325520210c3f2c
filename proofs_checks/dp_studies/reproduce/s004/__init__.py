"""The parameter study of source 004 again: rank deviation, expected deviation and variance of the count-mean sketch."""
