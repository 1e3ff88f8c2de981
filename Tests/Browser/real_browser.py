#!/usr/bin/python3
"""Runs checkouts in a real browser: headless Chromium, a hosted checkout page on this machine, and
the built checkout-ledger with its return over loopback and over a scheme of its own.

    Tests/Browser/real_browser.py [--program PATH] [--pictures DIR]

Needs Debian's chromium, chromium-driver, python3-selenium, xdg-utils, desktop-file-utils and
openssl, and root for the scheme: Chromium asks the customer before it leaves to another program, and only a
policy below /etc/chromium answers that. Touches no home folder; the policy is removed at the end.
"""

import argparse
import html
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEME = "checkoutledgertest"
POLICY = pathlib.Path("/etc/chromium/policies/managed/checkout-ledger-test.json")
HOST = "test.checkout.dodopayments.com"
PROVIDER = f"https://{HOST}"
PATIENCE = 60


class HostedPage(BaseHTTPRequestHandler):
    """A provider's page: pays, declines or gives up, and sends the customer back."""

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/declined":
            self.redirect(302, query["back"], "status=failed&payment_id=pay_2")
        elif url.path.startswith("/session/"):
            self.page(query)
        else:
            self.send_error(404)

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        form = dict(urllib.parse.parse_qsl(self.rfile.read(length).decode()))
        # A successful POST is answered by a redirect to the return URL, as providers do.
        words = "payment_id=pay_1&status=succeeded&email=mira%2Bshop%40mail.example"
        self.redirect(303, form["back"], words)

    def page(self, query):
        back, cancel = html.escape(query["back"]), html.escape(query.get("cancel", ""))
        script = json.dumps(query["back"] + "?status=processing").replace("<", "\\u003c")
        body = f"""<!doctype html><title>Pay EUR 25.00</title>
            <form method="post" action="/pay"><input type="hidden" name="back" value="{back}">
            <button id="pay">Pay</button></form>
            <a id="decline" href="/declined?back={urllib.parse.quote(query['back'])}">Decline</a>
            <a id="cancel" href="{cancel}">Give up</a>
            <button id="script" onclick='location.href={html.escape(script)}'>By script</button>"""
        self.answer(200, body, {})

    def redirect(self, status, back, words):
        self.answer(status, "", {"Location": f"{back}{'&' if '?' in back else '?'}{words}"})

    def answer(self, status, body, fields):
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **fields}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def browse(url):
    """What stands in for the customer: opens the page, clicks, and reports what the browser shows.

    The browser takes this machine for the provider's host, so that the URL, https and the origin are
    what a customer has.
    """
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    report = {"url": url}
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                 f"--host-resolver-rules=MAP {HOST} {os.environ['TRY_PAGE']}",
                 "--ignore-certificate-errors", "--no-first-run", "--disable-background-networking", "--window-size=900,600",
                 f"--user-data-dir={tempfile.mkdtemp(dir=os.environ['TRY_FOLDER'])}"]:
        options.add_argument(word)
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_page_load_timeout(PATIENCE)
    try:
        driver.get(url)
        driver.find_element(By.ID, os.environ["TRY_CLICK"]).click()
        if os.environ["TRY_AWAIT"] == "page":
            # While one page takes the place of another, reading either may fail.
            WebDriverWait(driver, PATIENCE, ignored_exceptions=[WebDriverException]).until(
                lambda d: "close this window" in d.find_element(By.TAG_NAME, "body").text)
            report["title"] = driver.title
            report["text"] = driver.find_element(By.TAG_NAME, "body").text
            report["source"] = driver.page_source
            report["style"] = driver.execute_script(
                "return getComputedStyle(document.body).textAlign")
            report["loaded"] = driver.execute_script(
                "return performance.getEntriesByType('resource').map(e => e.name)")
            if os.environ.get("TRY_PICTURE"):
                driver.save_screenshot(os.environ["TRY_PICTURE"])
        else:
            wait_for(lambda: pathlib.Path(os.environ["TRY_AWAIT"]).exists())
    except WebDriverException as error:
        report["error"] = str(error)
    finally:
        report["log"] = [entry["message"] for entry in driver.get_log("browser")]
        report.setdefault("error", None)
        driver.quit()
        path = pathlib.Path(os.environ["TRY_REPORT"])
        path.with_suffix(".new").write_text(json.dumps(report))
        path.with_suffix(".new").rename(path)


def wait_for(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise SystemExit("What was waited for did not happen.")
        time.sleep(0.05)


def hosted_pages(folder):
    """Serves the provider's pages over TLS, with a certificate that this run alone knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}",
         "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"],
        check=True, capture_output=True)
    context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
    server = ThreadingHTTPServer(("127.0.0.1", 0), HostedPage)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Trial:
    """One folder that is everything: home, desktop, ledger, browser."""

    def __init__(self, folder, program, page, pictures):
        self.folder, self.program, self.page = pathlib.Path(folder), program, page
        self.pictures = pictures
        self.failures = []
        self.checks = 0
        (self.folder / "run").mkdir(mode=0o700)
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": f"{folder}/run",
            "XDG_STATE_HOME": f"{folder}/state", "LC_ALL": "C.UTF-8", "TRY_FOLDER": folder,
            # Without any display xdg-open does not start a scheme's handler.
            "DISPLAY": ":none", "TRY_PAGE": page,
            "CHECKOUT_LEDGER_PATH": f"{folder}/shop.ledger",
        }
        self.browser = self.folder / "browser"
        self.browser.write_text(f"#!/bin/sh\nexec {__file__} browse \"$1\"\n")
        self.browser.chmod(0o755)
        self.run("init", "--ledger", f"{folder}/shop.ledger")

    def run(self, *words, **more):
        result = subprocess.run(
            [self.program, *words], env={**self.environment, **more}, cwd=self.folder,
            capture_output=True, text=True, timeout=3 * PATIENCE)
        return result

    def check(self, what, is_so, told=""):
        self.checks += 1
        print(("ok    " if is_so else "FAILED ") + what)
        if not is_so:
            self.failures.append(what)
            if told:
                print("       ", told)

    def free_port(self):
        import socket
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            return found.getsockname()[1]

    def url(self, session, back, cancel=None):
        query = {"back": back, **({"cancel": cancel} if cancel else {})}
        return f"{PROVIDER}/session/{session}?{urllib.parse.urlencode(query)}"

    def events(self, session):
        lines = self.run("events", "--session", session, "--json=type").stdout.splitlines()
        return [json.loads(line)["type"] for line in lines]

    def report(self):
        path = self.folder / "report.json"
        wait_for(path.exists)
        report = json.loads(path.read_text())
        path.unlink()
        return report

    def choose_browser(self):
        """Makes the script this desktop's browser, which xdg-open then starts."""
        applications = self.folder / ".local/share/applications"
        applications.mkdir(parents=True)
        (applications / "try.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Try\nExec={self.browser} %u\n"
            "MimeType=x-scheme-handler/https;\n")
        subprocess.run(["xdg-mime", "default", "try.desktop", "x-scheme-handler/https"],
                       env=self.environment, check=True)

    def loopback(self, name, click, status, code, is_system=False):
        """With the browser named, or the system's own."""
        browser = [] if is_system else ["--browser", str(self.browser)]
        port = self.free_port()
        back, cancel = (f"http://127.0.0.1:{port}/{word}/{name}" for word in ("back", "gone"))
        started = time.monotonic()
        result = self.run(
            "checkout", "--provider", "dodo", "--checkout-url",
            self.url(f"cks_{name}", back, cancel), "--return-url", back, "--cancel-url", cancel,
            *browser, "--time-limit", f"{PATIENCE}s", "--json", TRY_CLICK=click,
            TRY_AWAIT="page", TRY_REPORT=f"{self.folder}/report.json",
            TRY_PICTURE=f"{self.pictures}/{name}.png" if self.pictures else "")
        took = time.monotonic() - started
        row = json.loads(result.stdout or "{}")
        self.check(f"loopback, {name}: {status} after {took:.1f} s",
                   row.get("status") == status and result.returncode == code,
                   f"exit {result.returncode} {result.stdout} {result.stderr}")
        report = self.report()
        self.check(f"loopback, {name}: the browser shows the page, styled",
                   report.get("title") == "Back in the app" and report.get("style") == "center",
                   json.dumps(report))
        self.check(f"loopback, {name}: nothing else is loaded, nothing of the URL is shown",
                   report.get("loaded") == [] and "mira" not in report.get("source", "mira"),
                   json.dumps(report))
        refused = [line for line in report["log"] if "Content Security Policy" in line]
        self.check(f"loopback, {name}: the page keeps to its own policy", refused == [], refused)
        self.check(f"loopback, {name}: the ledger has it, the browser's word as a hint",
                   self.events(f"cks_{name}")[:3]
                   == ["session.created", "session.opened", "session.returned"])

    def scheme(self):
        done = self.run("handle-url", "--register", SCHEME)
        self.check("scheme: registered with the desktop", done.returncode == 0, done.stderr)
        back = f"{SCHEME}://checkout/return"
        words = ["checkout", "--provider", "dodo", "--return-url", back, "--time-limit",
                 f"{PATIENCE}s", "--json", "--browser"]
        more = {"TRY_CLICK": "pay", "TRY_REPORT": f"{self.folder}/report.json"}
        # The browser stays open until the checkout is done: it is closed with what it starts.
        ended = self.folder / "ended"
        started = time.monotonic()
        result = self.run(*words, str(self.browser), "--checkout-url",
                          self.url("cks_scheme", back), TRY_AWAIT=str(ended), **more)
        took = time.monotonic() - started
        ended.touch()
        row = json.loads(result.stdout or "{}")
        self.check(f"scheme: the return comes by the desktop's handler after {took:.1f} s",
                   row.get("status") == "succeeded" and row.get("payment") == "pay_1",
                   f"exit {result.returncode} {result.stdout} {result.stderr}")
        self.report()
        self.late(words, back, more)

    def late(self, words, back, more):
        """The program dies before the customer pays."""
        opened, ended = self.folder / "opened", self.folder / "ended late"
        silent = self.folder / "silent"
        silent.write_text(f"#!/bin/sh\necho \"$1\" > '{opened}.new'; mv '{opened}.new' '{opened}'\n")
        silent.chmod(0o755)
        url = self.url("cks_late", back)
        waiting = subprocess.Popen(
            [self.program, *words, str(silent), "--checkout-url", url], env=self.environment,
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(opened.exists)
        waiting.send_signal(signal.SIGKILL)
        waiting.wait()
        browser = subprocess.Popen(
            [__file__, "browse", opened.read_text().strip()], cwd=self.folder,
            env={**self.environment, **more, "TRY_AWAIT": str(ended)})
        wait_for(lambda: "session.returned" in self.events("cks_late"))
        ended.touch()
        browser.wait()
        self.report()
        found = self.run("timeline", "cks_late").stdout
        self.check("scheme: a killed program's checkout gets its return all the same",
                   "session.returned" in self.events("cks_late"), found)
        row = self.run("abandoned", "--json=session").stdout
        self.check("every checkout stays open until its provider is heard", "cks_late" in row, row)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default=str(ROOT / ".build/debug/checkout-ledger"))
    parser.add_argument("--pictures", help="a folder for pictures of what the browser shows")
    given = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="real-browser-")
    server = hosted_pages(folder)
    page = f"127.0.0.1:{server.server_port}"
    pictures = given.pictures and str(pathlib.Path(given.pictures).resolve())
    try:
        trial = Trial(folder, str(pathlib.Path(given.program).resolve()), page, pictures)
        trial.loopback("paid", "pay", "succeeded", 0)
        trial.loopback("declined", "decline", "failed", 0)
        trial.loopback("script", "script", "pending", 5)
        trial.loopback("gaveup", "cancel", "cancelled", 5)
        trial.choose_browser()
        trial.loopback("system", "pay", "succeeded", 0, is_system=True)
        if os.geteuid() == 0:
            POLICY.parent.mkdir(parents=True, exist_ok=True)
            POLICY.write_text(json.dumps({"AutoLaunchProtocolsFromOrigins": [
                {"protocol": SCHEME, "allowed_origins": [PROVIDER]}]}))
            trial.scheme()
        else:
            print("skip  scheme: only root may write Chromium's policy")
    finally:
        POLICY.unlink(missing_ok=True)
        server.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{trial.checks} checks, {len(trial.failures)} failed")
    return 1 if trial.failures else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["browse"]:
        browse(sys.argv[2])
    else:
        sys.exit(main())
