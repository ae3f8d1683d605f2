import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BrowserContext, launchProfile, type Page } from "./support/chromium.ts";
import { useViewer } from "./support/viewer.ts";

const viewer = useViewer();
let root: string;
let profile: string;
let ours: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "rk-profile-"));
  profile = join(root, "own");
  ours = `${new URL(await viewer.address()).origin}/`;
  await inProfile(profile, async (page) => {
    await page.goto(await viewer.address());
    await page.locator(".shell").waitFor();
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A browser with this profile, started for one visit: everything that is not on disk is gone afterwards. */
async function inProfile<T>(
  folder: string,
  visit: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await launchProfile(folder);
  try {
    return await visit(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

async function open(page: Page): Promise<string> {
  await page.goto(ours);
  await page.locator(".shell, .locked").first().waitFor();
  return (await page.locator(".shell").count()) > 0 ? "signed in" : "locked";
}

test("a remembered browser is let in without a code, after a restart and a reload", async () => {
  await inProfile(profile, async (page) => {
    expect(await open(page)).toBe("signed in");
    await page.reload();
    expect(await open(page)).toBe("signed in");
  });
  await inProfile(join(root, "another"), async (page) => expect(await open(page)).toBe("locked"));
});

test("a page of another origin in that browser has no key and gets no challenge", async () => {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>elsewhere</title>");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await inProfile(profile, async (page) => {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(
      [],
    );
    const got = await page.evaluate(
      (address) =>
        fetch(`${address}viewer/challenges`, { method: "POST" }).then(
          (response) => response.text(),
          () => "nothing",
        ),
      ours,
    );
    expect(got).toBe("nothing");
    expect(await open(page)).toBe("signed in");
  });
});

/** Signs a challenge with a key of its own, for the id of a remembered browser. */
const attack = `
const [address, browser] = process.argv.slice(2);
const { generateKeyPairSync, sign } = await import("node:crypto");
const post = (path, body) => fetch(address + path, { method: "POST", body: JSON.stringify(body) });
const { challenge } = await (await post("viewer/challenges", {})).json();
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const message = Buffer.from("rookery " + new URL(address).port + " " + challenge);
const signature = sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url");
const response = await post("viewer/browser", { browser, challenge, signature });
console.log(process.getuid(), response.status, await response.text());
`;

test("another user who knows the browser's id is refused", async () => {
  const browser = await inProfile(profile, async (page) => {
    await open(page);
    return page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open("rookery");
          opening.onsuccess = () => {
            const request = opening.result.transaction("browser").objectStore("browser").get("this");
            request.onsuccess = () => resolve(request.result.id);
          };
        }),
    );
  });
  chmodSync(root, 0o711);
  const script = join(root, "attack.mjs");
  writeFileSync(script, attack, { mode: 0o644 });
  const isRoot = process.getuid?.() === 0;
  const asNobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const said = execFileSync(process.execPath, [script, ours, browser], {
    ...asNobody,
    cwd: "/",
    encoding: "utf8",
  });
  expect(said).not.toContain('token":');
  if (isRoot) {
    expect(said).toMatch(/^65534 401 /);
    expect(said).toContain("Another user of this machine opened this connection.");
    expect(() => execFileSync("ls", [profile], { ...asNobody, stdio: "pipe" })).toThrow();
  } else {
    expect(said).toContain("403");
    expect(said).toContain("code_not_valid");
  }
});

test("a stolen copy of the profile is refused once the browser was forgotten", async () => {
  const copy = join(root, "copy");
  cpSync(profile, copy, { recursive: true });
  // Until then it is as good as the browser itself, which shows that the copy is complete.
  await inProfile(copy, async (page) => expect(await open(page)).toBe("signed in"));
  expect((await viewer.rookery.call("DELETE", "/api/viewer/browsers")).json).toEqual({ forgotten: 1 });
  const again = join(root, "copied-again");
  cpSync(profile, again, { recursive: true });
  for (const stolen of [copy, again])
    await inProfile(stolen, async (page) => expect(await open(page)).toBe("locked"));
});
