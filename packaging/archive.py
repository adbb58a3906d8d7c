"""Reproducible archives: their bytes depend on the files alone (sorted names, one time, no owners)."""
import gzip
import hashlib
import io
import os
import pathlib
import tarfile
import time
import zipfile

level = 9  # of compression
EARLIEST_ZIP = 315532800  # 1980, the earliest time that a zip file can state


def is_executable(path):
    return bool(path.stat().st_mode & 0o111)


def files_below(folder):
    """Relative paths of all files, sorted as bytes; symbolic links count as what they point to."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [pathlib.Path(place, name).relative_to(folder) for name in names]
    return sorted(found, key=lambda path: os.fsencode(str(path)))


def write_tar_gz(target, entries, epoch):
    """Writes `entries`: {name in the archive: path of a file, or its content as bytes}."""
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", level, raw, mtime=epoch) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, source in sorted(entries.items(), key=lambda entry: os.fsencode(entry[0])):
            content = source if isinstance(source, bytes) else source.read_bytes()
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), epoch
            member.mode = 0o755 if not isinstance(source, bytes) and is_executable(source) else 0o644
            archive.addfile(member, io.BytesIO(content))


def write_zip(target, entries, epoch):
    """Writes `entries`: [(name, content, is it executable)], in this order."""
    when = time.gmtime(max(epoch, EARLIEST_ZIP))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, content, executable in entries:
            member = zipfile.ZipInfo(name, when)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # Unix, so that the mode is used
            member.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(member, content)


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
