import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
let rookery: Rookery;
let origin: string;
beforeAll(async () => {
  rookery = rookeries.open();
  await spawnDaemon(rookery);
  origin = `http://127.0.0.1:${JSON.parse(readFileSync(rookery.home.daemonFile, "utf8")).port}`;
});

const issueCode = async (): Promise<string> =>
  (await rookery.call("POST", "/api/viewer/codes")).json.url.split("#code=")[1];
const redeem = (code: unknown, headers: Record<string, string> = {}) =>
  rookery.callTcp("POST", "/viewer/token", { code }, { authorization: "", ...headers });

describe("a one-time code", () => {
  test("gives the token once", async () => {
    const code = await issueCode();
    expect((await redeem(code, { origin })).json).toEqual({
      token: readFileSync(rookery.home.token, "utf8").trim(),
      // The socket does not identify the caller, so the tab may read but not decide.
      consent: null,
      browser: null,
    });
    const again = await redeem(code);
    expect([again.status, again.json.code]).toEqual([403, "code_not_valid"]);
    expect(again.text).not.toContain(readFileSync(rookery.home.token, "utf8").trim());
  });

  test("is only created for an authorised caller", async () => {
    expect(
      (await rookery.callTcp("POST", "/api/viewer/codes", undefined, { authorization: "" })).status,
    ).toBe(401);
    expect((await rookery.callTcp("POST", "/api/viewer/codes")).status).toBe(201);
  });

  test("is also created by `rookery open`", async () => {
    const printed = await rookery.cli("open", "--print");
    const code = /#code=([\w-]+)/.exec(printed.stdout)?.[1];
    expect(printed.stdout).toContain(`${origin}/#code=`);
    expect((await redeem(code)).status).toBe(200);
    // There is no screen for a browser, so the address is printed.
    expect(JSON.parse((await rookery.cli("open", "--json")).stdout)).toMatchObject({ opened: false });
  });

  test.each<[string, () => Promise<unknown>, Record<string, string>, number, string]>([
    ["one that never was", async () => "x".repeat(32), {}, 403, "code_not_valid"],
    ["none", async () => "", {}, 400, "invalid_payload"],
    ["something else", async () => ({ a: 1 }), {}, 400, "invalid_payload"],
    ["a right one from another site", issueCode, { origin: "https://attacker.com" }, 403, "forbidden_origin"],
    ["a right one from a sandbox", issueCode, { origin: "null" }, 403, "forbidden_origin"],
    ["a right one under a rebound name", issueCode, { host: "attacker.com" }, 403, "forbidden_origin"],
  ])("%s is refused", async (_name, code, headers, status, error) => {
    const answer = await redeem(await code(), headers);
    expect([answer.status, answer.json.code]).toEqual([status, error]);
  });
});

describe("the page", () => {
  test("has a strict content policy, and refers to files that exist", async () => {
    const { status, headers, text } = await rookery.callTcp("GET", "/", undefined, { authorization: "" });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types notify-worker",
    });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|style=|onload=/);
    const names = [...text.matchAll(/\/assets\/([^"]+)/g)].map((match) => match[1] ?? "");
    expect(new Set(names).size).toBe(4);
    for (const name of new Set(names)) {
      const file = await rookery.callTcp("GET", `/assets/${name}`, undefined, { authorization: "" });
      expect([file.status, file.headers["cache-control"]]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
      expect(file.headers["content-security-policy"]).toContain("default-src 'none'");
    }
  });

  test.each([
    "/assets/../../../../etc/passwd",
    "/assets/..%2f..%2f..%2ftoken",
    "/assets/%2e%2e/daemon.js",
    "/assets/%252e%252e%252ftoken",
    "/assets/..;/token",
    "/assets/%c0%ae%c0%ae/token",
    "/assets/....//....//token",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/__proto__",
    "/assets/constructor",
    "/assets/..%5c..%5ctoken",
    "/assets/%2fetc%2fpasswd",
    "/assets/index.html%00.js",
    "/assets/",
    "/assets/daemon.js",
    "/token",
    "/plugin/dist/daemon.js",
    "//attacker.com/",
  ])("%s is not found", async (path) => {
    const answer = await rookery.callTcp("GET", path, undefined, { authorization: "" });
    expect([answer.status, answer.json?.code], answer.text).toEqual([404, "route_not_found"]);
    expect(answer.text).not.toContain("root:");
  });

  test.each<[string, Record<string, string>]>([
    ["under a rebound name", { host: "attacker.com" }],
    ["on another port", { host: "127.0.0.1:1" }],
    ["called by another site", { origin: "https://attacker.com" }],
  ])("is not served %s", async (_name, headers) => {
    const answer = await rookery.callTcp("GET", "/", undefined, { authorization: "", ...headers });
    expect([answer.status, answer.json.code]).toEqual([403, "forbidden_origin"]);
  });

  test("is not served over the socket", async () => {
    expect((await rookery.call("GET", "/")).status).toBe(404);
  });
});

const right = (): Record<string, string> => ({
  authorization: `Bearer ${readFileSync(rookery.home.token, "utf8").trim()}`,
});
const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const note = "/api/notes/01900000-0000-7000-8000-000000000000";

/** Attempts of a page of another site, a rebound name or another program; each is refused. */
describe("an attack is refused", () => {
  test.each<[string, string, string, () => Record<string, string>, number]>([
    [
      "CSRF: a form's POST from another site",
      "POST",
      "/api/stop",
      () => ({ origin: "https://attacker.com" }),
      403,
    ],
    ["CSRF: the same without an Origin", "POST", "/api/stop", () => ({ authorization: "" }), 401],
    [
      "CSRF: as a plain text that needs no preflight",
      "POST",
      "/api/notes",
      () => ({ authorization: "", "content-type": "text/plain", origin }),
      401,
    ],
    [
      "CSRF: with a cookie",
      "POST",
      "/api/stop",
      () => ({ authorization: "", cookie: "rookery.token=x" }),
      401,
    ],
    ["rebinding: Host attacker", "GET", "/api/status", () => ({ host: "attacker" }), 403],
    [
      "rebinding: Host attacker, with the token",
      "GET",
      "/api/status",
      () => ({ ...right(), host: "attacker" }),
      403,
    ],
    [
      "rebinding: Host attacker with our port",
      "GET",
      "/",
      () => ({ host: origin.replace(/.*127.0.0.1/, "attacker") }),
      403,
    ],
    ["a missing token", "GET", "/api/status", () => ({ authorization: "" }), 401],
    ["a wrong token", "GET", "/api/status", () => ({ authorization: `Bearer ${"0".repeat(43)}` }), 401],
    [
      "the token in the address",
      "GET",
      "/api/status?token=x&access_token=x",
      () => ({ authorization: "" }),
      401,
    ],
    ["the token as a password", "GET", "/api/status", () => ({ authorization: `Basic ${btoa("x:y")}` }), 401],
    [
      "a wrong Origin with the right token",
      "GET",
      "/api/now",
      () => ({ ...right(), origin: "http://127.0.0.1:1" }),
      403,
    ],
    ["Origin null with the right token", "GET", "/api/now", () => ({ ...right(), origin: "null" }), 403],
    [
      "the stream of events for another site",
      "GET",
      "/api/events?viewer=1",
      () => ({ ...right(), origin: "https://attacker.com" }),
      403,
    ],
    [
      "the stream of events without the token",
      "GET",
      "/api/events",
      () => ({ authorization: "", accept: "text/event-stream" }),
      401,
    ],
    [
      "a WebSocket from another site",
      "GET",
      "/api/events",
      () => ({ ...upgrade, origin: "https://attacker.com" }),
      403,
    ],
    ["a WebSocket without the token", "GET", "/api/events", () => ({ ...upgrade, authorization: "" }), 401],
    ["a WebSocket where none is spoken", "GET", "/ws", () => ({ ...upgrade, ...right() }), 404],
    ["a method by header", "POST", note, () => ({ ...right(), "x-http-method-override": "DELETE" }), 404],
    ["a method by parameter", "POST", `${note}?_method=DELETE`, right, 404],
    [
      "a preflight",
      "OPTIONS",
      "/api/config",
      () => ({ authorization: "", origin, "access-control-request-method": "PATCH" }),
      401,
    ],
    ["TRACE", "TRACE", "/api/status", right, 404],
    ["a path that climbs out of the API", "GET", "/api/../viewer/../../token", right, 404],
    ["a path that climbs by backslashes", "GET", "/assets/..\\..\\token", right, 404],
    ["a path that climbs, encoded", "GET", "/api/sessions/..%2f..%2f..%2ftoken", right, 404],
    ["a name with a path in it", "GET", "/api/notes/..%2f..%2fetc%2fpasswd/sources", right, 404],
  ])("%s", async (_name, method, path, headers, status) => {
    const token = readFileSync(rookery.home.token, "utf8").trim();
    const answer = await rookery.callTcp(method, path, undefined, headers());
    expect([answer.status, typeof answer.json?.code], answer.text).toEqual([status, "string"]);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(answer.headers["access-control-allow-methods"]).toBeUndefined();
    expect(answer.text).not.toContain(token);
    expect(answer.text).not.toMatch(/root:|<html/);
    expect((await rookery.callTcp("GET", "/health")).json.status).toBe("ok");
  });
});
