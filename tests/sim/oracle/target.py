"""What a random kernel is written for: the product's version, its front end, and the chip."""


class Target:
    """`is_new`: the front end that carries rebound names from iteration to iteration."""

    def __init__(self, pypto="9.1", is_new=None, soc=None):
        self.pypto, self.soc = pypto, soc
        self.is_new = pypto == "9.2" if is_new is None else is_new
        self.is_950 = soc is not None and soc.startswith("950")

    def code(self, code):
        """The number that an error has in this version."""
        return {"F74007": "F74008"}.get(code, code) if self.pypto == "9.2" else code

    def decorator(self):
        old = self.pypto == "9.2" and not self.is_new
        return "@pypto.frontend.jit" + ("(new_ir=False)" if old else "")

    def environment(self):
        """Variables of the simulator's process."""
        values = {"PTOSIM_RUN_MODE": "SIM", "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
                  "PTOSIM_PYPTO": self.pypto}
        if self.soc:
            values["PTOSIM_SOC"] = self.soc
        return values
