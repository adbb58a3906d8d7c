#!/usr/bin/env python3
"""Documents as the client has them: edits, encodings, line ends, addresses.

Usage: test_sync.py PYPTO_LINT
"""
import os
import random

import lsp
from kernels import HEAD, BODY, KERNEL, TILE, TILE_LINE, codes, place, rule

WIDE = "𝒳é🎉漢"  # 2, 1, 2 and 1 units of UTF-16; 4, 2, 4 and 3 bytes


class Sync(lsp.ServerTest):
    def begin(self, text=KERNEL, encodings=("utf-16",), name="k.py", **more):
        path = self.write(name, "")
        server = self.server()
        capabilities = {**lsp.FULL, "general": {"positionEncodings": list(encodings)}}
        self.result = server.start(self.folder, capabilities=capabilities, **more)
        server.open(path, text)
        return server, path

    def test_full(self):
        server, path = self.begin()
        self.assertEqual(place(rule(server.diagnostics(path), "OL48")), TILE)
        server.change(path, KERNEL.replace("rows, 128", "16, 128"))
        self.assertNotIn("OL48", codes(server.diagnostics(path)))
        server.change(path, "\n\n" + KERNEL)
        self.assertEqual(place(rule(server.diagnostics(path), "OL48"))[0], TILE_LINE + 2)

    def test_incremental(self):
        server, path = self.begin()
        server.diagnostics(path)
        server.change(path, (TILE[0], TILE[1], TILE[2], TILE[3], "16"))
        self.assertNotIn("OL48", codes(server.diagnostics(path)))
        server.change(path, (TILE[0], TILE[1], TILE[2], TILE[1] + 2, "rows"), (0, 0, 0, 0, "# a\r\n# b\n"))
        self.assertEqual(place(rule(server.diagnostics(path), "OL48"))[0], TILE_LINE + 2)

    def test_encodings(self):
        line = f'    note = "{WIDE}"; pypto.set_vec_tile_shapes(rows, 128)'
        text = KERNEL.replace("    pypto.set_vec_tile_shapes(rows, 128)", line)
        before = line[:line.index("rows")]
        expected = {"utf-16": len(before.encode("utf-16-le")) // 2, "utf-8": len(before.encode("utf-8")),
                    "utf-32": len(before)}
        self.assertEqual(len(set(expected.values())), 3)
        for encoding, character in expected.items():
            server, path = self.begin(text, [encoding, "utf-16"], name=f"{encoding.replace('-', '')}.py")
            self.assertEqual(self.result["capabilities"]["positionEncoding"], encoding)
            self.assertEqual(place(rule(server.diagnostics(path), "OL48"))[1], character)
            # An edit is counted in the same units: `rows` becomes a literal.
            server.change(path, (TILE_LINE, character, TILE_LINE, character + 4, "16"))
            self.assertNotIn("OL48", codes(server.diagnostics(path)))

    def test_utf16_is_the_default(self):
        for offered in ([], ["latin-1"]):
            self.begin(encodings=offered, name=f"{len(offered)}.py")
            self.assertEqual(self.result["capabilities"]["positionEncoding"], "utf-16")

    def test_line_ends(self):
        for index, end in enumerate(("\r\n", "\r", "\n")):
            server, path = self.begin(KERNEL.replace("\n", end), name=f"k{index}.py")
            self.assertEqual(place(rule(server.diagnostics(path), "OL48")), TILE)
            server.change(path, (0, 0, 0, 0, end), (TILE_LINE + 1, TILE[1], TILE_LINE + 1, TILE[3], "16"))
            self.assertNotIn("OL48", codes(server.diagnostics(path)))

    def test_places_that_are_not_there(self):
        server, path = self.begin("x = 1\n")
        server.change(path, (900, 900, 900, 900, KERNEL), (0, 900, 0, 900, "0"), (5, 0, 2, 0, ""))
        self.assertEqual(codes(server.diagnostics(path)), ["OL08", "OL29", "OL48"])

    def test_byte_order_mark(self):
        server, path = self.begin("\ufeff" + KERNEL)
        self.assertEqual(place(rule(server.diagnostics(path), "OL48")), TILE)

    def test_half_a_pair(self):
        server, path = self.begin(KERNEL.replace("    rows =", "    # \ud83d\n    rows ="))
        self.assertEqual(place(rule(server.diagnostics(path), "OL48"))[0], TILE_LINE + 1)

    def test_addresses(self):
        for name in ("with blank.py", "é漢.py", "a#b%c?.py"):
            server, path = self.begin(name=name)
            self.assertEqual(place(rule(server.diagnostics(path), "OL48")), TILE)
            # Another spelling of the same address stays what the client wrote.
            server.close(path)
            address = lsp.uri(path).replace("k", "%6B").replace("/", "%2F", 0)
            server.notify("textDocument/didOpen", {"textDocument": {
                "uri": address, "languageId": "python", "version": 7, "text": KERNEL}})
            while not any(params["uri"] == address for params in server.pushed):
                self.assertTrue(server.take())

    def test_over_a_link(self):
        self.write("real/k.py", "")
        os.symlink(self.folder / "real", self.folder / "link")
        path = self.folder / "link/k.py"
        server = self.server()
        server.start(self.folder)
        server.open(path, KERNEL)
        self.assertEqual(place(rule(server.diagnostics(path), "OL48")), TILE)

    def test_other_schemes(self):
        server, path = self.begin()
        server.notify("textDocument/didOpen", {"textDocument": {
            "uri": "untitled:Untitled-1", "languageId": "python", "version": 1, "text": KERNEL}})
        self.assertIsNone(server.ask("textDocument/hover", {"textDocument": {"uri": "untitled:Untitled-1"},
                                                            "position": {"line": 0, "character": 0}}))
        self.assertEqual(server.ask("textDocument/diagnostic", {"textDocument": {"uri": "git:/x"}})["items"], [])
        server.diagnostics(path)
        self.assertTrue(all(params["uri"] == lsp.uri(path) for params in server.pushed))

    def test_a_file_that_is_not_on_disk(self):
        server, path = self.begin()
        os.unlink(path)
        server.change(path, KERNEL)
        self.assertEqual(codes(server.diagnostics(path)), ["OL08", "OL29", "OL48"])

    def test_random_edits(self):
        """After any edits the server finds what it finds in the whole text."""
        choice = random.Random(20)
        pieces = ["\r", "\n", "\r\n", "🎉", "é", "rows", "16", "", " ", "# ", '"""', "(", KERNEL[:80], "\u2028"]
        server, path = self.begin()
        server.diagnostics(path)
        other = self.write("other/k.py", "")
        server.open(other, KERNEL)
        server.diagnostics(other)
        text = KERNEL
        for _ in range(60):
            edits = []
            for _ in range(choice.randint(1, 4)):
                start = choice.randint(0, len(text))
                end = min(len(text), start + choice.choice((0, 0, 1, 3, 40)))
                start, end = outside_of_ends(text, start), outside_of_ends(text, end)
                piece = choice.choice(pieces)
                edits.append((*position(text, start), *position(text, end), piece))
                text = text[:start] + piece + text[end:]
            if choice.random() < 0.2:
                edits, text = [KERNEL], KERNEL
            server.change(path, *edits)
            server.change(other, text)
            self.assertEqual(plain(server.diagnostics(path)), plain(server.diagnostics(other)), repr(text))


def plain(items):
    """Without the name of the file."""
    return [{**item, "relatedInformation": [{**related, "location": related["location"]["range"]}
                                            for related in item.get("relatedInformation", [])]} for item in items]


def outside_of_ends(text, offset):
    """No client has a place within CR LF."""
    return offset - 1 if text[offset - 1:offset + 1] == "\r\n" else offset


def position(text, offset):
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.rpartition("\n")[2]
    return before.count("\n"), len(line.encode("utf-16-le")) // 2


if __name__ == "__main__":
    assert HEAD + BODY == KERNEL
    lsp.main()
