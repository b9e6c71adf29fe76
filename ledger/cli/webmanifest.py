"""`rollproof web-manifest`: what a server of this version shows in a browser, by its hashes (specs/page.md)."""

from hashlib import sha256

from ledger.cli.app import app, command
from ledger.cli.call import Call

__all__ = ["manifest_text"]


@command(
    app,
    "web-manifest",
    examples=["rollproof web-manifest", "rollproof web-manifest --json", "rollproof web-manifest | grep main.js"],
)
def web_manifest(call: Call) -> None:
    """Print the SHA-256 of each file of the page in a browser.

    A server of this version gives exactly these bytes. Then come the hash of these lines, which each page shows under
    “About this page”; the hashes of the first document, which names the files, and of the overlay, by language; and the
    hash of the page that verifies logs, as `verify-page` writes it.
    """
    from ledger.page.assets import page

    if not call.out.json:
        call.out.line(manifest_text().removesuffix("\n"))
        return
    found = page()
    hashes = {path: file.digest.hex() for path, file in found.files.items()}
    documents, events, overlays, verifier = _others()
    told = {"documents": documents, "event_documents": events, "overlays": overlays, "verify": verifier}
    call.out.value({"files": hashes, "manifest": found.hash, **told})


def manifest_text() -> str:
    """Return the lines that the command prints."""
    from ledger.page.assets import page

    documents, events, overlays, verifier = _others()
    lines = [*page().manifest.splitlines(), f"{page().hash}  manifest"]
    lines += [f"{digest}  / ({language})" for language, digest in documents.items()]
    lines += [f"{digest}  /e/ ({language})" for language, digest in events.items()]
    lines += [f"{digest}  /o/ ({language})" for language, digest in overlays.items()]
    return "".join(f"{line}\n" for line in (*lines, f"{verifier}  /verify"))


def _others() -> tuple[dict[str, str], dict[str, str], dict[str, str], str]:
    """The hashes of the first documents of tables and of events, and of overlays, by language, and of the page that
    verifies logs.
    """
    from ledger.browser.verify_page import verify_page
    from ledger.page.assets import page
    from ledger.page.overlay import overlay

    documents = {language: sha256(data).hexdigest() for language, data in page().documents.items()}
    events = {language: sha256(data).hexdigest() for language, data in page().event_documents.items()}
    overlays = {language: sha256(overlay(language).document).hexdigest() for language in documents}
    return documents, events, overlays, sha256(verify_page()).hexdigest()
