"""Keep children alive: one thread watches them and starts again what died, slower each time it dies soon."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.launcher.processes import Child, LauncherError, tail

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
STEADY_AFTER = 10.0
GLANCE = 0.1


@dataclass(slots=True)
class Post:
    """A place that is to be filled by a running child, and how to fill it again."""

    name: str
    refill: Callable[[], Child]
    child: Child
    started: float = field(default_factory=time.monotonic)
    pause: float = FIRST_PAUSE
    due: float | None = None
    refills: int = 0


class Supervisor:
    """Owns children and restarts those that end; `note` is told, in a sentence, whenever one does.

    The thread lives until `release`, and so do the children it started (the kernel ties a child to
    the thread that made it). Mutable and guarded by one lock; not for use after `release`.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._posts: dict[str, Post] = {}
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    def begin(self) -> None:
        """Start watching."""
        self._thread.start()

    def fill(self, name: str, child: Child, refill: Callable[[], Child]) -> None:
        """Put `child` under watch as `name`; `refill` starts its successor when it dies."""
        with self._lock:
            self._posts[name] = Post(name, refill, child)

    def child(self, name: str) -> Child:
        """Return the child that fills the post now; it may just have died."""
        with self._lock:
            return self._posts[name].child

    def names(self) -> tuple[str, ...]:
        """List the posts in the order they were filled."""
        with self._lock:
            return tuple(self._posts)

    def refills(self, name: str) -> int:
        """Tell how often the post was filled again."""
        with self._lock:
            return self._posts[name].refills

    def release(self) -> list[Child]:
        """Stop watching and hand back the children, the last started first. They still run."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            return [post.child for post in reversed(self._posts.values())]

    def _watch(self) -> None:
        while not self._over.wait(GLANCE):
            with self._lock:
                for post in self._posts.values():
                    if not post.child.is_alive and not self._over.is_set():
                        self._see_to(post)

    def _see_to(self, post: Post) -> None:
        now = time.monotonic()
        if post.due is None:
            if now - post.started > STEADY_AFTER:
                post.pause = FIRST_PAUSE
            post.due = now + post.pause
            post.pause = min(2 * post.pause, LONGEST_PAUSE)
            code = post.child.process.returncode
            self._note(f"{post.name} ended ({reason(code)}); starting it again\n{tail(post.child.program.output, 4)}")
        if now < post.due:
            return
        try:
            post.child = post.refill()
        except (LauncherError, OSError) as problem:
            self._note(f"{post.name} cannot be started again: {problem}")
            post.due = now + post.pause
            post.pause = min(2 * post.pause, LONGEST_PAUSE)
            return
        post.started, post.due = now, None
        post.refills += 1


def reason(code: int | None) -> str:
    """Put a return code in words."""
    if code is None:
        return "still running"
    return f"signal {-code}" if code < 0 else f"exit code {code}"
