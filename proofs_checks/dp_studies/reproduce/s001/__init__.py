"""Tables 1 and 2 of source 001 again, with Figures 4 and 5: mean squared errors of Privelet."""
