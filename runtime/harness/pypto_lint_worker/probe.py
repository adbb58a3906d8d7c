"""Kind `probe`: can the mode run here? Loading the packages, which came before, showed it."""


def run(job, result, packages):
    """It can."""
    del job, result, packages
