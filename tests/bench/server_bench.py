#!/usr/bin/env python3
"""Measures the language server as a client sees it: from a keystroke to its diagnostics. Not a test.

    cmake --preset release && cmake --build --preset release --target pypto-lint
    tests/bench/server_bench.py build/release/bin/pypto-lint [--edits N] [--size 10k|40k|one] [--breaks]

One kernel file of about 40 KB is open, with many functions or (`one`) a single one. Each edit is one incremental change of one character, sent when the
diagnostics of the one before have come; measured is the time until those of its own version are there. The time
that the client needs to read a message is in it. Printed are median, 95th percentile and the most, and the
processor time, which a busy machine changes less. With --breaks every second edit opens a parenthesis.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


ONE = """import pypto


@pypto.frontend.jit
def long_kernel(x: pypto.Tensor([1024, 512], pypto.DT_FP32), y: pypto.Tensor([1024, 512], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 512)
    for block in pypto.loop(16, name="blocks", idx_name="block"):
        value_0 = pypto.view(x, [64, 512], [block * 64, 0])
"""
STEP = """        # a softmax of the values before
        row_max_{0} = pypto.amax(value_{0}, -1, keepdim=True)
        power_{0} = pypto.exp(pypto.sub(value_{0}, row_max_{0}))
        value_{1} = pypto.div(power_{0}, pypto.sum(power_{0}, -1, keepdim=True))
"""


def make_file(folder, size):
    """One of the kernel files that the other benchmarks use, or one with a single long function."""
    if size == "one":
        text, steps = ONE, 0
        while len(text) < 40000:
            text += STEP.format(steps, steps + 1)
            steps += 1
        path = pathlib.Path(folder, "kernel_one_impl.py")
        path.write_text(text + f"        pypto.assemble(value_{steps}, [block * 64, 0], y)\n", "utf-8")
        return path
    subprocess.run([sys.executable, "-B", pathlib.Path(__file__).with_name("make_corpus.py"), folder, "0"], check=True)
    return pathlib.Path(folder, f"kernel_{size}_impl.py")


class Client:
    """As little as possible between the pipe and the clock."""

    def __init__(self, binary):
        self.process = subprocess.Popen([binary, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def take(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            length = int(line.partition(b":")[2])
        return self.process.stdout.read(length)

    def wait_for(self, words):
        while words not in self.take():
            pass


def processor_ms(pid):
    """What the server and its workers have used, by the scheduler's own count."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        pids = [pid, *map(int, file.read().split())]
    total = 0
    for one in pids:
        with open(f"/proc/{one}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e6


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("--edits", type=int, default=500)
    arguments.add_argument("--size", choices=["10k", "40k", "one"], default="40k")
    arguments.add_argument("--breaks", action="store_true")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = make_file(folder, options.size)
        text = path.read_text("utf-8")
        uri = path.as_uri()
        client = Client(options.binary)
        client.send(id=1, method="initialize", params={"processId": None, "capabilities": {}})
        client.wait_for(b'"id":1')
        client.send(method="initialized", params={})
        client.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "python", "version": 0, "text": text}})
        client.wait_for(b'"version":0')
        # A name in the middle of the file, to which a letter is added and taken away again.
        lines = text.split("\n")
        line = next(number for number in range(len(lines) // 2, len(lines)) if " = " in lines[number])
        column = len(lines[line]) - len(lines[line].lstrip())
        letter = "(" if options.breaks else "x"
        times, used = [], processor_ms(client.process.pid)
        for version in range(1, options.edits + 1):
            adds = version % 2 == 1
            change = {"range": {"start": {"line": line, "character": column},
                                "end": {"line": line, "character": column + (not adds)}}, "text": letter * adds}
            begin = time.perf_counter()
            client.send(method="textDocument/didChange", params={
                "textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
            client.wait_for(b'"version":%d,' % version)
            times.append((time.perf_counter() - begin) * 1e3)
            time.sleep(0.005)
        used = (processor_ms(client.process.pid) - used) / options.edits
        client.send(id=2, method="shutdown")
        client.wait_for(b'"id":2')
        client.send(method="exit")
        client.process.wait()
    times.sort()
    print(f"{len(text)} bytes, {len(times)} edits: median {statistics.median(times):.2f} ms, 95th percentile "
          f"{times[int(len(times) * 0.95)]:.2f} ms, most {times[-1]:.2f} ms; processor time of the server and its "
          f"workers {used:.2f} ms an edit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
