"""Kind `tests`: one function of test_<op>.py, for operators without module files.

The test has the reference's values and may print them, so everything is silenced except the
implementation: its import and its wrappers.
"""
import contextlib
import functools
import inspect
import os
import traceback
import types

from . import (arguments, blame_tests, case, failures, findings, imports, loading, provenance, recording,
               streams, structure)


def run(job, result, packages):
    """Runs the job; puts what it finds into the result."""
    loading.prepare_path(job["op_dir"])
    recorder = recording.Recorder(packages.torch, job["test_file"])
    hooks = imports.Hooks()
    implementation = os.path.realpath(job["impl"])

    search = blame_tests.Search(job, result, packages, recorder) if job.get("blame") else None

    def watched(wrapper):
        return _watched(search.of_wrapper(wrapper) if search else wrapper, packages, job, result)

    hooks.on_file(lambda path: path == implementation or path.endswith("_impl.py"),
                  lambda module: _implementation(module, watched))
    packages.seed(42)
    result.enter("implementation")
    module = _load(job, result, recorder, hooks)
    if module is None:
        return
    function = loading.function_of(module, job["test_function"])
    if not arguments.accepts(function, 0):
        raise failures.Contract("%s takes arguments: it cannot be run without pytest"
                                % job["test_function"])
    result.enter("wrapper")
    with search.watching() if search else contextlib.nullcontext():
        raised = _call(function, result, packages)
    result.findings = findings.collect(job["op_dir"])
    result.leaves = recorder.leaves
    result.exact = recorder.exact() and _is_transcendental(job)
    if search and recorder.failed():
        result.blame = search.answer()
    if raised is not None and not (recorder.failed() and _is_verdict(raised, job)):
        _fail(raised, job, result)
    if raised is None and not recorder.leaves:
        result.warnings.append("%s makes no comparison that can be followed: "
                               "detailed_tensor_compare, numpy.testing.assert_allclose and "
                               "torch.testing.assert_close can" % job["test_function"])


def _load(job, result, recorder, hooks):
    """The test's module; None, with the error in the result, when it cannot be imported."""
    try:
        with streams.silence():
            recorder.install(hooks)
            hooks.install()
            return loading.load_module(job["test_file"])
    except failures.Contract:
        raise
    except ImportError as error:
        if error.name == os.path.splitext(os.path.basename(job["impl"]))[0]:
            raise failures.Contract(str(error).partition(" (")[0]) from None
        _fail(error, job, result)
    except BaseException as error:  # a test may call sys.exit
        _fail(error, job, result)
    return None


def _call(function, result, packages):
    """Runs the test; returns the exception that ended it, such as that of a failed comparison."""
    try:
        with packages.counting(result), streams.silence():
            function()
            packages.synchronize()
        return None
    except BaseException as error:  # a test may call sys.exit
        return error


@contextlib.contextmanager
def _implementation(module, watched):
    """The implementation may print: its output contains nothing but its author's own."""
    with streams.sound():
        yield
    for name, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and name.endswith("_wrapper"):
            setattr(module, name, watched(_heard(value)))


def _watched(wrapper, packages, job, result):
    """A kernel must have made what a wrapper returns to the test. Keeps the evidence of the first
    call for which that does not hold, else of the last call."""
    names = _parameters(wrapper)

    @functools.wraps(wrapper)
    def call(*args, **kwargs):
        if provenance.is_watching():  # called by another wrapper
            return wrapper(*args, **kwargs)
        inputs = dict(zip(names, args), **kwargs)
        with provenance.watching(packages, inputs, job["op_dir"]) as watch:
            value = wrapper(*args, **kwargs)
        found = watch.report(structure.outputs(value))
        found["outputs"] = [dict(output, name="%s of %s" % (output["name"], wrapper.__name__))
                            for output in found["outputs"]]
        # Only the test knows whether the reference returns an input.
        found["passed_through"] = [output["input"] for output in found["outputs"]]
        if result.provenance is None or _is_made(result.provenance):
            result.provenance = found
        return value
    return call


def _is_made(found):
    return all(output["torch"] == 0 and (output["written"] or not output["host"])
               for output in found["outputs"])


def _parameters(wrapper):
    try:
        return list(inspect.signature(wrapper).parameters)
    except (TypeError, ValueError):
        return []


def _heard(wrapper):
    @functools.wraps(wrapper)
    def call(*args, **kwargs):
        with streams.sound():
            return wrapper(*args, **kwargs)
    return call


def _is_verdict(error, job):
    """Does the exception only repeat what the test's comparisons found?"""
    return isinstance(error, (AssertionError, SystemExit)) or os.path.realpath(
        _innermost(error)) in (os.path.realpath(job["test_file"]), recording.COMPARISON)


def _innermost(error):
    """The file of the innermost frame that is not ours."""
    names = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    names = [name for name in names if not name.startswith(failures.HERE)]
    return names[-1] if names else ""


def _fail(error, job, result):
    """Makes the exception that of the job. The test's own messages may contain values."""
    private = failures.Private(job["test_file"])
    result.end = "raised"
    inner = _innermost(error)
    if failures.is_reference(inner):
        result.stage = "golden"
    own = isinstance(error, AssertionError) or (private.owns(inner) and
                                                not isinstance(error, ImportError))
    if not own:
        private = failures.Private()
        failures.show(error, private, [job["test_file"]])
    result.error = failures.describe(error, private, own, job["op_dir"])


def _is_transcendental(job):
    path = os.path.join(job["op_dir"], job["op_name"] + "_golden.py")
    return os.path.isfile(path) and case.is_transcendental(path)
