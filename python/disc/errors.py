"""The errors that a user of `disc` may catch."""


class DiscError(Exception):
    """Base of every error this package raises."""


class CompileError(DiscError):
    """The model was refused or the compiler failed; the text names op, place and reason.

    `diagnostics` holds the compiler's own output. `reproducer` is the path of the module where it was kept: when the
    compiler crashed or did not finish, or with `keep_module`; else None.
    """

    def __init__(self, message: str, diagnostics: str = "", reproducer: str | None = None) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics
        self.reproducer = reproducer


class ExecutionError(DiscError):
    """A call failed at run time: wrong inputs, a failed size check, or no memory. The model stays usable."""
