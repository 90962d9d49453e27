"""The exception for a part or setting that this machine lacks."""

CONFIGURATION = 2
ENVIRONMENT = 4


class Failure(Exception):
    """One line that says what is wrong and what to do, and the exit code."""

    def __init__(self, exit_code: int, message: str):
        super().__init__(message)
        self.exit_code = exit_code
