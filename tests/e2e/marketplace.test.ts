import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { commitRelease } from "../../scripts/release-branch.ts";
import { repository } from "../support/rookery.ts";
import { openWorld, type World } from "../support/world.ts";

let root: string;
let bare: string;
let world: World;
let server: Server;

/** A bare repository whose branch `release` was made by the script of the release workflow. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rk-market-"));
  bare = join(root, "rookery.git");
  const work = join(root, "work");
  mkdirSync(work);
  for (const name of [".claude-plugin", "plugin", "LICENSE", "README.md", ".gitignore"])
    cpSync(join(repository, name), join(work, name), { recursive: true });
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: work, encoding: "utf8" });
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Sample");
  git("config", "user.email", "sample@example.invalid");
  git("add", ".claude-plugin", "plugin");
  git("commit", "--quiet", "--message=main without a build");
  expect(git("ls-files")).not.toContain("plugin/dist/");
  const first = commitRelease(work);
  expect(commitRelease(work)).not.toBe(first);
  expect(git("rev-parse", "release~1").trim()).toBe(first);
  expect(git("status", "--porcelain", "--untracked-files=no")).toBe("");
  git("push", "--quiet", bare, "main", "release");
  server = createServer(serveGit).listen(0, "127.0.0.1");
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

/** Git's own CGI program; Claude Code takes no file:// addresses. */
function serveGit(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  backend.on("close", () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf("\r\n\r\n");
    for (const line of output.subarray(0, Math.max(0, end)).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") response.statusCode = Number.parseInt(value, 10);
      else if (name !== "") response.setHeader(name, value);
    }
    response.end(output.subarray(end + 4));
  });
}
afterEach(() => world.close());

it("Claude Code installs the plugin from a git address, and its sessions are recorded", async () => {
  world = await openWorld({ install: true });
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/rookery.git#release`;
  const added = await world.cli(["plugin", "marketplace", "add", address]);
  expect(added, added.stdout + added.stderr).toMatchObject({ code: 0 });
  const installed = await world.cli(["plugin", "install", "rookery@rookery"]);
  expect(installed, installed.stdout + installed.stderr).toMatchObject({ code: 0 });
  const run = await world.run("hello");
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(world.events(run.sessionId ?? "").map(({ event }) => event)).toContain("turn.ended");
  // It runs from Claude Code's own copy: nothing was staged by `rookery up`.
  const { daemonFile, app } = world.rookery.home;
  expect(existsSync(app)).toBe(false);
  expect(JSON.parse(readFileSync(daemonFile, "utf8")).pid).toBeGreaterThan(0);
});
