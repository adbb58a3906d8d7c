"""What the tests of the AI clients share: a project with an operator, a client run in it against a
scripted model, and what the model was told.

Clients get a home of their own, made-up keys and no network but the loopback address.
"""
import ctypes
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "tests/hook"))

from hook_support import BAD_IMPL, CLEAN_GOLDEN, CLEAN_IMPL  # noqa: E402
from model_server import ModelServer  # noqa: E402

__all__ = ["BAD_IMPL", "BAD_OTHER", "CLEAN_IMPL", "OTHER_IMPL", "SLOW_LIMIT", "ClientTest", "HEADER", "IMPL", "MARK", "PASSING", "FAILING",
           "RUN_PASSING", "RUN_FAILING", "RUN_SLOW", "STATE", "main", "tool"]

BINARY = None
SKIPPED = 77  # what ctest is told by a test that is left out
CLIENT_SECONDS = 120
HEADER = "[pypto-op-lint] 产物写入后即时门禁未通过"
MARK = "[pypto-op-lint"
OPERATOR = "custom/rowscale"
IMPL = f"{OPERATOR}/rowscale_impl.py"
STATE = f"{OPERATOR}/.orchestrator_state.json"
PASSING, FAILING = f"{OPERATOR}/test_passing.py", f"{OPERATOR}/test_failing.py"
SLOW = f"{OPERATOR}/test_slow.py"
RUN_PASSING, RUN_FAILING, RUN_SLOW = f"python3 {PASSING}", f"python3 {FAILING}", f"python3 {SLOW}"


# Stands in for the program: does what the file beside its folder says. So a conversation can begin with a
# program that runs and go on with one that does not.
SWITCH = """\
#!/bin/sh
case $(cat '{folder}/mode') in
killed) kill -KILL $$ ;;
crashed) kill -SEGV $$ ;;
older) echo 'pypto-lint: unknown argument' >&2; exit 2 ;;
slow) [ "$2" != post-edit ] || exec sleep 60 ;;
esac
exec '{binary}' "$@"
"""
SLOW_LIMIT = 3  # seconds that a slow program gets in the tests
BAD_OTHER = BAD_IMPL.replace("rowscale", "addone")
OTHER_IMPL = "custom/addone/addone_impl.py"


def tool(name, **values):
    """A step of the scripted model: it calls this tool."""
    return {"tool": name, "input": values}


def leave_out(why):
    print(f"SKIPPED {pathlib.Path(sys.argv[0]).name}: {why}", file=sys.stderr)
    sys.exit(SKIPPED)


def without_network():
    """Takes this process and what it starts off the network, where the system allows that. The
    variables of `environment` keep clients off it elsewhere."""
    new_network = 0x40000000  # CLONE_NEWNET
    if ctypes.CDLL(None, use_errno=True).unshare(new_network) != 0:
        return
    with socket.socket() as any_socket:
        up = struct.pack("16sh", b"lo", 1)  # IFF_UP
        fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS


def adopt_orphans():
    """What a client leaves behind, in whatever session, becomes a child of this process."""
    set_child_subreaper = 36  # PR_SET_CHILD_SUBREAPER
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def end_children():
    """Ends all children of this process, and theirs, which become its own as they end."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
                for child in children.split():
                    os.kill(int(child), signal.SIGKILL)
                time.sleep(0.01)
        except ChildProcessError:
            return


def strings(value):
    """All texts in a JSON value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


class ClientTest(unittest.TestCase):
    """A project in a scratch folder, in which clients talk to scripted models."""

    name = None  # of the client's folder
    program = None  # the command, below the folder; its first word is a path there or "node"
    dialect = None

    @classmethod
    def command(cls):
        folder = FOLDER / cls.name / "node_modules"
        return [word if word == "node" else str(folder / word) for word in cls.program]

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix=f"pypto-lint-{self.name}-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.home, self.project = self.folder / "home", self.folder / "project"
        self.home.mkdir()
        self.write(STATE, json.dumps({"operator_name": "rowscale", "max_stage": 7, "current_stage": 5,
                                      "stage_status": {"5": "in_progress"}}))
        self.write(f"{OPERATOR}/rowscale_golden.py", CLEAN_GOLDEN)
        self.write(PASSING, "print('[PRECISION_PASS]')\n")
        self.write(FAILING, "raise SystemExit(3)\n")
        self.write(SLOW, "import time\ntime.sleep(30)\n")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/pypto-lint").symlink_to(BINARY)
        subprocess.run(["git", "init", "-q"], cwd=self.project, env=self.environment(), check=True)

    def environment(self, **more):
        """Nothing of the caller's but the search path; proxies that are not there."""
        nowhere = "http://127.0.0.1:9"
        return {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.home), "LC_ALL": "C.UTF-8",
                "TMPDIR": str(self.folder), "HTTP_PROXY": nowhere, "HTTPS_PROXY": nowhere,
                "ALL_PROXY": nowhere, "NO_PROXY": "127.0.0.1,localhost", **more}

    def write(self, path, text):
        full = self.project / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8")
        return full

    def read(self, path):
        return (self.project / path).read_text(encoding="utf-8")

    def configure(self, *options):
        """The settings of the project, as users get them."""
        command = [self.folder / "bin/pypto-lint", "init", "--client", self.name, "--yes", *options]
        done = subprocess.run(command, cwd=self.project, env=self.environment(), capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def switchable(self, mode="run"):
        """Puts the stand-in into the place of the program; `mode` (self.turn) says what it does."""
        program = self.folder / "bin/pypto-lint"
        program.unlink()
        program.write_text(SWITCH.format(folder=self.folder, binary=BINARY), encoding="utf-8")
        program.chmod(0o755)
        (self.folder / "mode").write_text(mode, encoding="utf-8")
        (self.folder / "break.sh").write_text(f"echo '{{' > '{self.project / STATE}'\n", encoding="utf-8")

    def turn(self, mode):
        """A shell command by which the model itself makes the program do something else from here on."""
        return f"echo {mode} > '{self.folder}/mode'"

    def first_request(self):
        return "\n".join(strings(self.server.requests[0]))

    def post_edit(self, path):
        """What the program itself says about a file."""
        event = json.dumps({"tool_name": "Write", "tool_input": {"file_path": str(self.project / path)}})
        done = subprocess.run([BINARY, "hook", "post-edit"], input=event, env=self.environment(), text=True,
                              capture_output=True, cwd=self.project, check=False)
        return done.stdout

    def start(self, command, env, cwd="."):
        """Runs a client to its end; whatever it started is ended after it."""
        # A file, not a pipe: what goes on in the background may hold on to it.
        with tempfile.TemporaryFile() as log:
            client = subprocess.Popen(command, cwd=self.project / cwd, env=env, stdin=subprocess.DEVNULL,
                                      stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = client.wait(CLIENT_SECONDS)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                end_children()
            log.seek(0)
            output = log.read().decode("utf-8", errors="replace")
        self.assertIsNotNone(status, f"no end in {CLIENT_SECONDS} s:\n{output[-4000:]}")
        return status, output

    def converse(self, script, cwd="."):
        """Lets the client follow the script. `self.told(n)` is then what it told the model after
        step n."""
        self.server = ModelServer(self.dialect, script)
        self.addCleanup(self.server.close)
        status, self.output = self.start(*self.call(self.server.url), cwd)
        self.assertEqual(status, 0, self.output[-4000:])
        self.assertGreaterEqual(len(self.server.requests), len(script), self.output[-4000:])

    def told(self, step):
        """All text that the request after a step has more than the one before it. The model's own
        part of it is there, too."""
        before, after = (self.dialect.conversation(self.server.requests[n]) for n in (step, step + 1))
        return "\n".join(strings(after[len(before):]))

    def assertBlocked(self, step, rule="[OL07][S0] rowscale_impl.py:2"):
        told = self.told(step)
        self.assertIn(HEADER, told)
        self.assertIn(rule, told)
        self.assertIn("blocking_rules: OL07", told)

    def assertNothingSaid(self, step):
        self.assertNotIn(MARK, self.told(step))

    def assertEndsAtOnce(self, script):
        """Nobody holds an agent that does not work in an operator directory."""
        self.assertEqual(len(self.server.requests), len(script) + 1)

    def assertGateHolds(self, step):
        """The agent wanted to finish and is told what the operator lacks."""
        told = self.told(step)
        self.assertIn("[pypto-op-lint] 交付门禁未通过", told)
        self.assertIn("[OL13][S1] README.md", told)


def wanted_node(package):
    """The first number of ">=20.0.0"; 0 when any version will do."""
    engines = json.loads((package / "package.json").read_text(encoding="utf-8")).get("engines", {})
    found = re.search(r"\d+", engines.get("node", "0"))
    return int(found.group())


def main(case, package):
    """Runs the tests of this module with the program that is the first argument, or leaves them
    out, loudly."""
    global BINARY
    BINARY = pathlib.Path(sys.argv.pop(1)).resolve()
    installed = FOLDER / case.name / "node_modules" / package
    if not (installed / "package.json").exists():
        leave_out(f"{package} is not installed (tests/clients/install.sh {case.name})")
    for tool in ("git", "node"):
        if shutil.which(tool) is None:
            leave_out(f"needs {tool}")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(version[1:].split(".")[0]) < wanted_node(installed):
        leave_out(f"{package} wants Node.js {wanted_node(installed)}, this is {version.strip()}")
    without_network()
    adopt_orphans()
    unittest.main()
