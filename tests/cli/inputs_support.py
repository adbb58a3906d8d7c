"""What tests of inputs share: a check of this folder as JSON, an operator with one mistake."""
import support

KERNEL = """\
import pypto as pt


@pt.frontend.jit
def k(x: pt.Tensor([pt.DYNAMIC, 64], pt.DT_FP32)):
    from pypto import frontend
    return x
"""
BAD_IMPORT = "from pypto import frontend\n"


class InputsTest(support.CliTest):
    def check(self, *args, **options):
        return support.call("check", "--no-exec", "--format", "json", *args,
                            cwd=options.pop("cwd", self.folder), **options)

    def operator(self, folder="soft", impl=BAD_IMPORT):
        name = folder.rpartition("/")[2]
        self.write(f"{folder}/{name}_impl.py", impl)
        self.write(f"{folder}/README.md", "")


def runs(report):
    return report.get("runs", [report]) if report else []


def files(report):
    """"dir/file" of every finding."""
    return sorted({f"{run['op_dir']}/{f['file']}" for run in runs(report) for f in run["findings"]})
