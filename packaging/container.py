"""Images as OCI layouts, made without a container engine; here the one with the linter alone, of one layer.

simulator_image.py makes the one with simulator and torch. packaging/Containerfile describes both for use with an engine.
"""
import datetime
import gzip
import hashlib
import io
import json

import archive
import tree

MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
OCI = "application/vnd.oci.image"


def encode(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def unpacked_sha256(packed):
    """The digest of what a gzipped archive contains, which may be large."""
    digest = hashlib.sha256()
    with gzip.open(io.BytesIO(packed)) as unpacked:
        for part in iter(lambda: unpacked.read(1 << 20), b""):
            digest.update(part)
    return digest.hexdigest()


class Layout:
    """Files of an OCI layout, by path."""

    def __init__(self):
        self.files = {"oci-layout": encode({"imageLayoutVersion": "1.0.0"})}

    def add(self, kind, content):
        """Stores a blob and returns its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = content
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}


def pack(out, name, architecture, layers, config, title="pypto-lint"):
    """Writes the image as an OCI layout into `out`. `layers`: gzipped archives, the base first; `config`: what an engine
    starts and where; `title`: the name that the image has once an engine has loaded it, with the version as its tag."""
    layout = Layout()
    described = [layout.add(f"{OCI}.layer.v1.tar+gzip", layer) for layer in layers]
    created = datetime.datetime.fromtimestamp(tree.epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {"org.opencontainers.image.title": title, "org.opencontainers.image.version": tree.version()}
    config = layout.add(f"{OCI}.config.v1+json", encode({
        "created": created, "architecture": MACHINES[architecture], "os": "linux",
        "config": {"WorkingDir": "/project", "Labels": labels, **config},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{unpacked_sha256(layer)}" for layer in layers]},
        "history": [{"created": created, "created_by": "packaging/container.py"} for _ in layers]}))
    manifest = layout.add(f"{OCI}.manifest.v1+json", encode({
        "schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": config, "layers": described}))
    manifest["annotations"] = {"org.opencontainers.image.ref.name": f"{title}:{tree.version()}"}
    layout.files["index.json"] = encode({"schemaVersion": 2, "manifests": [manifest]})
    archive.write_tar_gz(out / name, layout.files, tree.epoch())


def write(out, work, architecture, staged):
    """Writes pypto-lint-VERSION-oci-ARCHITECTURE.tar.gz into `out` and returns its name; `work` is for temporary files."""
    layer = work / "layer.tar.gz"
    archive.write_tar_gz(layer, {"bin/pypto-lint": staged / "bin/pypto-lint", "project/.keep": b""}, tree.epoch())
    name = f"pypto-lint-{tree.version()}-oci-{architecture}.tar.gz"
    pack(out, name, architecture, [layer.read_bytes()], {"Entrypoint": ["/bin/pypto-lint"]})
    return name
