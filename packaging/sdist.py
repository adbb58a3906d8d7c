"""The source archive. It contains the C sources of the parser, so that it builds without a network."""
import archive
import tree
import wheel


def write(folder):
    """Writes pypto_lint-VERSION.tar.gz into `folder` and returns its name."""
    name = f"pypto_lint-{tree.version()}"
    entries = {f"{name}/{path}": file for path, file in tree.shipped_files().items()}
    entries[f"{name}/PKG-INFO"] = wheel.metadata()
    entries[f"{name}/{tree.COMMIT_FILE}"] = f"{tree.commit() or 'unknown'}\n".encode()
    archive.write_tar_gz(folder / f"{name}.tar.gz", entries, tree.epoch())
    return f"{name}.tar.gz"
