import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { daemonFolders, layers } from "./layer-table.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** Pure code: no files, no clock, no randomness, no SQL. */
const pureFolders = ["domain", "protocol", "redact"];

interface SourceFile {
  path: string;
  layer: string;
  text: string;
  imports: string[];
}

const files: SourceFile[] = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, "utf8");
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
    return { path: relative(source, path), layer: relative(source, path).split(sep)[0] ?? "", text, imports };
  });

/** The imports of our own files as pairs of folders, at one depth of the tree. */
function listEdges(
  inside: readonly SourceFile[],
  depth: number,
): { path: string; from: string; to: string }[] {
  return inside.flatMap((file) =>
    file.imports
      .filter((target) => target.startsWith("."))
      .map((target) => join(dirname(file.path), target).split(sep))
      .filter((target) => target.slice(0, depth).join() === file.path.split(sep).slice(0, depth).join())
      .map((target) => ({
        path: file.path,
        from: file.path.split(sep)[depth] ?? "",
        to: target[depth] ?? "",
      }))
      .filter(({ from, to }) => from !== to),
  );
}

function findForbidden(edges: ReturnType<typeof listEdges>, table: Record<string, string[]>): string[] {
  return edges
    .filter(({ from, to }) => !table[from]?.includes(to))
    .map(({ path, to }) => `${path} imports ${to}`);
}

function findUnused(edges: ReturnType<typeof listEdges>, table: Record<string, string[]>): string[] {
  const used = new Set(edges.map(({ from, to }) => `${from} → ${to}`));
  return Object.entries(table)
    .flatMap(([from, below]) => below.map((to) => `${from} → ${to}`))
    .filter((permission) => !used.has(permission));
}

/** A table without cycles lists every folder after the folders it imports. */
function findOutOfOrder(table: Record<string, string[]>): string[] {
  const order = Object.keys(table);
  return order.flatMap((from, index) =>
    (table[from] ?? []).filter((to) => !order.slice(0, index).includes(to)).map((to) => `${from} → ${to}`),
  );
}

describe("the layers", () => {
  it("are all seen by this test", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(new Set(files.map(({ layer }) => layer))).toEqual(new Set(Object.keys(layers)));
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(150);
  });

  it("import only the layers declared for them", () => {
    expect(findForbidden(listEdges(files, 0), layers)).toEqual([]);
  });

  it("declare no import that is not used, and no ring", () => {
    expect(findUnused(listEdges(files, 0), layers)).toEqual([]);
    expect(findOutOfOrder(layers)).toEqual([]);
  });

  it("keep the rules free of the outside world", () => {
    const outside = /from "node:|Date\.now\(|new Date\(\)|Math\.random\(|process\.|setTimeout|SELECT /;
    const offences = files.filter(({ layer, text }) => pureFolders.includes(layer) && outside.test(text));
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it("open a database in one folder", () => {
    const openers = files.filter(({ imports }) => imports.includes("node:sqlite")).map(({ path }) => path);
    expect(openers.toSorted()).toEqual([join("sqlite", "lock.ts"), join("sqlite", "sqlite.ts")]);
  });
});

describe("the network", () => {
  /** Only loopback and sockets of this machine. */
  const local = [
    "cli/demo/viewer-tab.ts",
    "cli/doctor/check-sockets.ts",
    "client/request.ts",
    "client/stream.ts",
    "client/supervise.ts",
    "daemon/ask/dialog-links.ts",
    "daemon/ask/web-socket.ts",
    "daemon/capture/bell.ts",
    "daemon/matrix/managed-homeserver.ts",
    "hook-leaf/hook-leaf.ts",
    "homeserver/listener.ts",
    "host-plugin/hook-client.ts",
    "http/listen.ts",
  ];
  /** The address that the user set up: a homeserver, Slack, a model or embeddings. */
  const chosen = [
    "channels/discord/api.ts",
    "channels/discord/gateway.ts",
    "channels/ntfy/server.ts",
    "channels/slack/sdk.ts",
    "channels/slack/web.ts",
    "channels/telegram/bot-api.ts",
    "channels/webhook/webhook-channel.ts",
    "cli/doctor/check-reach.ts",
    "hub/connect.ts",
    "matrix-client/request.ts",
    "model/anthropic.ts",
    "model/embeddings.ts",
    "model/openai.ts",
  ];

  it("is used in a few known files, and only towards addresses of this machine or of the user's choice", () => {
    const calls = /(?:await|return|=>?)\s+fetch\(|new WebSocket\(/;
    const modules =
      /^(?:node:(?:http|https|http2|net|tls|dgram)|undici|ws|pg|openai|@anthropic-ai\/sdk|@slack\/.+)$/;
    const users = files.filter(({ layer, text }) => {
      const code = stripComments(text).replaceAll(/^import type [^;]+;$/gm, "");
      const imported = [...code.matchAll(/from "([^"]+)"/g)].map(([, name = ""]) => name);
      return layer !== "viewer" && (calls.test(code) || imported.some((name) => modules.test(name)));
    });
    const paths = users.map(({ path }) => path.split(sep).join("/"));
    expect(paths.toSorted()).toEqual([...local, ...chosen].toSorted());
  });
});

describe("git", () => {
  it("runs through one function, and a checkout's .git is read in one place", () => {
    const spawners = files
      .filter(({ text }) => /["'`]git(?:\.exe)?["'`],\s*\[/.test(text))
      .map(({ path }) => path);
    expect(spawners).toEqual([join("daemon", "identity", "git.ts")]);
    const readers = files
      .filter(({ text }) => /gitdir: |["'`]commondir["'`]/.test(text))
      .map(({ path }) => path);
    expect(readers).toEqual([join("daemon", "identity", "git-folder.ts")]);
  });
});

describe("notes", () => {
  it("enter the store through one function", () => {
    const entries = files
      .filter(({ layer, text }) => layer !== "store" && /\bnotes\.insert\(/.test(text))
      .map(({ path }) => path);
    expect(entries).toEqual([join("daemon", "memory", "keep-note.ts")]);
    const rows = files.filter(({ text }) => /\binsertPortable\(/.test(text)).map(({ path }) => path);
    expect(rows.toSorted()).toEqual(
      ["daemon/import/import-jsonl.ts", "daemon/memory/keep-note.ts", "store/portable.ts"].map((path) =>
        join(...path.split("/")),
      ),
    );
  });
});

describe("SQL", () => {
  it("is written only in the folders that own tables", () => {
    const sql =
      /\b(?:SELECT .+ FROM|SELECT \w+\(|INSERT (?:OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA|CREATE (?:VIRTUAL )?TABLE)\b/;
    const owners = ["homeserver", "hub", "sqlite", "store"];
    const withSql = files.filter(({ text }) => sql.test(stripComments(text)));
    expect(withSql.length).toBeGreaterThan(20);
    expect(withSql.filter(({ layer }) => !owners.includes(layer)).map(({ path }) => path)).toEqual([]);
  });
});

describe("the folders of the daemon", () => {
  const daemon = files.filter(({ layer, path }) => layer === "daemon" && path !== join("daemon", "main.ts"));

  it("are all in the table", () => {
    expect(new Set(daemon.map(({ path }) => path.split(sep)[1]))).toEqual(
      new Set(Object.keys(daemonFolders)),
    );
  });

  it("import only the folders declared for them", () => {
    expect(findForbidden(listEdges(daemon, 1), daemonFolders)).toEqual([]);
  });

  it("declare no import that is not used, and no ring", () => {
    expect(findUnused(listEdges(daemon, 1), daemonFolders)).toEqual([]);
    expect(findOutOfOrder(daemonFolders)).toEqual([]);
  });
});

describe("the viewer", () => {
  it("takes only types from elsewhere, and makes no HTML of data", () => {
    const viewer = files.filter(({ layer }) => layer === "viewer");
    expect(viewer.length).toBeGreaterThan(30);
    const values = viewer.flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?!type )[^;]*?from "[./]+\/protocol\/[^"]+"/gm)].map(() => path),
    );
    expect(values).toEqual([]);
    const markup =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|eval\(|srcdoc/;
    expect(viewer.filter(({ text }) => markup.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe("every source file", () => {
  it.each([
    ["ends the process only in bin", /process\.exit\(/, "bin"],
    ["reads the environment only in config", /process\.env\b/, "config"],
  ])("%s", (_rule, pattern, home) => {
    const offences = files.filter(({ layer, text }) => layer !== home && pattern.test(stripComments(text)));
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it("parses JSON only with parseJson, which keeps `__proto__` out", () => {
    const parsers = files.filter(({ text }) => /\bJSON\.parse\b|\.json\(\)/.test(stripComments(text)));
    expect(parsers.map(({ path }) => path)).toEqual([join("shared", "json.ts")]);
  });

  it("is small enough to read at once", () => {
    const long = files.filter(({ text }) => text.split("\n").length > 400).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  it("has named exports, no enum and no left-over markers", () => {
    const offences = files.filter(({ text }) =>
      /export default|^\s*(export )?(const )?enum |TODO|FIXME/m.test(text),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it("says why where it swallows an error", () => {
    const bare = /catch(?: \(\w+\))? \{\s*\}/;
    expect(files.filter(({ text }) => bare.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe("the hook leaf", () => {
  it("imports only a few of Node's own modules, so that it starts fast", () => {
    const imports = files
      .filter(({ layer }) => layer === "hook-leaf")
      .flatMap((file) => file.imports.filter((i) => !i.startsWith(".")));
    const allowed = ["node:child_process", "node:fs", "node:net", "node:os", "node:path"];
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
