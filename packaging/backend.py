"""The build backend (PEP 517) named in pyproject.toml: compiles with CMake and needs no other Python package."""
import pathlib
import platform
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compile as compilation  # noqa: E402
import licences  # noqa: E402
import sdist  # noqa: E402
import wheel  # noqa: E402


def build_sdist(sdist_directory, config_settings=None):
    del config_settings
    return sdist.write(pathlib.Path(sdist_directory))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel for this machine; only those of a release are checked and tagged for other machines."""
    del config_settings, metadata_directory
    with tempfile.TemporaryDirectory(prefix="pypto-lint-") as work:
        work = pathlib.Path(work)
        compilation.build_here(work / "build", work / "stage")
        target = f"linux_{platform.machine()}"
        return wheel.write(pathlib.Path(wheel_directory), work / "stage", target, licences.text(strict=False))
