"""A report as a reader has it: opened from disk in a browser."""

from pathlib import Path
from typing import Any, Self

from nlfol.report.items import Collection
from nlfol.report.page import Contents, to_html

_UNFOLD = """(element => {
    for (let at = element.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
})"""

# The page follows an address in a task of its own, after the address has changed.
_FOLLOW = """address => new Promise(followed => {
    if (location.hash === address) return followed();
    addEventListener("hashchange", () => followed(), { once: true });
    location.hash = address;
})"""


class Reader:
    """A page with a report, on which nothing may go wrong."""

    def __init__(self, browser: Any, report: Path, **options: Any) -> None:
        self.page = browser.new_page(viewport={"width": 1280, "height": 900}, **options)
        self.page.set_default_timeout(20_000)
        self.wrong: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog {dialog.message}"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(report.as_uri())
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.page.close()
        assert kind is not None or self.wrong == [], self.wrong

    @property
    def count(self) -> str:
        return str(self.page.inner_text("#count"))

    def open(self, address: str) -> None:
        self.page.evaluate(_FOLLOW, address)
        self.settle()

    def settle(self) -> None:
        """Wait for what opening a part sets off: its contents are made in a later task of the browser."""
        self.page.evaluate("async () => { for (const _ of '12') await new Promise(requestAnimationFrame); }")

    def drawn(self, figure: str) -> str:
        # It is drawn when it comes near, in a study that is folded away at first.
        self.page.evaluate(
            "name => unfold(document.getElementById(`figure-${name}`))".replace("unfold", _UNFOLD), figure
        )
        self.page.locator(f"#figure-{figure}").scroll_into_view_if_needed()
        self.page.wait_for_selector(f"#figure-{figure} [data-room]")
        return f"#figure-{figure}"

    def addresses(self, table: str) -> list[tuple[str, str, str]]:
        """Header, text and address of each number of a table that opens something."""
        found = self.page.evaluate(
            """name => [...document.querySelectorAll(`#table-${name} td a`)].map(link => [
                link.closest('table').querySelector(`th[data-place="${link.closest('td').cellIndex}"]`).textContent,
                link.textContent, link.getAttribute('href')])""",
            table,
        )
        return [tuple(row) for row in found]


def write_page(collection: Collection, folder: Path) -> Path:
    page = folder / "index.html"
    contents = Contents("Items", [], [], collection.as_data(), collection.first_task(), "")
    page.write_text(to_html(contents), encoding="utf-8")
    return page
