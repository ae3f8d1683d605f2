import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HostFile } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { openBackups } from "./backups.ts";
import { hasHostFiles, installHostFiles, uninstallHostFiles } from "./host-files.ts";

const plugin = "/home/sample/.rookery/app/current/plugin";
const rows = hosts.flatMap(({ name, install }): [string, readonly HostFile[]][] => {
  const files = install.files?.(plugin) ?? [];
  return files.length > 0 ? [[name, files]] : [];
});

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "rk-host-"));
  folder = join(home, ".host");
});
afterEach(() => rmSync(home, { recursive: true }));
const backups = () => openBackups(join(home, "backups"));

describe.each(rows)("the files of %s", (_, files) => {
  test("leave nothing behind where the host had no folder yet", () => {
    expect(installHostFiles(folder, files, backups())).toBe("installed");
    expect(installHostFiles(folder, files, backups())).toBe("present");
    expect(hasHostFiles(folder, files)).toBe(true);
    expect(uninstallHostFiles(folder, files, backups())).toBe(true);
    expect(readdirSync(home)).toEqual([]);
  });

  test("leave the person's settings byte by byte, and files of others in the same folders", () => {
    const theirs = '{\n\t"theirs": {"hooks": [ ]}, "mcpServers": {}\n}\n';
    const neighbours = files.map(({ path }) => join(folder, dirname(path), "neighbour"));
    const settings = files.flatMap((file) => ("text" in file ? [] : [join(folder, file.path)]));
    for (const file of [...neighbours, ...settings]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, theirs);
    }
    installHostFiles(folder, files, backups());
    for (const file of settings) expect(readFileSync(file, "utf8")).not.toBe(theirs);
    expect(uninstallHostFiles(folder, files, backups())).toBe(true);
    for (const file of [...neighbours, ...settings]) expect(readFileSync(file, "utf8")).toBe(theirs);
    expect(existsSync(join(home, "backups"))).toBe(false);
    expect(uninstallHostFiles(folder, files, backups())).toBe(false);
  });
});
