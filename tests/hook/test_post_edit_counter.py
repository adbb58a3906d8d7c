#!/usr/bin/env python3
"""post-edit: blocks in a row are counted, outside of the repository."""
import json
import os
import time

from hook_support import BAD_IMPL, CLEAN_GOLDEN, OLD, main
from post_edit_support import PostEditTest

BAD_GOLDEN = "import pypto\n" + CLEAN_GOLDEN


class Counter(PostEditTest):
    def test_the_fifth_block_in_a_row_says_stop(self):
        op = self.operator(impl=BAD_IMPL)
        for count in range(1, 8):
            reason = self.edit(op / "rowscale_impl.py").reason
            self.assertEqual("Blocked five times in a row" in reason, count >= 5, count)
        self.assertIn(" OL07 rowscale_impl.py:2", reason.splitlines()[-1])
        self.rewrite(op, "rowscale_impl.py", "\n" + BAD_IMPL)  # another line: counts anew
        self.assertNotIn("five times", self.edit(op / "rowscale_impl.py").reason)

    def test_a_clean_edit_ends_the_row(self):
        op = self.operator()
        path = op / "rowscale_golden.py"
        for text in [BAD_GOLDEN] * 4 + [CLEAN_GOLDEN] + [BAD_GOLDEN] * 4:
            self.rewrite(op, "rowscale_golden.py", text)
            answer = self.edit(path)
            self.assertNotIn("five times", answer.reason)
        self.assertIn("five times", self.edit(path).reason)

    def test_where_the_counter_lives(self):
        op = self.operator(impl=BAD_IMPL)
        before = self.snapshot()
        self.edit(op / "rowscale_impl.py")
        self.assertEqual(self.snapshot(), before)
        self.assertEqual(len(list(self.cache.iterdir())), 1)
        other = self.home / "other"
        self.edit(op / "rowscale_impl.py", env={"XDG_CACHE_HOME": str(other)})
        self.assertEqual(len(list((other / "pypto-lint").iterdir())), 1)

    def test_never_in_the_repository(self):
        op = self.operator(impl=BAD_IMPL)
        (self.folder / "custom/.git").mkdir()
        (self.folder / "custom/.git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        before = self.snapshot()
        for cache in (op / "cache", self.folder / "custom/cache", "relative", ""):
            answer = self.edit(op / "rowscale_impl.py", cwd=op,
                               env={"XDG_CACHE_HOME": str(cache), "HOME": "nowhere"})
            self.assertBlocks(answer)
        self.assertEqual(self.snapshot(), before)

    def test_a_lost_or_hostile_cache_is_harmless(self):
        op = self.operator(impl=BAD_IMPL)
        path = op / "rowscale_impl.py"
        self.edit(path)
        slot = next(self.cache.iterdir())
        for content in (b"", b"\xff" * 100, f"{path}\n".encode() + b"99999999999999999 OL07 2 x\n",
                        b"x" * 1000000, f"{path}\n-5 OL07 2 rowscale_impl.py\n".encode()):
            slot.write_bytes(content)
            self.assertBlocks(self.edit(path), "OL07")
        slot.unlink()
        slot.mkdir()
        self.assertBlocks(self.edit(path), "OL07")
        slot.rmdir()
        slot.symlink_to(self.folder / "target")
        self.assertBlocks(self.edit(path), "OL07")
        self.assertFalse((self.folder / "target").exists())
        for folder in ("/dev/null", "/proc", str(path)):
            answer = self.edit(path, env={"XDG_CACHE_HOME": folder})
            self.assertBlocks(answer, "OL07")
            self.assertEqual(answer.err, "")

    def test_old_counts_are_forgotten(self):
        op = self.operator(impl=BAD_IMPL)
        for _ in range(4):
            self.edit(op / "rowscale_impl.py")
        slot = next(self.cache.iterdir())
        long_ago = time.time() - 7 * 3600
        os.utime(slot, (long_ago, long_ago))
        self.assertNotIn("five times", self.edit(op / "rowscale_impl.py").reason)

    def test_old_files_are_deleted(self):
        """By the first block of another file; what is young, or not the counter's, stays."""
        op = self.operator(impl=BAD_IMPL)
        self.edit(op / "rowscale_impl.py")
        first = next(self.cache.iterdir())
        young, foreign = self.cache / "blocks-0123456789abcdef", self.cache / "names"
        young.write_text("/other/file.py\n1 OL07 2 file.py\n", encoding="utf-8")
        foreign.write_text("", encoding="utf-8")
        long_ago = time.time() - 7 * 3600
        for path in (first, foreign):
            os.utime(path, (long_ago, long_ago))
        self.rewrite(op, "rowscale_golden.py", BAD_GOLDEN)
        self.edit(op / "rowscale_golden.py")
        left = set(self.cache.iterdir())
        self.assertTrue({young, foreign} < left)
        self.assertNotIn(first, left)
        self.assertEqual(len(left), 3)

    def test_answers_are_the_same_every_time(self):
        op = self.operator(impl=BAD_IMPL)
        answers = {self.edit(op / "rowscale_impl.py", OLD, env={"HOME": ""}).out for _ in range(4)}
        self.assertEqual(len(answers), 1)
        self.assertEqual(json.loads(answers.pop())["hookSpecificOutput"]["decision"], "block")


if __name__ == "__main__":
    main()
