"""python3 -m pypto_lint_worker: a job comes from descriptor 4, its result goes to descriptor 3."""
import os
import sys

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", False):
    del sys.path[0]  # the current folder: what lies there must not shadow a module

import faulthandler
import signal

from . import channel, isolation, jobs, streams


def main():
    """Runs the one job. The result is written when it returns."""
    isolation.hide()
    line = channel.open_channel()
    streams.prepare()
    log = streams.keep_stderr()
    faulthandler.enable(log)
    faulthandler.register(signal.SIGTERM, log, chain=True)  # at the time limit: where it was
    line.finish(jobs.run(line.job, line.tell))


def start():
    """main for a process of its own. What the implementation registered for the exit is not run:
    its verdict is made, and a library that crashes when it is unloaded shall not change it."""
    if "--template" in sys.argv[1:]:
        from . import template
        sys.exit(template.main())
    status = 1
    try:
        main()
        status = 0
    except Exception as error:  # ours: a job that cannot be read, a pipe that is gone
        print("pypto-lint worker: %s: %s" % (type(error).__name__, error), file=sys.stderr)
    finally:
        streams.flush()
        os._exit(status)


if __name__ == "__main__":
    start()
