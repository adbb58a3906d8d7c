"""The folder that a simulation by the product leaves behind, for programs that look for it:
output/output_TIME_PID/CostModelSimulationOutput/merged_swimlane.json, a Chrome trace without events.
`pypto-lint run --trace FILE` writes one with events."""
import json
import os
import sys
import time

from .. import _diagnose

_told = set()


def leave(kernel, debug_mode):
    """Writes the output folder of one kernel, if it can be written."""
    if os.environ.get("PTOSIM_OUTPUT") == "0":  # the harness, which keeps folders as they are
        return
    base = os.environ.get("TILE_FWK_OUTPUT_DIR") or "output"
    name = "output_%s_%06d_%d" % (time.strftime("%Y%m%d_%H%M%S"),
                                  time.time_ns() // 1000 % 1000000, os.getpid())
    folder = os.path.join(base, name, "CostModelSimulationOutput")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "merged_swimlane.json"), "w", encoding="utf-8") as file:
            json.dump({"traceEvents": [], "displayTimeUnit": "ns",
                       "otherData": {"kernel": kernel, "simulator": "pypto-lint"}}, file)
    except OSError as error:
        if "folder" not in _told:
            _told.add("folder")
            print("pypto: note: %s: %s; the product would write its simulation's results there"
                  % (folder, error.strerror or error), file=sys.stderr)
    if debug_mode:
        _diagnose.tell_once(0, 0, "no-dump", (
            "with runtime_debug_mode the product also writes program.json, dyn_topo.txt and "
            "tilefwk_L1_prof_data.json; the simulator does not"), None, 0, kernel)
