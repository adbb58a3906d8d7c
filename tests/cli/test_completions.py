"""The completion scripts: what the tables of commands and options say is offered, by real shells.

Usage: test_completions.py BINARY [unittest options]
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

import support
from support import CliTest, call

SECONDS = 30  # for what a shell does at once


def commands():
    """The names of the commands, as help lists them."""
    overview = call("help").out.split("Commands:")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z-]+) ", overview, re.M)


def options(command):
    """(spelling, argument or None) of the options of a command, as help lists them."""
    _, _, table = call("help", command).out.partition("\nOptions:\n")
    found = []
    for line in table.splitlines():
        names, argument = re.match(r"  (-[^ ,[]+(?:, -[^ ,[]+)?)(?:\[=\S+\]| ([^ ]+))?  ",
                                   line + "  ").groups()
        found += [(name, argument) for name in names.split(", ")]
    return found


def formats():
    """The names of the output formats, as a wrong one is answered."""
    message = call("check", "--format", "?").err
    return re.findall(r"\w+", message.split("takes ")[1].split(", not")[0].replace(" or ", " "))


def rules():
    return [rule["id"] for rule in call("rules", "--format", "json").json()["rules"]]


def environment():
    folder = pathlib.Path(support.BINARY).parent
    return {"PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "dumb", "PS1": "$ ",
            "HOME": "/nonexistent"}


class Completing(CliTest):
    """The same expectations for every shell; `offer` gives what it offers for the words of a line."""

    def test_commands(self):
        offered, names = self.offer("pypto-lint", ""), commands()
        self.assertIn("completions", names)
        self.assertEqual([name for name in names if name not in offered], [])
        self.assertNotIn("verify-job", offered)

    def test_options(self):
        for command in commands():
            wanted = {name for name, _ in options(command) if name.startswith("--")} | {"--help"}
            offered = {word for word in self.offer("pypto-lint", command, "--") if word != "--version"}
            self.assertEqual(offered, wanted, command)
        self.assertLess({"--stage", "--format"}, set(self.offer("pypto-lint", "--")))

    def test_words_of_options(self):
        count = 0
        for command in commands():
            for name, argument in options(command):
                if argument and "|" in argument and name.startswith("--"):
                    count += 1
                    self.assertEqual(sorted(self.offer("pypto-lint", command, name, "")),
                                     sorted(argument.split("|")), (command, name))
        self.assertGreater(count, 12)

    def test_formats(self):
        self.assertIn("sarif", formats())
        self.assertEqual(sorted(self.offer("pypto-lint", "check", "--format", "")), sorted(formats()))
        self.assertEqual(sorted(self.offer("pypto-lint", "--format", "")), sorted(formats()))

    def test_rules(self):
        self.assertEqual(sorted(self.offer("pypto-lint", "explain", "O")),
                         sorted(rule for rule in rules() if rule[0] == "O"))
        self.assertEqual(sorted(self.offer("pypto-lint", "check", "--rules", "OL01,KS")),
                         sorted(f"OL01,{rule}" for rule in rules() if rule.startswith("KS")))

    def test_words_of_commands(self):
        self.assertEqual(sorted(self.offer("pypto-lint", "completions", "")), ["bash", "fish", "zsh"])
        self.assertEqual(sorted(set(self.offer("pypto-lint", "help", ""))), sorted(commands()))
        self.assertIn("post-edit", self.offer("pypto-lint", "hook", ""))

    def test_paths(self):
        self.write("folder/x", "")
        self.write("file one", "")
        self.assertEqual([word.strip("/") for word in self.offer("pypto-lint", "check", "--op-dir", "f")], ["folder"])
        self.assertEqual(sorted(word.strip("/") for word in self.offer("pypto-lint", "check", "f")),
                         ["file one", "folder"])
        self.assertEqual(self.offer("pypto-lint", "check", "--stage", ""), [])


@unittest.skipUnless(shutil.which("bash"), "no bash")
class Bash(Completing):
    def offer(self, *words):
        script = 'source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pypto_lint\n' \
                 'for word in "${COMPREPLY[@]}"; do echo "$word"; done'
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", *words], cwd=self.folder, check=True,
                              input=call("completions", "bash").out, capture_output=True,
                              env=environment(), encoding="utf-8")
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_value_after_equals_sign(self):
        self.assertEqual(self.offer("pypto-lint", "check", "--color", "=", "n"), ["never"])
        self.assertEqual(len(self.offer("pypto-lint", "check", "--color", "=")), 3)


@unittest.skipUnless(shutil.which("fish"), "no fish")
class Fish(Completing):
    def offer(self, *words):
        line = " ".join(word.replace(" ", "\\ ") for word in words)
        env = {**environment(), "HOME": str(self.folder), "XDG_CONFIG_HOME": "/nonexistent"}
        script = call("completions", "fish").out + f"complete -C '{line}'\n"
        done = subprocess.run(["fish", "--no-config", "-c", script], cwd=self.folder, capture_output=True,
                              encoding="utf-8", env=env, check=True)
        return [row.split("\t")[0] for row in done.stdout.splitlines() if not row.startswith(".")]


class Terminal(CliTest):
    """What Readline and zsh's line editor make of a line when TAB is pressed."""

    def complete(self, shell, setup, line):
        """The line that `line` with a TAB becomes."""
        self.write("script", call("completions", shell[0]).out)
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe(shell[0], list(shell), environment())
        try:
            os.write(terminal, f"{setup}; echo rea''dy\n".encode())
            self.wait_for(terminal, r"\nready")
            os.write(terminal, f"{line}\t".encode())
            self.wait_for(terminal, re.escape(line) + r"\w+")  # the line editor has answered
            os.write(terminal, b"\x01echo '<'\x05'>'\n")
            return self.wait_for(terminal, r"\r\n< ?(pypto-lint.*?) ?>").group(1).strip()
        finally:
            os.close(terminal)
            os.kill(child, 9)
            os.waitpid(child, 0)

    def wait_for(self, terminal, pattern):
        seen, end = "", time.monotonic() + SECONDS
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 4096).decode("utf-8", "replace").replace("\a", "")
            if match := re.search(pattern, seen):
                return match
        self.fail(f"{pattern} not in {seen!r}")

    LINES = (("pypto-lint ver", "pypto-lint verify"), ("pypto-lint check --fo", "pypto-lint check --format"),
             ("pypto-lint check --format sa", "pypto-lint check --format sarif"),
             ("pypto-lint doctor --lang z", "pypto-lint doctor --lang zh"),
             ("pypto-lint check --color=nev", "pypto-lint check --color=never"))

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash(self):
        for line, wanted in self.LINES:
            with self.subTest(line=line):
                self.assertEqual(self.complete(("bash", "--norc", "-i"), "source ./script", line), wanted)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        setup = "autoload -Uz compinit; compinit -u -D; bindkey -e; source ./script"
        for line, wanted in self.LINES:
            with self.subTest(line=line):
                done = self.complete(("zsh", "-f", "-i"), setup, line)
                self.assertEqual(done.rstrip("="), wanted)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_with_the_script_installed(self):
        self.write("functions/_pypto-lint", call("completions", "zsh").out)
        setup = "fpath=(./functions $fpath); autoload -Uz compinit; compinit -u -D; bindkey -e"
        for line, wanted in self.LINES[:2]:
            with self.subTest(line=line):
                done = self.complete(("zsh", "-f", "-i"), setup, line)
                self.assertEqual(done.rstrip("="), wanted)


class Command(CliTest):
    def test_wrong_usage(self):
        for args in ((), ("tcsh",), ("bash", "zsh"), ("--nonsense",)):
            done = call("completions", *args)
            self.assertEqual((done.status, done.out), (2, ""), args)
            self.assertTrue(done.err.startswith("pypto-lint: "), args)

    def test_scripts_are_well_formed(self):
        for shell in ("bash", "zsh", "fish"):
            script = call("completions", shell)
            self.assertEqual((script.status, script.err), (0, ""))
            for command in commands():
                self.assertIn(command, script.out)
            for form in formats():
                self.assertIn(form, script.out)
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", self.write("script", script.out)], capture_output=True,
                                      check=False)
                self.assertEqual((done.returncode, done.stderr), (0, b""), shell)


del Completing  # a base of others
if __name__ == "__main__":
    support.main()
