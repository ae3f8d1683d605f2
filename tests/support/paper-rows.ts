import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** When a test runs: `long` only with `--long`, `mount` only where the tests may mount a file system. */
type Condition = "long" | "mount";

interface NamedTest {
  /** Relative to the repository. */
  file: string;
  title: string;
  condition: Condition | undefined;
}

/** A row of docs/seeds.md: a statement with the reason why Rookery does otherwise, or the test that shows it. */
interface PaperRow {
  statement: string;
  shown: string;
  reason: string | undefined;
  test: NamedTest | undefined;
}

const placeholder = /%[sdifjoO#]|\$\{[^}]*\}|\$[a-z]\w*/g;
/** A title of placeholders would match everything. */
const minFixedCharacters = 8;

export function readPaperRows(root: string): PaperRow[] {
  return readFileSync(join(root, "docs", "seeds.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| statement"))
    .map((line) => {
      const [statement = "", ...rest] = line.slice(2, -2).split(" | ");
      const shown = rest.join(" | ");
      const [, reason] = /^(?:Otherwise|Host): (.+)$/.exec(shown) ?? [];
      return { statement, shown, reason, test: readNamedTest(root, shown) };
    });
}

function readNamedTest(root: string, shown: string): NamedTest | undefined {
  const [, name = "", title = "", condition] = /^(\S+) "(.+)"(?: \((long|mount)\))?$/.exec(shown) ?? [];
  const file = [`tests/${name}.test.ts`, `src/${name}.test.ts`].find((path) => existsSync(join(root, path)));
  return file === undefined ? undefined : { file, title, condition: condition as Condition | undefined };
}

/** Whether a test has this title. Placeholders such as `%s` in either of them stand for any text. */
export function hasTitle(name: string, title: string): boolean {
  return name === title || matches(title, name) || matches(name, title);
}

function matches(pattern: string, text: string): boolean {
  const fixed = pattern.split(placeholder);
  if (fixed.join("").length < minFixedCharacters) return false;
  const escaped = fixed.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`, "s").test(text);
}
