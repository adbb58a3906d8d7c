"""What the sample programs share: comparing a kernel's output with its torch reference."""
import sys

import torch


class Checks:
    """Collects comparisons; `finish` prints a verdict and gives the exit status."""

    def __init__(self, title):
        self.title = title
        self.failed = 0

    def close(self, name, got, want, atol=1e-5, rtol=1e-5):
        """`got` has the shape and dtype of `want`, and every element is near it."""
        got, want = got.cpu(), want.cpu()
        if got.shape != want.shape or got.dtype != want.dtype:
            print(f"  {name}: {tuple(got.shape)} {got.dtype}, "
                  f"expected {tuple(want.shape)} {want.dtype}")
            self.failed += 1
            return
        error = (got.double() - want.double()).abs()
        worst = error.max().item() if error.numel() else 0.0
        good = bool((error <= atol + rtol * want.double().abs()).all())
        print(f"  {name}: largest difference {worst:.3g}{'' if good else '  TOO LARGE'}")
        self.failed += not good

    def equal(self, name, got, want):
        """As close, with no difference allowed."""
        self.close(name, got, want, 0.0, 0.0)

    def finish(self):
        """Prints PASS or FAIL and leaves the program."""
        print(f"{self.title}: {'FAIL' if self.failed else 'PASS'}")
        sys.exit(1 if self.failed else 0)
