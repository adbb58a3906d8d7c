"""python3 -m pypto_lint_worker: reads a job from descriptor 4, writes its result to descriptor 3."""
import os
import sys

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", False):
    del sys.path[0]  # the current folder, whose files must not shadow modules

from . import channel, isolation, jobs, streams


def main():
    """Runs the one job and writes its result."""
    isolation.hide()
    line = channel.open_channel()
    streams.prepare()
    streams.show_crashes()
    line.finish(jobs.run(line.job, line.note))


def start():
    """main for a process of its own. Exit handlers of the implementation do not run: the verdict
    exists, and a library that crashes while it is unloaded must not change it."""
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
