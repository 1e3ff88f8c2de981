#!/usr/bin/env -S node --experimental-websocket
// Walks the sandbox's checkout in headless Chromium to each of its ends, and asks the ledger.
//
//     Tests/Browser/sandbox_walk.mjs [PROGRAM] [FOLDER FOR PICTURES]
//
// Needs Debian's chromium and Node 20.10 or later, which speaks to Chromium by its debugging protocol
// without any package. Everything is in one new folder and on loopback.

import {spawn, spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";

const program = resolve(process.argv[2] ?? ".build/debug/checkout-ledger");
const pictures = process.argv[3] && resolve(process.argv[3]);
const folder = mkdtempSync(join(tmpdir(), "sandbox-walk-"));
const environment = {PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: `${folder}/state`,
    CHECKOUT_LEDGER_PATH: `${folder}/shop.ledger`};
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
let failures = 0;

function check(what, holds, told = "") {
    console.log(`${holds ? "ok    " : "FAILED"} ${what}${holds ? "" : `: ${told}`}`);
    if (!holds) failures += 1;
}

function firstLine(stream) {
    return new Promise(done => {
        let text = "";
        stream.on("data", chunk => {
            text += chunk;
            if (text.includes("\n")) done(text);
        });
    });
}

/** A tab of Chromium. */
class Tab {
    static async open() {
        const chromium = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu",
            "--remote-debugging-port=0", `--user-data-dir=${folder}/chromium`, "about:blank"],
            {env: environment});
        const address = await new Promise(done => chromium.stderr.on("data", chunk => {
            const found = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(chunk);
            if (found) done(`http://127.0.0.1:${found[1]}`);
        }));
        const pages = await (await fetch(`${address}/json`)).json();
        const tab = new Tab();
        Object.assign(tab, {chromium, number: 0, waiting: new Map(), log: []});
        tab.socket = new WebSocket(pages.find(page => page.type === "page").webSocketDebuggerUrl);
        tab.socket.onmessage = event => tab.take(JSON.parse(event.data));
        await new Promise(done => { tab.socket.onopen = done; });
        for (const domain of ["Page", "Runtime", "Log"]) await tab.send(`${domain}.enable`);
        return tab;
    }

    take(message) {
        this.waiting.get(message.id)?.(message.result);
        if (message.method === "Log.entryAdded") this.log.push(message.params.entry.text);
        if (message.method === "Page.loadEventFired") this.loaded?.();
    }

    send(method, params = {}) {
        const id = ++this.number;
        this.socket.send(JSON.stringify({id, method, params}));
        return new Promise(done => this.waiting.set(id, done));
    }

    async value(expression) {
        return (await this.send("Runtime.evaluate", {expression})).result.value;
    }

    async settled(act) {
        const loaded = new Promise(done => { this.loaded = done; });
        await act();
        await Promise.race([loaded, pause(10_000)]);
    }

    go(url) { return this.settled(() => this.send("Page.navigate", {url})); }

    click(selector) {
        return this.settled(() => this.value(`document.querySelector('${selector}').click()`));
    }

    async picture(name, width, scheme) {
        if (!pictures) return;
        await this.send("Emulation.setDeviceMetricsOverride",
            {width, height: 900, deviceScaleFactor: 1, mobile: width < 600});
        await this.send("Emulation.setEmulatedMedia",
            {features: [{name: "prefers-color-scheme", value: scheme}]});
        const {data} = await this.send("Page.captureScreenshot", {captureBeyondViewport: true});
        writeFileSync(join(pictures, `${name}-${width}-${scheme}.png`), Buffer.from(data, "base64"));
    }

    async pictureAll(name) {
        for (const width of [1280, 390]) {
            for (const scheme of ["light", "dark"]) await this.picture(name, width, scheme);
            const isWide = await this.value("document.body.scrollWidth > innerWidth");
            check(`${name} fits ${width} pixels`, !pictures || !isWide);
        }
    }

    async close() {
        const ended = new Promise(done => this.chromium.on("exit", done));
        this.send("Browser.close");
        await Promise.race([ended, pause(5_000)]);
        this.chromium.kill("SIGKILL");
    }
}

function cli(...words) {
    return spawnSync(program, words, {env: environment, cwd: folder, encoding: "utf8"}).stdout;
}

/** What the ledger holds true of a session, as soon as it is what is wanted or after some seconds. */
async function outcome(session, wanted) {
    let found;
    for (let turn = 0; turn < 80 && found !== wanted; turn += 1) {
        if (turn > 0) await pause(100);
        const rows = cli("outcomes", "--json").split("\n").filter(Boolean).map(JSON.parse);
        found = rows.find(row => row.session === session)?.outcome;
    }
    return found;
}

const server = spawn(program, ["serve", "--sandbox", "--port", "0", "--json"],
    {env: environment, cwd: folder});
const {sandbox} = JSON.parse(await firstLine(server.stdout));
const origin = new URL(sandbox.url).origin;
const tab = await Tab.open();

async function checkout(more = {}) {
    const reply = await fetch(`${origin}/sandbox/api/checkouts`, {
        method: "POST", headers: {Authorization: `Bearer ${sandbox.apiKey}`},
        body: JSON.stringify({amount: 1999, currency: "EUR", title: "Green tea",
            reference: "order-7", return_url: `${origin}/sandbox/shop?cart=7`, ...more})});
    return reply.json();
}

const button = value => `button[value="${value}"]`;
const ways = [
    {name: "pay", steps: ["pay"], at: "/sandbox/shop", word: "succeeded", ends: "succeeded"},
    {name: "decline", steps: ["decline"], at: "/sandbox/pay/", ends: "failed"},
    {name: "decline, then pay", steps: ["decline", "pay"], at: "/sandbox/shop",
        word: "succeeded", ends: "succeeded"},
    {name: "3-D Secure", steps: ["secure", "approve"], at: "/sandbox/shop", word: "succeeded",
        ends: "succeeded"},
    {name: "3-D Secure refused", steps: ["secure", "refuse"], at: "/sandbox/pay/",
        ends: "failed"},
    {name: "pay then close", steps: ["close"], at: "/done", ends: "succeeded"},
    {name: "leave", steps: ["leave"], at: "/sandbox/shop", word: "cancelled"},
    {name: "run out", steps: ["expire"], at: "/done", ends: "expired"},
];
try {
    for (const way of ways) {
        const {id, url} = await checkout({sandbox: {duplicates: 1, disorder: true}});
        await tab.go(url);
        for (const step of way.steps) await tab.click(button(step));
        const place = await tab.value("location.href");
        check(`${way.name}: the browser is at ${way.at}`, place.includes(way.at), place);
        if (way.word) {
            const told = new URL(place).searchParams;
            check(`${way.name}: the shop is told ${way.word}, behind its own parameters`,
                told.get("status") === way.word && told.get("checkout_id") === id
                    && told.get("cart") === "7", place);
        }
        if (way.ends) {
            const found = await outcome(id, way.ends);
            check(`${way.name}: the ledger holds ${way.ends}`, found === way.ends, found);
        }
    }
    const {id, url} = await checkout({title: "<script>alert(1)</script> & a long name ".repeat(4)});
    await tab.go(url);
    await tab.pictureAll("pay");
    await tab.click(button("secure"));
    await tab.pictureAll("bank");
    await tab.click(button("approve"));
    await tab.pictureAll("shop");
    await tab.go(`${origin}/sandbox/pay/${id}/done`);
    await tab.pictureAll("done");
    await tab.go(`${origin}/sandbox/checkouts/${id}`);
    await tab.click(button("refund"));
    await tab.click(button("dispute"));
    await tab.pictureAll("checkout");
    await tab.click(button("lost"));
    await tab.go(`${origin}/sandbox`);
    await tab.pictureAll("overview");
    await tab.click("button.main");
    check("a checkout made on the page opens", (await tab.value("document.title")).startsWith("Pay"));
    const types = () => cli("events", "--session", id, "--json=type");
    for (let turn = 0; turn < 80 && !types().includes("refund.succeeded"); turn += 1) await pause(100);
    for (const type of ["refund.succeeded", "dispute.opened", "dispute.lost"]) {
        check(`the ledger has ${type}`, types().includes(type), types());
    }
    const refused = tab.log.filter(text => text.includes("Content Security Policy"));
    check("no page breaks its own policy", refused.length === 0, refused.join(" "));
    const verified = spawnSync(program, ["verify"], {env: environment, cwd: folder});
    check("the ledger is sound", verified.status === 0, verified.stderr);
} finally {
    await tab.close();
    const ended = new Promise(done => server.on("exit", done));
    server.kill("SIGTERM");
    check("the server ends by itself", await ended === 0);
    rmSync(folder, {recursive: true, force: true, maxRetries: 5});
}
console.log(failures === 0 ? "All of it holds." : `${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;
