"""What the two halves of verify's matrix share: suites, names of files, the place of a fault."""
from harness_support import FAKE_NPU
from operators import case

ONE = [case("L2_only", "L2", atol=1e-4, rtol=1e-4)]
IMPL2 = "modules/duet_module12_impl.py"
GOLDEN2 = "modules/duet_module12_golden.py"
CALL = "    duet_module12_kernel(x, y, p, q)\n"
NPU = {"PYTHONPATH": FAKE_NPU, "ASCEND_HOME_PATH": "/opt/no-such-ascend"}
