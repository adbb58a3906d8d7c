"""Runs a job: loads the packages of its mode, runs the module of its kind, makes the result."""
import importlib

from . import backend, failures, process
from .result import Result

# The module of a kind has run(job, result, packages).
_KINDS = {"case": "case", "tests": "golden_tests", "self_test": "compose", "compose": "compose",
          "tolerance": "tolerance", "bisect": "drift", "probe": "probe"}
WITH_KERNEL = ("case", "tolerance", "bisect")  # kinds whose wrapper runs in a process of its own


def run(job, tell=None, lend=None):
    """The result of a job, as a document. `tell` is called with the name of each stage that begins;
    `lend` returns the kernel's process, which otherwise is made here."""
    result = Result(tell)
    private = failures.Private(job.get("golden"), job.get("reference"), job.get("inputs"))
    packages = None
    try:
        kind = _KINDS.get(job.get("kind"))
        if kind is None:
            raise failures.Contract("no kind of job is called %r" % (job.get("kind"),))
        packages = backend.load(job["mode"])
        module = importlib.import_module("." + kind, __package__)
        if job["kind"] in WITH_KERNEL:  # before this process has anything to hide
            packages.kernel = lend(packages) if lend else process.Kernel(job, packages)
        packages.open()
        result.environment = packages.environment()
        module.run(job, result, packages)
        if result.end == "compared":
            result.enter("done")
    except process.Failed as failed:
        result.end, result.stage, result.error = failed.end, failed.stage, failed.error
    except process.Ended:
        raise
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
    finally:
        if packages is not None and packages.kernel is not None:
            packages.kernel.close()
    result.close()
    return result.document()


def _fail(result, end, error, private, folder=None):
    result.end = end
    result.error = failures.describe(error, private, result.withholds(), folder)
