"""The activities of BEHAVIOR-1K as tasks of the BEHAVIOR world: beyond the published 100."""
