"""torch_npu.dynamo: where the product's torch_npu also keeps torchair."""
import sys

import torchair  # noqa: F401  (part of the interface)

sys.modules[__name__ + ".torchair"] = torchair
