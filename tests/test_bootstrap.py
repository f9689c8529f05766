"""`python3 -m referee` from a bare checkout makes its environment once, and does nothing where nothing is missing.

The checkouts here are copies of the bootstrap with no requirements to download, so no network is used.
"""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from referee import __main__ as bootstrap

BARE_PYTHON = getattr(sys, "_base_executable", sys.executable)
LIMIT = 240


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a checkout whose command prints the environment it runs in, and which lacks one package."""
    root = tmp_path / "a checkout"
    package = root / "referee"
    package.mkdir(parents=True)
    source = Path(bootstrap.__file__)
    shutil.copy(source, package / "__main__.py")
    (package / "__init__.py").write_text("")
    (package / "cli.py").write_text(
        "import sys\n\ndef main(arguments):\n    print(sys.prefix, *arguments)\n    return 7\n"
    )
    (root / "requirements").mkdir()
    (root / "requirements" / "runtime.txt").write_text("# none\n")
    (root / "requirements" / "dev.txt").write_text("# none either\n")
    (root / "pyproject.toml").write_text(
        '[project]\ndependencies = ["no-such-distribution>=1"]\n[project.optional-dependencies]\ntest = []\n'
    )
    return root


def call(root: Path, *arguments: str, **surroundings: str) -> subprocess.CompletedProcess[str]:
    """Run the checkout's command with a Python that has no packages."""
    return subprocess.run(
        [BARE_PYTHON, "-m", "referee", *arguments],
        cwd=root,
        env=clean(**surroundings),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def clean(**surroundings: str) -> dict[str, str]:
    """Return an environment without what this test run itself was started with."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    kept.pop(bootstrap.RESTARTED, None)
    return {**kept, **surroundings}


def test_a_bare_checkout_sets_itself_up_once_and_again_when_its_requirements_change(checkout: Path) -> None:
    first = call(checkout, "demo", "--seed", "x")
    assert (first.returncode, first.stdout) == (7, f"{checkout / '.venv'} demo --seed x\n"), first.stderr
    assert "making" in first.stderr
    assert "installing 0 packages from requirements/runtime.txt" in first.stderr

    second = call(checkout, "demo")
    assert (second.returncode, second.stdout, second.stderr) == (7, f"{checkout / '.venv'} demo\n", "")

    (checkout / "requirements" / "runtime.txt").write_text("# others\n")
    third = call(checkout, "demo")
    assert third.returncode == 7
    assert "installing" in third.stderr
    assert "making" not in third.stderr

    (checkout / "requirements" / "runtime.txt").write_text("# and others\n")
    inside = subprocess.run(
        [checkout / ".venv" / "bin" / "python", "-m", "referee", "demo"],
        cwd=checkout, env=clean(), capture_output=True, text=True, timeout=LIMIT,
    )  # fmt: skip
    assert inside.returncode == 7
    assert "installing" in inside.stderr


def test_two_at_once_set_up_one_environment(checkout: Path) -> None:
    both = [
        subprocess.Popen(
            [BARE_PYTHON, "-m", "referee", "serve"],
            cwd=checkout, env=clean(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    outcomes = [process.communicate(timeout=LIMIT) for process in both]
    assert [process.returncode for process in both] == [7, 7], outcomes
    assert sum("making" in errors for _, errors in outcomes) == 1, outcomes


def test_an_interrupted_set_up_is_begun_anew(checkout: Path) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").symlink_to("/nowhere/python")
    done = call(checkout, "demo")
    assert done.returncode == 7, done.stderr
    assert "making" in done.stderr


def test_without_the_venv_module_the_message_names_the_package_to_install(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "sitecustomize.py").write_text("import sys\nsys.modules['ensurepip'] = None\n")
    done = call(checkout, "demo", PYTHONPATH=str(tmp_path / "bare"))
    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (checkout / ".venv").exists()


def test_what_cannot_be_installed_is_said_with_the_command_and_its_output(checkout: Path) -> None:
    (checkout / "requirements" / "runtime.txt").write_text("./no-such-file.whl --hash=sha256:00\n")
    done = call(checkout, "demo")
    assert done.returncode == 1
    assert "the requirements could not be installed" in done.stderr
    assert "no-such-file.whl" in done.stderr
    assert not list((checkout / ".venv").glob("referee-*.sha256")), "no stamp is left for the next run to trust"


def test_an_environment_that_has_all_it_needs_is_used_as_it_is(checkout: Path) -> None:
    (checkout / "pyproject.toml").write_text("[project]\ndependencies = []\n[project.optional-dependencies]\n")
    done = call(checkout, "demo")
    assert done.returncode == 7
    assert done.stderr == ""
    assert not (checkout / ".venv").exists()


def test_every_direct_dependency_is_met_where_the_tests_run() -> None:
    assert bootstrap.missing("dev") == []


@pytest.mark.parametrize(
    ("requirement", "met"),
    [
        ("pytest", True),
        ("pytest>=1", True),
        ("pytest>=9999", False),
        ("gunicorn[gevent]>=27", True),
        ("no-such-distribution", False),
        ("redis>=8.1,<9", True),
    ],
)
def test_a_requirement_is_met_by_what_is_installed_and_new_enough(requirement: str, met: bool) -> None:
    assert bootstrap.is_met(requirement) is met


def test_a_version_is_compared_by_its_leading_numbers() -> None:
    assert bootstrap.release("9.1.2.post2") == (9, 1, 2)
    assert bootstrap.release("10.0") > bootstrap.release("9.9")


def test_importing_the_package_loads_nothing_else() -> None:
    code = textwrap.dedent("""
        import sys
        before = set(sys.modules)
        import referee, referee.__main__
        new = {name.partition(".")[0] for name in set(sys.modules) - before} - {"referee"}
        print(*sorted(new - set(sys.stdlib_module_names)))
    """)
    done = subprocess.run([sys.executable, "-c", code], cwd=bootstrap.ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_the_requirement_files_name_no_host_and_no_path() -> None:
    for kind in ("runtime", "dev"):
        text = bootstrap.requirements(kind).read_text()
        assert "://" not in text
        assert "--index" not in text
        assert "--find-links" not in text
        pins = [line for line in text.splitlines() if line and line[0] not in "# "]
        assert len(pins) > 40
        assert all("==" in line for line in pins)


def test_the_longer_requirement_file_holds_the_pins_of_the_shorter() -> None:
    runtime, dev = (
        {line for line in bootstrap.requirements(kind).read_text().splitlines() if "==" in line}
        for kind in ("runtime", "dev")
    )
    assert runtime <= dev
