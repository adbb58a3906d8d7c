#!/usr/bin/env python3
"""`pypto-lint doctor --env`: trees of made-up installations, and what is said of each.

Usage: test_doctor_env.py BINARY [unittest options]
"""
import os
import platform
import random
import struct

import support
from support import CliTest, call

X86, ARM = 62, 183
HERE, OTHER = (ARM, X86) if platform.machine() == "aarch64" else (X86, ARM)
HOME = "/usr/local/Ascend/ascend-toolkit/latest"
SITE = "usr/lib/python3.10/site-packages"
VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH", "LD_LIBRARY_PATH", "PYTHONPATH")


def library(needed=(), soname=None, runpath=None, rpath=None, machine=HERE):
    """A shared object of one segment: a dynamic section and its names."""
    names = bytearray(b"\0")
    entries = []

    def add(tag, text):
        entries.append((tag, len(names)))
        names.extend(text.encode() + b"\0")

    for name in needed:
        add(1, name)
    for tag, text in ((14, soname), (15, rpath), (29, runpath)):
        if text is not None:
            add(tag, text)
    dynamic_at = 64 + 2 * 56
    names_at = dynamic_at + 16 * (len(entries) + 2)
    base = 0x10000
    dynamic = b"".join(struct.pack("<qQ", *entry) for entry in entries + [(5, base + names_at), (0, 0)])
    size = names_at + len(names)
    head = struct.pack("<4sBBB9xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 3, machine, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 4096)
    part = struct.pack("<IIQQQQQQ", 2, 6, dynamic_at, base + dynamic_at, 0, len(dynamic), len(dynamic), 8)
    return head + load + part + dynamic + bytes(names)


def cache(paths):
    """An ld.so.cache as ldconfig writes it."""
    start = 48 + 24 * len(paths)
    texts, entries = b"", b""
    for name, path in paths:
        key = start + len(texts)
        texts += name.encode() + b"\0"
        entries += struct.pack("<iIIIQ", 0x303, key, start + len(texts), 0, 0)
        texts += path.encode() + b"\0"
    return b"glibc-ld.so.cache1.1" + struct.pack("<IIB3xI3I", len(paths), len(texts), 2, 0, 0, 0, 0) + entries + texts


class Environment(CliTest):
    def setUp(self):
        super().setUp()
        top = "root/usr/local/Ascend"
        self.toolkit = f"{top}/ascend-toolkit/8.0.RC3"
        self.write("root/etc/os-release", 'ID=x\nPRETTY_NAME="Made Up 1"\n')
        self.write(f"{top}/driver/version.info", "Version=24.1.rc3\nascendhal_version=7.35\n")
        self.write(f"{top}/driver/lib64/libascend_hal.so", library(soname="libascend_hal.so"))
        self.write(f"{top}/firmware/version.info", "Version=7.5.0\n")
        self.write(f"{self.toolkit}/{platform.machine()}-linux/ascend_toolkit_install.info",
                   "package_name=Ascend-cann-toolkit\nversion=8.0.RC3\n")
        self.write(f"{self.toolkit}/opp/built-in/op_impl/ai_core/tbe/kernel/ascend910b/x.o", "")
        self.write(f"{self.toolkit}/lib64/libascendcl.so",
                   library(["libruntime.so", "libc.so.6"], soname="libascendcl.so", runpath="$ORIGIN"))
        self.write(f"{self.toolkit}/lib64/libruntime.so", library(["libascend_hal.so"], soname="libruntime.so"))
        # As the installer makes it: absolute, so that it must be followed below the root.
        os.symlink("/usr/local/Ascend/ascend-toolkit/8.0.RC3", self.folder / top / "ascend-toolkit" / "latest")
        self.write("root/opt/odd/libc.so.6", library(soname="libc.so.6"))
        self.write("root/etc/ld.so.cache", cache([("libz.so.1", "/none"), ("libc.so.6", "/opt/odd/libc.so.6")]))
        for name, version in (("torch", "2.1.0"), ("torch_npu", "2.1.0.post8"), ("numpy", "1.26.4")):
            self.write(f"root/{SITE}/{name}-{version}.dist-info/METADATA", f"Name: {name}\nVersion: {version}\n")
        self.write(f"root/{SITE}/pypto-0.2.1.dist-info/METADATA", "Name: pypto\nVersion: 0.2.1\nX-Run-Version: 8.0.0\n")
        self.write(f"root/{SITE}/torch/lib/libtorch_cpu.so", library(["libc10.so"], runpath="${ORIGIN}:/none"))
        self.write(f"root/{SITE}/torch/lib/libc10.so", library(soname="libc10.so"))
        # torch is loaded before: its libraries need not be found again.
        self.write(f"root/{SITE}/torch_npu/lib/libtorch_npu.so",
                   library(["libc10.so", "libtorch_cpu.so", "libascendcl.so"]))
        self.write("root/dev/davinci0", "")
        self.write("root/dev/davinci_manager", "")
        self.write("root/proc/meminfo", "MemTotal: 67108864 kB\nMemAvailable: 33554432 kB\n")
        self.variables = {"ASCEND_HOME_PATH": HOME,
                          "LD_LIBRARY_PATH": f"{HOME}/lib64:/usr/local/Ascend/driver/lib64"}

    def look(self, status, *options):
        env = {name: self.variables.get(name) for name in VARIABLES}
        old = {name: os.environ.pop(name, None) for name in VARIABLES}
        try:
            done = call("doctor", "--env", "--root", self.folder / "root", "--format", "json", *options,
                        env={name: value for name, value in env.items() if value is not None})
        finally:
            os.environ.update({name: value for name, value in old.items() if value is not None})
        self.assertEqual((done.status, done.err), (status, ""), done.out)
        report = done.json()
        self.assertEqual(report["bad"], status == 1)
        for fact in report["facts"]:  # whatever is wrong has a recipe, and nothing else
            self.assertEqual(fact["recipe"] is not None, fact["state"] in ("warning", "bad"), fact)
            self.assertIn(f"`{fact['id']}`", support.ROOT.joinpath("docs/command-line.md").read_text("utf-8"))
        return {fact["id"]: fact for fact in report["facts"]}

    def states(self, facts):
        return {name: fact["state"] for name, fact in facts.items()}

    def test_healthy(self):
        facts = self.look(0)
        self.assertEqual(self.states(facts), {
            "system": "info", "driver": "ok", "firmware": "ok", "cann": "ok", "kernels": "ok", "npu-smi": "info",
            "devices": "ok", "users": "info", "python": "ok", "torch": "ok", "torch_npu": "ok", "numpy": "ok",
            "pypto": "ok", "versions": "ok", "libraries": "ok", "variables": "info", "memory": "ok"})
        self.assertIn("Made Up 1", facts["system"]["value"])
        self.assertEqual(facts["driver"]["value"], "24.1.rc3")
        self.assertEqual(facts["cann"]["value"], f"8.0.RC3 ({HOME})")
        self.assertEqual(facts["kernels"]["value"], "ascend910b")
        self.assertEqual(facts["python"]["value"], "3.10")
        self.assertEqual([facts[name]["value"] for name in ("torch", "torch_npu", "numpy", "pypto")],
                         ["2.1.0", "2.1.0.post8", "1.26.4", "8.0.0"])
        self.assertEqual(facts["libraries"]["value"], "7 checked, 0 missing")
        self.assertEqual(facts["variables"]["value"], f"{len(self.variables)} set in this shell, not in --root")
        self.assertEqual(facts["variables"]["details"], [f"{name}={value}" for name, value in self.variables.items()])
        self.assertTrue(all(fact["recipe"] is None for fact in facts.values()))

    def test_variables(self):
        """Without set_env.sh: CANN is there, but the loader does not find all of it."""
        self.variables = {}
        facts = self.look(1)
        self.assertEqual((facts["cann"]["state"], facts["libraries"]["state"]), ("bad", "bad"))
        self.assertIn("set_env.sh", facts["cann"]["recipe"])
        self.assertIn("set them to what programs in that root use", facts["cann"]["recipe"])
        self.assertTrue(facts["libraries"]["recipe"].startswith("start programs in the examined root after"))
        lines = facts["libraries"]["details"]
        self.assertEqual([line.split(",")[0] for line in lines], ["libascendcl.so", "libascend_hal.so"])
        self.assertIn(f"it is in {HOME}/lib64, which", lines[0])
        self.assertIn("it is in /usr/local/Ascend/driver/lib64, which", lines[1])
        self.variables = {"ASCEND_HOME_PATH": "/opt/none", "LD_LIBRARY_PATH": "/opt/gone:relative::/usr/lib"}
        facts = self.look(1)
        self.assertEqual(facts["cann"]["value"], "/opt/none: no such folder")
        self.assertEqual(facts["folders"]["details"], ["LD_LIBRARY_PATH: /opt/gone"])
        # Nothing that is done in this shell installs CANN in another root.
        self.assertTrue(facts["cann"]["recipe"].startswith("install the CANN toolkit in the examined root"))
        self.assertNotIn("in this shell", facts["cann"]["recipe"])
        self.assertIn("the examined root does not have what this shell's variables name", facts["folders"]["recipe"])

    def test_versions(self):
        site = self.folder / "root" / SITE
        os.rename(site / "torch-2.1.0.dist-info", site / "torch-2.6.0+cpu.dist-info")
        os.rename(site / "pypto-0.2.1.dist-info", site / "pypto-9.2.0.dist-info")
        (site / "pypto-9.2.0.dist-info" / "METADATA").write_text("X-Run-Version: 9.2.0\n", encoding="utf-8")
        self.assertEqual(self.look(1)["versions"]["details"],
                         ["torch 2.6.0+cpu, torch_npu 2.1.0.post8", "PyPTO 9.2.0, CANN 8.0.RC3"])
        os.rename(site / "torch-2.6.0+cpu.dist-info", site / "torch-2.1.0.dist-info")
        os.rename(site / "pypto-9.2.0.dist-info", site / "other-9.2.0.dist-info")
        os.rename(site / "numpy-1.26.4.dist-info", site / "numpy-2.0.1.dist-info")
        facts = self.look(1)
        self.assertEqual(facts["versions"]["details"], ["torch 2.1.0, numpy 2.0.1"])
        self.assertEqual((facts["pypto"]["state"], facts["versions"]["recipe"]), ("bad", "pip install 'numpy<2'"))
        # A torch_npu for a newer CANN; and one that the table does not know is not judged.
        os.rename(site / "numpy-2.0.1.dist-info", site / "numpy-1.26.4.dist-info")
        for version, misfit in (("2.7.1", ["torch_npu 2.7.1, CANN 8.0.RC3 (>= 8.2)"]), ("2.99.0", [])):
            for name in ("torch", "torch_npu"):
                old = [entry for entry in os.listdir(site) if entry.startswith(name + "-")][0]
                os.rename(site / old, site / f"{name}-{version}.dist-info")
            self.assertEqual(self.look(1)["versions"]["details"], misfit)

    def test_libraries(self):
        self.write(f"{self.toolkit}/lib64/libruntime.so", library(["libnothing.so.1", "libascend_hal.so"]))
        facts = self.look(1)
        self.assertEqual(len(facts["libraries"]["details"]), 1)
        self.assertRegex(facts["libraries"]["details"][0],
                         r"\Alibnothing.so.1, needed by .*/libruntime.so: not in any searched folder\Z")
        self.write(f"{self.toolkit}/lib64/libnothing.so.1", library(machine=OTHER))
        self.assertIn("for another processor", self.look(1)["libraries"]["details"][0])
        # DT_RPATH counts without DT_RUNPATH only.
        self.write("root/opt/own/libnothing.so.1", library())
        self.write(f"{self.toolkit}/lib64/libruntime.so", library(["libnothing.so.1"], rpath="/opt/own"))
        self.assertEqual(self.look(0)["libraries"]["state"], "ok")
        self.write(f"{self.toolkit}/lib64/libruntime.so",
                   library(["libnothing.so.1"], rpath="/opt/own", runpath="/opt/else"))
        self.assertEqual(self.look(1)["libraries"]["state"], "bad")
        # Two that need each other come to an end.
        self.write(f"{self.toolkit}/lib64/libruntime.so", library(["libascendcl.so", "libascend_hal.so"]))
        self.assertEqual(self.look(0)["libraries"]["state"], "ok")

    def test_users(self):
        os.makedirs(self.folder / "root/proc/123/fd")
        self.write("root/proc/123/comm", "python3\n")
        for number, target in (("3", "/dev/null"), ("5", "/dev/davinci0"), ("6", "/dev/davinci0")):
            os.symlink(target, self.folder / "root/proc/123/fd" / number)
        facts = self.look(0)
        self.assertEqual((facts["users"]["state"], facts["users"]["details"]),
                         ("warning", ["123 python3: /dev/davinci0"]))
        os.remove(self.folder / "root/dev/davinci_manager")
        self.assertIn("davinci_manager", self.look(0)["devices"]["recipe"])
        os.remove(self.folder / "root/dev/davinci0")
        facts = self.look(0)
        self.assertEqual(facts["devices"]["value"], "none")
        self.assertNotIn("users", facts)

    def test_hostile(self):
        """Damaged objects, links out of the tree, pipes where files should be."""
        drawn = random.Random(5)
        whole = library(["liba.so", "libb.so"], soname="libx.so", runpath="/a:/b")
        path = f"{self.toolkit}/lib64/libascendcl.so"
        for _ in range(60):
            damaged = bytearray(whole[:drawn.randrange(1, len(whole) + 1)])
            for _ in range(drawn.randrange(4)):
                damaged[drawn.randrange(len(damaged))] = drawn.randrange(256)
            self.write(path, bytes(damaged))
            self.write("root/etc/ld.so.cache", cache([("libc.so.6", "/x")])[:drawn.randrange(100)])
            env = dict(self.variables)
            done = call("doctor", "--env", "--root", self.folder / "root", env=env)
            self.assertIn(done.status, (0, 1))
            self.assertEqual(done.err, "")
        outside = self.write("secret", "Version=outside\n")
        info = self.folder / "root/usr/local/Ascend/firmware/version.info"
        os.remove(info)
        os.symlink("../" * 40 + str(outside)[1:], info)
        self.write(path, whole)
        self.assertEqual(self.look(1)["firmware"]["value"], "not found")
        os.remove(info)
        os.mkfifo(info)
        self.assertEqual(self.look(1)["firmware"]["value"], "not found")

    def test_nothing(self):
        os.rename(self.folder / "root", self.folder / "away")
        os.mkdir(self.folder / "root")
        self.variables = {}
        facts = self.look(1)
        self.assertEqual([facts[name]["state"] for name in ("driver", "cann", "python", "libraries")],
                         ["warning", "bad", "bad", "not checked"])
        self.assertNotIn("torch", facts)

    def test_text(self):
        self.variables = {"ASCEND_HOME_PATH": "/opt/\x1b[31mnone"}
        done = call("doctor", "--env", "--root", self.folder / "root", env=self.variables)
        self.assertEqual(done.status, 1)
        self.assertRegex(done.out, r"(?m)^Driver      ok           24\.1\.rc3$")
        self.assertRegex(done.out, r"(?m)^What to do\n(  .*\n)*  CANN: install the CANN toolkit")
        self.assertNotIn("\x1b", done.out)
        chinese = call("doctor", "--env", "--lang", "zh", "--root", self.folder / "root", env=self.variables).out
        self.assertRegex(chinese, r"(?m)^驱动        正常         24\.1\.rc3$")

    def test_machine(self):
        """This machine, whatever it has: an answer in both forms, and nothing on standard error."""
        done = call("doctor", "--env", cwd=self.folder)
        self.assertIn(done.status, (0, 1))
        self.assertEqual(done.err, "")
        self.assertRegex(done.out, r"(?m)^Python      ok           3\.\d+\.\d+ \(/.*\)$")

    def test_arguments(self):
        for words in (("--root", "/"), ("--env", "."), ("--env", "--root", self.folder / "none")):
            done = call("doctor", *words)
            self.assertEqual((done.status, done.out), (2, ""), words)
            self.assertIn("pypto-lint: ", done.err)


if __name__ == "__main__":
    support.main()
