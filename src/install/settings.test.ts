import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBackups } from "./backups.ts";
import { type Entries, readEntries } from "./entries.ts";
import { parseObject } from "./json-file.ts";
import { findDuplicates, findSettings } from "./registration.ts";
import { type ClaudeFolders, locateScope, type Scope, scopes } from "./scopes.ts";
import { installSettings, removeAllOurs, removeSettings } from "./settings.ts";

const plugin = fileURLToPath(new URL("../../plugin/", import.meta.url));
const staged = "/home/sample/.rookery/app/current/plugin";
const entries = readEntries(plugin, staged);

let folder: string;
let folders: ClaudeFolders;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-settings-"));
  folders = {
    configDir: join(folder, ".claude"),
    state: join(folder, ".claude.json"),
    project: join(folder, "project"),
  };
  mkdirSync(folders.project);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const backups = () => openBackups(join(folder, "home", "backups"));
const at = (scope: Scope) => ({ files: locateScope(scope, folders), backups: backups(), dryRun: false });
const install = (scope: Scope = "user", dryRun = false) => installSettings({ ...at(scope), entries, dryRun });
const remove = (scope: Scope = "user") => removeSettings(at(scope));
const parseAny = (text: string): any => parseObject(text);
const read = (file: string): string => readFileSync(file, "utf8");
const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const handWritten = [
  ["none", undefined],
  ["an empty object", "{}"],
  [
    "hooks of their own",
    '{\n\t"hooks": {\n\t\t"Stop": [ { "hooks": [ {"type":"command","command":"say done"} ] } ]\n\t},\n\t"model": "opus"\n}\n',
  ],
  ["empty containers", '{ "hooks": { "Stop": [], "PreToolUse": [ ] }, "mcpServers": {} }'],
  [
    "unknown keys, in their order",
    '{\r\n  "zeta": 1.50,\r\n  "alpha": "\\u00e4",\r\n  "permissions": { "allow": ["Bash(rookery *)"] }\r\n}\r\n',
  ],
  [
    "comments and trailing commas",
    '// mine\n{\n  // which one\n  "model": "opus", /* fast */\n  "hooks": {\n    // none yet\n  },\n}\n',
  ],
  ["comments with CRLF", '{\r\n  "model": "opus" // mine\r\n}\r\n'],
] as const;

describe.each(scopes)("%s settings", (scope) => {
  it.each(handWritten)(
    "with %s get our entries, once, and have the same bytes after the removal",
    (_name, text) => {
      const { settings, servers, serversPath } = locateScope(scope, folders);
      for (const file of [settings, servers]) if (text !== undefined) put(file, text);
      install(scope);
      const { hooks, ...rest } = parseAny(read(settings));
      const their: any = text === undefined ? {} : parseAny(text);
      for (const [event, groups] of Object.entries(entries.hooks))
        expect(hooks[event]).toEqual([...(their.hooks?.[event] ?? []), ...groups]);
      for (const key of Object.keys(rest)) expect(rest[key]).toEqual(their[key]);
      const holder = serversPath.reduce<any>((now, key) => now[key], parseAny(read(servers)));
      expect(holder.rookery).toEqual({ command: "sh", args: [`${staged}/bin/rookery`, "mcp"] });

      const after = [read(settings), read(servers)];
      expect(install(scope).flatMap(({ changes }) => changes)).toEqual([]);
      expect([read(settings), read(servers)]).toEqual(after);

      remove(scope);
      for (const file of [settings, servers]) expect(existsSync(file) ? read(file) : undefined).toBe(text);
      expect(existsSync(join(folder, "home", "backups"))).toBe(false);
      expect(existsSync(folders.project)).toBe(true);
    },
  );
});

describe("the user's text", () => {
  const settings = () => locateScope("user", folders).settings;

  it("is unchanged around our entries", () => {
    const text =
      '{\n   "model":"opus",   "env": { "A":"1" },\n   "hooks": {\n      "Stop": [\n         { "hooks": [] }\n      ]\n   }\n}\n';
    put(settings(), text);
    install();
    const now = read(settings());
    expect(now.startsWith(text.slice(0, text.indexOf('{ "hooks": [] }') + 15))).toBe(true);
    expect(now).toContain('\n         {\n            "hooks": [');
  });

  it("stays when our entries are removed, even if it was added later", () => {
    put(settings(), '{\n  "model": "opus"\n}\n');
    install();
    const value = parseAny(read(settings()));
    value.hooks.Stop.unshift({ hooks: [{ type: "command", command: "mine" }] });
    value.effort = "high";
    put(settings(), JSON.stringify(value, null, 2));
    remove();
    expect(parseAny(read(settings()))).toEqual({
      model: "opus",
      effort: "high",
      hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] },
    });
  });

  it("keeps a server that has our name but is not ours", () => {
    const text = '{"mcpServers":{"rookery":{"command":"rookery","args":["mcp"]}}}';
    put(folders.state, text);
    install();
    expect(read(folders.state)).toBe(text);
    remove();
    expect(read(folders.state)).toBe(text);
  });

  it("is backed up before the first change", () => {
    put(settings(), '{ "model": "opus" }');
    const [edited] = install();
    expect(read(edited?.backup ?? "")).toBe('{ "model": "opus" }');
    expect(statSync(edited?.backup ?? "").mode & 0o777).toBe(0o600);
  });

  it("behind a link keeps the link and the permissions", () => {
    const real = join(folder, "dotfiles", "settings.json");
    put(real, '{ "model": "opus" }');
    chmodSync(real, 0o640);
    mkdirSync(folders.configDir);
    symlinkSync("../dotfiles/settings.json", settings());
    install();
    expect(parseAny(read(real))).toHaveProperty("hooks");
    expect(statSync(real).mode & 0o777).toBe(0o640);
    remove();
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(read(real)).toBe('{ "model": "opus" }');
  });

  it.each([
    ["a comment that does not end", '{ /* mine\n "model": "opus" }'],
    ["half a file", '{ "model": '],
    ["a list", "[1]"],
    ["hooks that are none", '{ "hooks": 3 }'],
    ["an event that is none", '{ "hooks": { "Stop": {} } }'],
  ])("that cannot be parsed is left alone, in all files: %s", (_name, text) => {
    put(settings(), text);
    expect(() => install()).toThrow(expect.objectContaining({ code: "settings_unreadable" }));
    expect(read(settings())).toBe(text);
    expect(existsSync(folders.state)).toBe(false);
  });

  it("keeps a comment that was written after the installation", () => {
    put(settings(), '{\n  "model": "opus"\n}\n');
    install();
    writeFileSync(settings(), read(settings()).replace("{\n", "{\n  // The best one.\n"));
    remove();
    expect(read(settings())).toBe('{\n  // The best one.\n  "model": "opus"\n}\n');
  });

  it("is unchanged if the other file cannot be parsed", () => {
    put(folders.state, "{ damaged");
    expect(() => install()).toThrow(expect.objectContaining({ code: "settings_unreadable" }));
    expect(existsSync(settings())).toBe(false);
  });

  it("is left alone if it is not valid UTF-8", () => {
    mkdirSync(folders.configDir);
    writeFileSync(settings(), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect(() => install()).toThrow(expect.objectContaining({ code: "settings_unreadable" }));
  });
});

it("a dry run only reports the changes", () => {
  const planned = install("user", true);
  expect(planned.map(({ file, changes }) => [file, changes.length])).toEqual([
    [locateScope("user", folders).settings, Object.keys(entries.hooks).length],
    [folders.state, 1],
  ]);
  expect(existsSync(folders.configDir)).toBe(false);
  expect(existsSync(folders.state)).toBe(false);
});

it("entries of an older version are updated in place", () => {
  const older = readEntries(plugin, "/elsewhere/.rookery/app/current/plugin");
  delete older.hooks.Stop;
  installSettings({ ...at("user"), entries: older });
  install();
  const { settings } = locateScope("user", folders);
  expect(parseAny(read(settings)).hooks).toEqual(entries.hooks);
});

/** The form that early 0.1.0 builds wrote: hosts that ignore `args` ran bash on the payload. */
function asArgumentOfBash(current: Entries): Entries {
  const rewrite = (_key: string, value: any): unknown =>
    typeof value?.command === "string" && value.command.endsWith("hook.sh")
      ? { ...value, command: "bash", args: [value.command, ...value.args] }
      : value;
  return JSON.parse(JSON.stringify(current), rewrite) as Entries;
}

describe.each(scopes)("entries that ran bash, in %s settings", (scope) => {
  const older = asArgumentOfBash(entries);

  it.each(handWritten)("are all replaced by an install, even beside %s", (_name, text) => {
    const { settings, servers } = locateScope(scope, folders);
    for (const file of [settings, servers]) if (text !== undefined) put(file, text);
    installSettings({ ...at(scope), entries: older });
    expect(read(settings)).toContain('"bash"');
    install(scope);
    expect(read(settings)).not.toContain('"bash"');
    const their: any = text === undefined ? {} : parseAny(text);
    for (const [event, groups] of Object.entries(entries.hooks))
      expect(parseAny(read(settings)).hooks[event]).toEqual([...(their.hooks?.[event] ?? []), ...groups]);
    remove(scope);
    for (const file of [settings, servers]) expect(existsSync(file) ? read(file) : undefined).toBe(text);
  });

  it("are found and removed", () => {
    const { settings } = locateScope(scope, folders);
    put(settings, '{ "model": "opus" }');
    installSettings({ ...at(scope), entries: older });
    expect(findSettings(folders, backups()).map(({ file }) => file)).toEqual([settings]);
    remove(scope);
    expect(read(settings)).toBe('{ "model": "opus" }');
  });
});

it("no entry starts an interpreter that would read the payload as a script", () => {
  const handlers = Object.values(entries.hooks).flatMap((groups: any[]) =>
    groups.flatMap(({ hooks }) => hooks),
  );
  expect(handlers.length).toBeGreaterThan(10);
  for (const { command } of handlers) expect(command).toBe(`${staged}/hooks/hook.sh`);
});

it("waits for Claude Code's lock on its own file, and ignores an old lock", () => {
  mkdirSync(`${folders.state}.lock`);
  const started = Date.now();
  expect(() => install()).toThrow(expect.objectContaining({ code: "settings_not_written" }));
  expect(Date.now() - started).toBeGreaterThan(1_500);
  expect(existsSync(`${folders.state}.lock`)).toBe(true);
  utimesSync(`${folders.state}.lock`, 1, 1);
  install();
  expect(parseAny(read(folders.state))).toHaveProperty("mcpServers.rookery");
  expect(existsSync(`${folders.state}.lock`)).toBe(false);
});

describe("its registrations", () => {
  it("are found in the user's settings, here, and in projects", () => {
    install("project");
    const other = { ...folders, project: join(folder, "other") };
    mkdirSync(other.project);
    installSettings({ ...at("user"), files: locateScope("local", other), entries });
    const found = findSettings(folders, backups());
    expect(found.map(({ scope, project }) => [scope, project])).toEqual([
      ["project", folders.project],
      ["local", other.project],
    ]);
    const registration = { plugin: undefined, settings: found };
    expect(findDuplicates(registration, folders.project)).toHaveLength(1);
    expect(findDuplicates(registration, join(folder, "third"))).toEqual([]);
    expect(findDuplicates(registration, undefined)).toHaveLength(2);

    for (const file of backups().files()) removeAllOurs(file, backups(), false);
    expect(findSettings(folders, backups())).toEqual([]);
    expect(parseAny(existsSync(folders.state) ? read(folders.state) : "{}")).toEqual({});
  });
});
