"""All tests of this folder, each file in a process of its own: run_all.py BUILD [NAME…]

For an interpreter that ctest does not know, such as that of scripts/debian13.sh. Ends with the number of
files that failed; a file that skips itself (status 77) counts as failed: there torch must be."""
import glob
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# They run the command, whose path they take.
_WITH_COMMAND = ("test_examples.py", "test_run_command.py", "test_run_limits.py", "test_sanitizer.py",
                 "test_trace.py")
# Operations of other hardware, which is chosen when the package is imported.
_ON_950 = ("test_950.py", "test_950_products.py", "test_references.py")
_MOST_SECONDS = 900


def environment(build):
    """As tests/runtime/CMakeLists.txt has it."""
    made = dict(os.environ, PTOSIM_RUN_MODE="", ASCEND_HOME_PATH="", TORCH_DEVICE_BACKEND_AUTOLOAD="0",
                TILE_FWK_OUTPUT_DIR=os.path.join(build, "output"),
                PYTHONPATH=os.pathsep.join((os.path.join(build, "share/pypto-lint/sim"), HERE)))
    return made


def command(path, build):
    """How a file is run."""
    made = [sys.executable, "-B", path]
    if os.path.basename(path) in _WITH_COMMAND:
        made.append(os.path.join(build, "bin/pypto-lint"))
    return made


def main():
    """Runs them; prints the output of those that fail."""
    build, wanted = sys.argv[1], sys.argv[2:]
    failed = []
    paths = sorted(glob.glob(os.path.join(HERE, "test_*.py")))
    unknown = set(wanted) - {os.path.basename(path)[:-3] for path in paths}
    if unknown:
        sys.exit("no such tests: %s" % ", ".join(sorted(unknown)))
    for path in paths:
        name = os.path.basename(path)
        if wanted and name[:-3] not in wanted:
            continue
        start = time.monotonic()
        env = dict(os.environ) if name in _WITH_COMMAND else environment(build)
        env["PYPTO_LINT_PYTHON"] = sys.executable
        if name in _ON_950:
            env["PTOSIM_SOC"] = "950PR"
        try:
            done = subprocess.run(command(path, build), cwd=HERE, env=env, timeout=_MOST_SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            status, output = done.returncode, done.stdout
        except subprocess.TimeoutExpired as error:
            status, output = "time is over", error.stdout or b""
        text = "FAILED (%s)" % status if status else "ok"
        print("%-32s %-12s %5.1f s" % (name, text, time.monotonic() - start), flush=True)
        if status:
            failed.append(name)
            print(output.decode("utf-8", "replace")[-20000:], flush=True)
    print("%d failed%s" % (len(failed), ": " + ", ".join(failed) if failed else ""))
    return min(len(failed), 76)


if __name__ == "__main__":
    sys.exit(main())
