"""What a worker of `pypto-lint verify` runs: one job, told as numbers, names and shapes.

docs/internals/harness.md describes jobs and results. Nothing of a reference or of an input leaves
this package: no values, no source lines, no messages of their exceptions.
"""
