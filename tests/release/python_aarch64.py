"""The Python of a sysroot for 64-bit ARM, under qemu."""
import shutil


def python_of(sysroot):
    """The words that start the sysroot's Python under qemu; None where it lacks torch."""
    emulator = shutil.which("qemu-aarch64-static")
    python = sysroot / "usr/bin/python3"
    if emulator is None or not python.exists() or not (sysroot / "usr/lib/python3/dist-packages/torch").exists():
        return None
    # Alternatives, which packages set up when they are installed.
    folders = [str(path) for path in sysroot.glob("usr/lib/aarch64-linux-gnu/*") if path.name in ("blas", "lapack")]
    return [emulator, "-L", str(sysroot), "-E", "LD_LIBRARY_PATH=" + ":".join(folders),
            "-E", f"PYTHONHOME={sysroot}/usr", str(python)]
