"""Runs a job: loads what its mode needs, lets its kind do the work, tells what came of it."""
import importlib

from . import backend, failures
from .result import Result

# The module of a kind has run(job, result, packages).
_KINDS = {"case": "case", "tests": "golden_tests", "self_test": "compose", "compose": "compose",
          "tolerance": "tolerance", "probe": "probe"}


def run(job, tell=None):
    """The result of a job, as a document. `tell` hears the name of each stage that begins."""
    result = Result(tell)
    private = failures.Private(job.get("golden"), job.get("reference"), job.get("inputs"))
    try:
        kind = _KINDS.get(job.get("kind"))
        if kind is None:
            raise failures.Contract("no kind of job is called %r" % (job.get("kind"),))
        packages = backend.load(job["mode"])
        result.environment = packages.environment()
        importlib.import_module("." + kind, __package__).run(job, result, packages)
        if result.end == "compared":
            result.enter("done")
    except failures.Mismatch as error:
        _fail(result, "raised", error, private)
    except failures.Contract as error:
        _fail(result, "contract", error, private)
    except failures.Unavailable as error:
        _fail(result, "unavailable", error, private)
    except BaseException as error:  # SystemExit and KeyboardInterrupt of the user's code, too
        _fail(result, "raised", error, private, job.get("op_dir"))
        if not result.withholds():
            failures.show(error, private)
    result.close()
    return result.document()


def _fail(result, end, error, private, folder=None):
    result.end = end
    result.error = failures.describe(error, private, result.withholds(), folder)
