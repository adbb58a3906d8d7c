"""The worker of `pypto-lint verify`: runs one job and reports numbers, names and shapes.

docs/internals/harness.md describes jobs and results. This package reports nothing of a reference or
of an input: no values, no source lines, no messages of their exceptions.
"""
