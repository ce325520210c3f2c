"""What can be seen of an audited target: frozen records, and the canonical form of what it puts out."""
