"""Conformance vectors: what implementations in any language are tested with. `dp-refimpl vectors` writes them."""

from dp_audit.vectors.documents import (
    CERTIFICATE_SCHEMA,
    SCHEMA,
    certificate_files,
    check,
    documents,
    mechanism_files,
    write,
)

__all__ = ["CERTIFICATE_SCHEMA", "SCHEMA", "certificate_files", "check", "documents", "mechanism_files", "write"]
