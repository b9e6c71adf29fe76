"""`rollproof web-manifest`: what a server of this version shows in a browser, by its hashes (specs/page.md)."""

from hashlib import sha256

from ledger.cli.app import Call, app, command

__all__: list[str] = []


@command(
    app,
    "web-manifest",
    examples=["rollproof web-manifest", "rollproof web-manifest --json", "rollproof web-manifest | grep main.js"],
)
def web_manifest(call: Call) -> None:
    """Print the SHA-256 of each file of the page in a browser.

    A server of this version gives exactly these bytes. Then comes the hash of these lines, which each page shows under
    “About this page”, and those of the first document, which names the files, by language, and that of the page that
    verifies logs, as `verify-page` writes it.
    """
    from ledger.browser.verify_page import verify_page
    from ledger.page.assets import page

    found = page()
    documents = {language: sha256(data).hexdigest() for language, data in found.documents.items()}
    events = {language: sha256(data).hexdigest() for language, data in found.event_documents.items()}
    verifier = sha256(verify_page()).hexdigest()
    if call.out.json:
        hashes = {path: file.digest.hex() for path, file in found.files.items()}
        told = {"documents": documents, "event_documents": events, "verify": verifier}
        call.out.value({"files": hashes, "manifest": found.hash, **told})
        return
    for line in found.manifest.splitlines():
        call.out.line(line)
    call.out.line(f"{found.hash}  manifest")
    for language, digest in documents.items():
        call.out.line(f"{digest}  / ({language})")
    for language, digest in events.items():
        call.out.line(f"{digest}  /e/ ({language})")
    call.out.line(f"{verifier}  /verify")
