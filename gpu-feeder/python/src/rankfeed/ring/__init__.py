"""The ring protocol of ``ring.md``: frames, the shared segment, leases of slots, and one connection to a feeder.

Nothing here knows of tensors, epochs or retries."""
