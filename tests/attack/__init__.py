"""Attacks on the kernel: random statements and mutated certificates, judged by a brute force of their own."""
