"""The image with only the linter, as an OCI layout, made without a container engine: one layer with the program.

packaging/Containerfile describes the same image, and one with the simulator, for use with an engine.
"""
import datetime
import gzip
import hashlib
import json

import archive
import tree

MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
OCI = "application/vnd.oci.image"


def encode(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Layout:
    """Files of an OCI layout, by path."""

    def __init__(self):
        self.files = {"oci-layout": encode({"imageLayoutVersion": "1.0.0"})}

    def add(self, kind, content):
        """Stores a blob and returns its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = content
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}


def write(out, work, architecture, staged):
    """Writes pypto-lint-VERSION-oci-ARCHITECTURE.tar.gz into `out` and returns its name; `work` is for temporary files."""
    layer_file = work / "layer.tar.gz"
    archive.write_tar_gz(layer_file, {"bin/pypto-lint": staged / "bin/pypto-lint", "project/.keep": b""}, tree.epoch())
    packed = layer_file.read_bytes()
    layout = Layout()
    layer = layout.add(f"{OCI}.layer.v1.tar+gzip", packed)
    created = datetime.datetime.fromtimestamp(tree.epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = layout.add(f"{OCI}.config.v1+json", encode({
        "created": created, "architecture": MACHINES[architecture], "os": "linux",
        "config": {"Entrypoint": ["/bin/pypto-lint"], "WorkingDir": "/project",
                   "Labels": {"org.opencontainers.image.title": "pypto-lint",
                              "org.opencontainers.image.version": tree.version()}},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(gzip.decompress(packed)).hexdigest()}"]},
        "history": [{"created": created, "created_by": "packaging/container.py"}]}))
    manifest = layout.add(f"{OCI}.manifest.v1+json", encode({
        "schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": config, "layers": [layer]}))
    manifest["annotations"] = {"org.opencontainers.image.ref.name": tree.version()}
    layout.files["index.json"] = encode({"schemaVersion": 2, "manifests": [manifest]})
    name = f"pypto-lint-{tree.version()}-oci-{architecture}.tar.gz"
    archive.write_tar_gz(out / name, layout.files, tree.epoch())
    return name
