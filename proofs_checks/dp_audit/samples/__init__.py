"""Statistical audits: sequential tests of reports, from a process in any language or from a file."""
