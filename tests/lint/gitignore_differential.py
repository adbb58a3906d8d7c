#!/usr/bin/env python3
"""Compares discovery with git: random trees, random .gitignore files at several levels.

For every tree, the Python files that discovery lists must be those that `git check-ignore` does not
call ignored. Usage: gitignore_differential.py DISCOVER_LIST [--rounds N] [--seed N]
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

NAMES = ["a", "b", "ab", "abc", "ba", "x", "foo", "foobar", "bar", "A1", "a b", "a-b", "b]", "a*"]
PIECES = ["a", "b", "ab", "x", "foo", "bar", "?", "*", "**", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]",
          "[[:digit:]]", "[]a]", "[a", "[b-", "[[:x:]]", "[a-]", "[\\]]", "\\a", "\\*", "\\", "-", "1", "A",
          " ", ".py", "*.py", "[/]", "[a/b]"]
SPECIAL = ["**", "*", "?", "**/", "/**", "/", "//", "!", "!*", "#a", "\\#a", "\\!a", "a/**", "**/a", "a/**/b",
           "/*", "*/", "/*/", "**/*.py", "!*.py", "!*/", "*.py ", "a.py\\ ", "foo**", "**foo", "foo**/bar",
           "f*/**/*.py", "/foo", "foo/", "/foo/bar", "foo/*", "!foo/bar", "***/a", "a/***", "**\\/a", "", " "]


def component(rng):
    if rng.random() < 0.3:
        return rng.choice(NAMES)
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 3)))


def pattern(rng):
    if rng.random() < 0.25:
        return rng.choice(SPECIAL)
    parts = []
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4])):
        parts.append("**" if rng.random() < 0.2 else component(rng))
    text = "/".join(parts)
    if rng.random() < 0.2:
        text = "/" + text
    if rng.random() < 0.2:
        text += "/"
    elif rng.random() < 0.3:
        text += ".py"
    if rng.random() < 0.2:
        text = "!" + text
    return text


def generalised(rng, path):
    """A pattern that matches the path or nearly does."""
    text = "".join("\\" + c if c in "*?[\\" else c for c in path)
    if rng.random() < 0.3:
        text = rng.choice(text.split("/"))
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 1, 2, 4, 9]))
        cut = text[start:end]
        insert = rng.choice(["*", "**", "?", "**/", "/**", "[!q]", "[^-]", "[!-~]", "[%s]" % cut, "[!%s]" % cut,
                             "[a-z]", "[[:print:]]", "\\" + cut, "/**/", "*/", "**?", "?**"])
        text = text[:start] + insert + text[end:]
    if rng.random() < 0.3:
        text = rng.choice(["/", "**/", "!", "!/"]) + text
    if rng.random() < 0.2:
        text += rng.choice(["/", "/**", "*", " ", "/*"])
    return text


def ignore_file(rng, paths):
    def line():
        return generalised(rng, rng.choice(paths)) if rng.random() < 0.6 else pattern(rng)
    text = rng.choice(["\n", "\n", "\n", "\r\n"]).join(line() for _ in range(rng.randint(1, 4)))
    if rng.random() < 0.8:
        text += "\n"
    if rng.random() < 0.05:
        text = "\ufeff" + text
    return text


def make_tree(rng, top, depth):
    """Fills `top`; returns the paths of the Python files made, relative to it."""
    files = []
    for name in rng.sample(NAMES, rng.randint(1, 4)):
        with open(os.path.join(top, name + ".py"), "w", encoding="utf-8") as out:
            out.write("# pypto jit\n")
        files.append(name + ".py")
    if depth > 0:
        for name in rng.sample(NAMES, rng.randint(1, 3)):
            inner = os.path.join(top, name)
            os.mkdir(inner)
            files += [name + "/" + file for file in make_tree(rng, inner, depth - 1)]
    if rng.random() < (0.9 if depth == 3 else 0.25):
        with open(os.path.join(top, ".gitignore"), "w", encoding="utf-8", newline="") as out:
            out.write(ignore_file(rng, files))
    return files


def git_kept(top, files):
    """The files that git does not ignore."""
    data = "\0".join(files).encode()
    run = subprocess.run(["git", "check-ignore", "--no-index", "-z", "--stdin"], cwd=top, input=data,
                         stdout=subprocess.PIPE, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError("git check-ignore failed")
    ignored = {name.decode() for name in run.stdout.split(b"\0") if name}
    return sorted(set(files) - ignored)


def listed(program, top):
    run = subprocess.run([program, "."], cwd=top, stdout=subprocess.PIPE, check=True)
    lines = run.stdout.decode().splitlines()
    other = [line for line in lines if not line.startswith("file ")]
    if other:
        raise RuntimeError("unexpected: %r" % other)
    return sorted(line[len("file "):] for line in lines)


def show(top):
    for folder, _, names in sorted(os.walk(top)):
        if ".gitignore" in names:
            with open(os.path.join(folder, ".gitignore"), encoding="utf-8", newline="") as text:
                print("  %s/.gitignore: %r" % (os.path.relpath(folder, top), text.read()))
    with open(os.path.join(top, ".git/info/exclude"), encoding="utf-8", newline="") as text:
        print("  info/exclude: %r" % text.read())


def one_round(program, seed):
    rng = random.Random(seed)
    top = tempfile.mkdtemp(prefix="gitignore-")
    try:
        os.makedirs(os.path.join(top, ".git/info"))
        os.makedirs(os.path.join(top, ".git/objects"))
        os.makedirs(os.path.join(top, ".git/refs"))
        with open(os.path.join(top, ".git/HEAD"), "w", encoding="ascii") as out:
            out.write("ref: refs/heads/main\n")
        files = make_tree(rng, top, 3)
        with open(os.path.join(top, ".git/info/exclude"), "w", encoding="utf-8", newline="") as out:
            out.write(ignore_file(rng, files) if rng.random() < 0.3 else "")
        wanted = git_kept(top, files)
        got = listed(program, top)
        if wanted != got:
            print("seed %d" % seed)
            print("  git keeps, we do not:", sorted(set(wanted) - set(got))[:5])
            print("  we keep, git does not:", sorted(set(got) - set(wanted))[:5])
            show(top)
        return len(files), wanted == got
    finally:
        shutil.rmtree(top)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    os.environ.update(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null", LC_ALL="C.UTF-8",
                      XDG_CONFIG_HOME="/nonexistent")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        os.environ.pop(name, None)
    files = failures = 0
    for seed in range(options.seed, options.seed + options.rounds):
        count, good = one_round(program, seed)
        files += count
        failures += not good
        if failures >= 10:
            break
    print("%d files in %d trees, %d trees differ" % (files, options.rounds, failures))
    return 1 if failures or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
