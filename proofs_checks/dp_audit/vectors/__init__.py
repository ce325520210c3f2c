"""Conformance vectors: what implementations in any language are tested with. `dp-refimpl vectors` writes them."""

from dp_audit.vectors.documents import SCHEMA, check, documents, write

__all__ = ["SCHEMA", "check", "documents", "write"]
