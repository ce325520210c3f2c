"""Cards: theorems that the kernel applies and does not derive, one file each (see `dp-refimpl cards`)."""
