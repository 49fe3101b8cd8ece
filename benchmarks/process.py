"""The parent's side of a worker: it asks, waits, and notices when the worker dies."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from typing import Any

from worker import Job, serve


class PeerError(Exception):
    """The peer refused, failed, crashed or took too long; the text says which."""


class Process:
    def __init__(self, job: Job) -> None:
        fork = multiprocessing.get_context("fork")  # what the parent imported is there already
        self.job, self.dead = job, ""
        self.connection, child = fork.Pipe()
        self.process = fork.Process(target=serve, args=(child, job))
        self.process.start()
        child.close()

    @property
    def session(self) -> int | None:
        return self.process.pid

    def ask(self, *message: Any, timeout: float = 300.0) -> dict[str, Any]:
        """The worker's answer. Raises PeerError."""
        if self.dead:
            raise PeerError(self.dead)
        try:
            self.connection.send(message)
            if self.connection.poll(timeout):
                kind, answer = self.connection.recv()
                if kind == "error":
                    raise PeerError(answer)
                return answer
            self.dead = f"timed out after {timeout:.0f} s in {message[0]}"
            self.process.kill()
        except (EOFError, ConnectionError):
            self.process.join(5)
            code = self.process.exitcode or 0
            how = signal.Signals(-code).name if code < 0 else f"exit {code}"
            self.dead = f"crashed in {message[0]} ({how}), see {self.job.log}"
        raise PeerError(self.dead)

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.send(("quit",))
        self.process.join(3)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
