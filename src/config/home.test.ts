import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { locateHome } from "./home.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-home-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Too long for a socket inside. */
const root = join(folder, "a-long-name".repeat(12));
const environment = { ROOKERY_HOME: root, HOME: folder, XDG_RUNTIME_DIR: join(folder, "runtime") };

test("the socket of a long home is in the runtime folder", () => {
  expect(locateHome(environment).socket).toMatch(/\/runtime\/rookery-\w{16}\.sock$/);
});

test.runIf(process.getuid?.() === 0)("a runtime folder of another user is not used", () => {
  mkdirSync(environment.XDG_RUNTIME_DIR);
  chmodSync(environment.XDG_RUNTIME_DIR, 0o755);
  chownSync(environment.XDG_RUNTIME_DIR, 65_534, 65_534);
  expect(() => locateHome(environment)).toThrow(/must be owned by you/);
});
