"""Pages in Chromium: at three widths, light and dark, without scripts. What a page looks like is measured by a script
around it: each page is in a frame whose own scripts are off."""

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = (400, 800, 1400)
"""A telephone, a tablet, a desk."""
SECONDS = 2.0
"""For a page on two idle cores: printed beside what was measured; the clock decides nothing."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-extensions",
    "--no-first-run",
)
MEASURE = Path(__file__).with_name("measure.html")
PATIENCE = 1800


@dataclass(frozen=True)
class Look:
    """A page as it was drawn: seconds until it was there, and what a reader would miss, by width."""

    path: str
    seconds: float
    missed: Mapping[str, Sequence[str]]


def executable() -> str | None:
    """The browser on this machine, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def looks(site: Path, paths: Sequence[str], dark: bool = False) -> list[Look]:
    """The pages, drawn without scripts in light or in dark colors."""
    answer = _answer(site, {"pages": list(paths), "widths": list(WIDTHS), "dark": dark}, dark)
    return [Look(path, measured["seconds"], measured["missed"]) for path, measured in answer.items()]


def searched(site: Path, queries: Sequence[str]) -> dict[str, list[str]]:
    """For every query the paths that the site's search shows, the first one first."""
    return _answer(site, {"queries": list(queries)})


def _answer(site: Path, task: Mapping[str, Any], dark: bool = False) -> dict[str, Any]:
    """What the measuring page says of a task. Raises `RuntimeError` where there is no browser or no answer."""
    browser = executable()
    if browser is None:
        raise RuntimeError(f"none of {', '.join(NAMES)} is on this machine")
    with _served(site, task) as (address, answer), tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        colors = ("--force-dark-mode", "--blink-settings=preferredColorScheme=0") if dark else ()
        command = [browser, *FLAGS, *colors, f"--user-data-dir={profile}", "--window-size=1600,1000", address]
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, **quiet) as process:
            try:
                if not answer.arrived.wait(PATIENCE):
                    raise RuntimeError(f"no answer of the browser in {PATIENCE} s")
            finally:
                process.terminate()
    document: dict[str, Any] = json.loads(answer.text)
    return document


@dataclass
class _Answer:
    """What the browser sent, and whether it did."""

    arrived: threading.Event
    text: str = ""


@contextmanager
def _served(site: Path, task: Mapping[str, Any]) -> Iterator[tuple[str, _Answer]]:
    """The site on a free port of this machine, with the measuring page, its task and a place for its answer."""
    answer = _Answer(threading.Event())

    class Handler(SimpleHTTPRequestHandler):
        """Files of the site; the measuring page and its task beside them."""

        def do_GET(self) -> None:
            """A file, the measuring page, or the task."""
            own = {"/measure.html": MEASURE.read_bytes(), "/task.json": json.dumps(task).encode()}
            body = own.get(self.path)
            if body is None:
                super().do_GET()
                return
            self.send_response(200)
            self.send_header("Content-Type", self.guess_type(self.path))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            """The answer."""
            answer.text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.send_response(204)
            self.end_headers()
            answer.arrived.set()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is written."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=os.fspath(site))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/measure.html", answer
        finally:
            server.shutdown()
            thread.join()
