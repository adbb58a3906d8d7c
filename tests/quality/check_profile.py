#!/usr/bin/env python3
"""Compiles the numeric kernels as a release guided by a profile does; nothing may be warned of.

    check_profile.py BUILD_FOLDER [--anew]

With -fprofile-use gcc inlines and unrolls more, so it warns of things that it does not warn of otherwise, and in a release
warnings are errors. gcc optimises in this way even if the profile is empty, which spares us the counted runs. Which sources
and which options, cmake says. Sources that are optimised only when they are linked are left out: for them gcc does not give
such warnings at all. BUILD_FOLDER is built and has the generated headers. A file in which there was no warning is compiled
again only if a byte of what it depends on has changed (judged.py), or with --anew.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import judged
import tree


def release_commands(folder):
    """Entries of compile_commands.json for a release with an empty profile."""
    profile, build = folder / "profile", folder / "build"
    profile.mkdir()
    done = subprocess.run(["cmake", "--preset", "release", "-B", build, "-DPYPTO_LINT_PGO=use", f"-DPYPTO_LINT_PGO_DIR={profile}",
                           "-DPYPTO_LINT_WERROR=ON"], cwd=tree.ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"cmake: status {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))


def not_linked_late(entries):
    """One entry a file; those for other instruction sets have the same source."""
    return list({entry["file"]: entry for entry in reversed(entries) if "-flto" not in entry["command"]}.values())


def warnings(entry):
    """What the compiler says; empty if nothing."""
    words = shlex.split(entry["command"])
    words[words.index("-o") + 1] = os.devnull
    words[words.index("-c")] = "-S"
    done = subprocess.run(words, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          check=False)
    return done.stdout or (f"{entry['file']}: status {done.returncode}\n" if done.returncode else "")


def judge(build, folder, place):
    """Compiles what must be compiled, with the headers of `build`; returns 1 if there was a warning."""
    entries = not_linked_late(release_commands(folder))
    if not entries or not all("-fprofile-use=" in entry["command"] and "-Werror" in entry["command"] for entry in entries):
        sys.exit("no source is compiled to the end at once, or not all with a profile and with warnings as errors")
    for entry in entries:
        entry["command"] = entry["command"].replace(f"-I{folder}/build", f"-I{build}")
    verdicts = judged.Verdicts(shlex.split(entries[0]["command"])[0], [], tree.ROOT, build, place)
    names = {entry["file"]: verdicts.name(entry | {"command": entry["command"].replace(str(folder), "<folder>")})
             for entry in entries}
    left = [entry for entry in entries if not verdicts.is_clean(names[entry["file"]])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        said = list(pool.map(warnings, left))
    for entry, text in zip(left, said):
        print(text, end="")
        if not text:
            verdicts.keep(names[entry["file"]])
    verdicts.forget_old()
    print(f"{len(entries)} files, {len(left)} of them compiled anew")
    return 1 if any(said) else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--anew", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="profile-") as folder:
        return judge(asked.build.resolve(), pathlib.Path(folder).resolve(), None if asked.anew else judged.folder())


if __name__ == "__main__":
    sys.exit(main())
