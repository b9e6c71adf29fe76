"""Imports run one way, and what each package needs stays small (specs/README.md; pyproject.toml, "importlinter")."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph

import ledger
import rules
import verifier

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
STANDARD = sys.stdlib_module_names


def imported(package: str) -> set[str]:
    """The top-level names of all modules that a package's files import, wherever in them."""
    names: set[str] = set()
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Import(names=aliases):
                    names |= {alias.name.partition(".")[0] for alias in aliases}
                case ast.ImportFrom(module=str(module), level=0):
                    names.add(module.partition(".")[0])
    return names


def loaded_by(statement: str) -> set[str]:
    """What a new Python has loaded after a statement."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {statement}; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_the_import_contracts_hold() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert run.stdout.count("KEPT") == len(contracts) >= 4, run.stdout


def test_no_module_leads_back_to_itself() -> None:
    """Imports for types and within functions are followed too."""
    graph = build_graph("ledger", "verifier", "rules", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # a CycleError names the modules of a circle


def test_the_contracts_of_ledger_and_verifier_name_every_room() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    whole = [contract["containers"] for contract in contracts if contract.get("exhaustive")]
    assert sorted(whole) == [["ledger"], ["verifier"]]


def test_at_the_top_of_the_ledger_stand_rooms_and_few_modules() -> None:
    names = {path.stem for path in (ROOT / "ledger").glob("*.py")}
    assert names == {"__init__", "__main__", "errors", "home"}


def test_the_ledger_lists_its_rooms_from_the_top() -> None:
    """In the order of the contract, each with what it is for."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract.get("containers") == ["ledger"]]
    rooms = [room for layer in layers for room in layer.split(" | ") if room != "__main__"]
    listed = re.findall(r"^(\w+)  +\S", ledger.__doc__ or "", re.MULTILINE)
    assert listed == rooms


@cache
def rules_modules() -> dict[str, set[str]]:
    """The modules of `rules`, and which of them each imports, wherever in it."""
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / "rules").rglob("*.py")}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    found: dict[str, set[str]] = {}
    for name, path in files.items():
        nodes = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ImportFrom) and n.module]
        named = {(node.module or "", alias.name) for node in nodes for alias in node.names}
        within = {f"{module}.{one}" if f"{module}.{one}" in files else module for module, one in named}
        found[name] = within & set(files)
    return found


@pytest.mark.long
@pytest.mark.parametrize("system", [type(system).__module__ for system in rules.SYSTEMS.values()])
def test_a_system_knows_neither_another_nor_the_session(system: str) -> None:
    """Not by way of others either. The systems are those of the one list: a new one is looked at, too."""
    modules = rules_modules()
    own = {name for name in modules if name == system or name.startswith(f"{system}.")}
    assert f"{system}.bodies" in own
    known, todo = set(own), list(own)
    while todo:
        more = modules[todo.pop()] - known
        known |= more
        todo += more
    assert {name for name in known - own if name.startswith("rules.systems.")} == set()
    assert not known & {"rules", "rules.session", "rules.script", "rules.offered"}


@pytest.mark.parametrize(
    ("statement", "package"),
    [
        ("import verifier.verification", "verifier"),
        ("import verifier.shell.command", "verifier's program"),
        ("import rules", "rules"),
    ],
)
def test_verifier_and_rules_load_no_database_no_network_and_no_command_line_library(
    statement: str, package: str
) -> None:
    loaded = loaded_by(statement)
    assert "msgspec" in loaded
    assert not loaded & {"sqlite3", "_sqlite3", "sqlite_utils", "typer", "click", "rich", "ledger", "hypothesis"}
    assert not loaded & {"http", "urllib3", "ssl", "_ssl", "requests"}, package


def test_rules_load_no_cryptography() -> None:
    assert not loaded_by("import rules, rules.script") & {"cryptography", "hashlib", "hmac", "secrets", "random"}


def test_rules_import_the_standard_library_and_msgspec_and_nothing_that_knows_chance_time_or_files() -> None:
    names = imported("rules")
    assert names - STANDARD == {"rules", "msgspec"}
    assert not names & {
        "random",
        "secrets",
        "time",
        "datetime",
        "os",
        "io",
        "pathlib",
        "socket",
        "hashlib",
        "hmac",
        "uuid",
    }


def test_the_verifier_imports_rules_cryptography_and_msgspec() -> None:
    assert imported("verifier") - STANDARD == {"verifier", "rules", "msgspec", "cryptography", "nacl"}
    assert {path.name for path in (ROOT / "verifier").rglob("*.py") if "nacl" in path.read_text()} == {
        "ed25519_backend.py"
    }


@pytest.mark.long
def test_nothing_of_the_product_imports_its_tests_or_their_libraries() -> None:
    for package in ("rules", "verifier", "ledger"):
        assert not imported(package) & {"tests", "pytest", "hypothesis", "rfc8785"}


@pytest.mark.long
def test_the_oracles_import_nothing_of_the_product() -> None:
    folder = ROOT / "tests" / "oracles"
    oracles = [*sorted(folder.glob("reference*.py")), folder / "profile_oracle.py"]
    assert len(oracles) >= 8
    for oracle in oracles:
        tree = ast.parse(oracle.read_text())
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
        modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not {module.partition(".")[0] for module in modules} & {"rules", "verifier", "ledger"}


def core_files() -> Iterator[Path]:
    """What is no surface: neither command lines nor what prints or draws pages."""
    surfaces = {"verifier/__main__.py", "verifier/shell", "ledger/cli", "ledger/demo", "ledger/dev", "ledger/report"}
    surfaces |= {"ledger/page/assets.py", "ledger/forms/members.py"}  # which knows how options are written
    for package in ("rules", "verifier", "ledger"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(name == surface or name.startswith(f"{surface}/") for surface in surfaces):
                yield path


def messages(path: Path) -> Iterator[str]:
    """The strings of a module, without its docstrings; what is put into one is left out."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        children = list(ast.iter_child_nodes(node))
        told = [n for n in children if not (isinstance(node, ast.Expr) and isinstance(n, ast.Constant))]
        yield from (n.value for n in told if isinstance(n, ast.Constant) and isinstance(n.value, str))


@pytest.mark.long
def test_no_message_of_the_core_says_what_to_type() -> None:
    """It gives a code, and the command line, a page or a bot says what can be done there (ledger.errors.Advice)."""
    typed = re.compile(r"\brollproof(-verify)? [a-z{]|(?<![\w-])--[a-z]|\bthe command\b(?! phase)|\bpip install\b")
    assert sum(1 for _ in core_files()) > 100
    assert [(str(path), text) for path in core_files() for text in messages(path) if typed.search(text)] == []


def test_only_the_verifiers_program_opens_files() -> None:
    for path in (ROOT / "verifier").rglob("*.py"):
        # The program's parts are the shell; the others need the package's own catalogues, or what the system can do.
        if path.parent.name == "shell" or path.name in ("__main__.py", "language.py", "processes.py"):
            continue
        names = {
            node.id
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        assert not names & {"open", "Path", "os", "sys"}, path.name


def test_what_a_sceptic_reads_is_as_long_as_the_readme_says() -> None:
    text = " ".join(README.read_text().split())
    ((bound, list_of_names),) = re.findall(r"Sceptics read fewer than ([\d,]+) lines of `verifier`: (.*?)\. ", text)
    names = re.findall(r"`([\w/]+)`", list_of_names)
    lines = sum(len((ROOT / "verifier" / f"{name}.py").read_text().splitlines()) for name in names)
    most = int(bound.replace(",", ""))
    assert len(names) == 6
    assert most - 100 <= lines < most


def test_the_public_names_of_the_verifier_are_these() -> None:
    assert verifier.__all__ == [
        *("Failure", "Finding", "KeyFormatError", "NoteError", "Pins", "Replay", "Report", "VerifierError"),
        *("VerifierKey", "render", "verify"),
    ]


def test_the_public_names_of_the_rules_are_these() -> None:
    assert rules.__all__ == [
        *(
            "SYSTEMS",
            "Body",
            "Clause",
            "Event",
            "Phase",
            "Role",
            "Ruling",
            "Session",
            "System",
            "Violation",
            "WaitsFor",
            "games",
        ),
    ]


def names_passed_on(path: Path) -> set[str]:
    """Return the names of a module's `__all__` that it imports from elsewhere."""
    tree = ast.parse(path.read_text())
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported = {alias.asname or alias.name for node in nodes for alias in node.names}
    lists = [node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node).startswith("__all__ = ")]
    return imported & {item.value for node in lists for item in ast.walk(node) if isinstance(item, ast.Constant)}


@pytest.mark.long
def test_a_name_is_imported_from_where_it_is_defined() -> None:
    """Packages have the names that are for others; the words of a system are loaded as one module (InModules)."""
    modules = [path for package in ("rules", "verifier", "ledger") for path in (ROOT / package).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in modules if path.name != "__init__.py" and names_passed_on(path)}
    assert found == {"rules/systems/wh40k/words.py"}


@pytest.mark.parametrize("module", [rules, verifier], ids=["rules", "verifier"])
def test_every_public_name_is_there(module: object) -> None:
    assert all(hasattr(module, name) for name in module.__all__)  # type: ignore[attr-defined]


def test_every_system_is_listed_under_its_own_id() -> None:
    for name, system in rules.SYSTEMS.items():
        assert system.id == name
        assert rules.games()[system.name] == name
        assert set(system.bodies) <= {"roll", "reroll", "ignore", "store", "modify", "resolve", "declare"}
