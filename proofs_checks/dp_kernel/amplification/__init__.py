"""Cards that certificates of `dp-refimpl amplify` may name, and no verdict of the ledger rests on."""
