"""Figures 3 to 5 of source 000 again: MURS, HP-SDP, mixDUMP and OD-HP at one central budget."""
