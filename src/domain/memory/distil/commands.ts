import type { Step, ToolStep, TurnRecord } from "../turn-record.ts";
import { clip } from "../../../shared/text.ts";
import { isEdit } from "./files.ts";

/** Programs that build or check a project; those that also do other things only with the right subcommand. */
const checker =
  /^(?:mise (?:run|r|exec|x)|just|make|task|npm (?:run|test|t\b)|pnpm|yarn|bunx?|npx|deno|cargo|go (?:test|vet|build)|golangci-lint|pytest|python3? -m|uv run|poetry run|tox|nox|ruff|mypy|flake8|eslint|prettier|biome|tsc|vitest|jest|playwright|(?:\.\/)?gradlew?|mvn|dotnet|swift|xcodebuild|bundle exec|rake|rspec|composer|phpunit|mix|sbt|ctest|cmake --build|terraform|helm|pre-commit)\b/;
const purpose =
  /\b(?:\w*tests?|spec|lint\w*|fmt|format|check|build|vet|typecheck|types?|ci|e2e|clippy|analy[sz]e|validate|verify|tsc|ruff|mypy|flake8|eslint|prettier|biome|tox|nox|vitest|jest|playwright|pre-commit|golangci-lint)(?=$|[\s:.-])/i;
/** Commands of no lasting use: a single test, quoted text, variables, paths of this machine. */
const special = /["'`$*(){}<>\\]|\s(?:-run|-k|-t|-o|--filter|--grep|-g)\b|(?:^|\s)(?:\/|~)|::/;
/** The shell or the program does not know the command. Unknown options do not count. */
const unknownCommand =
  /\b(?:command not found|not found in PATH|unrecogni[sz]ed (?:sub-?)?command|unknown (?:sub-?)?command|no such (?:sub-?)?command|is not recognized as|missing script|executable file not found|no module named)\b/i;
/** Only a part of the project. */
const partOnly = /\.\/(?!\.\.)|\w\//;

const maxCommand = 60;
const maxChecks = 4;
const maxWorkarounds = 2;
const maxReason = 100;
/** A command that replaces a failed one follows it closely. */
const reach = 6;

/** How the turn's work was checked, and which commands do not work here. */
export function listCommandFacts(turn: TurnRecord): string[] {
  return [...listWorkarounds(turn.steps), ...listChecks(turn)];
}

function listChecks({ steps, outcome }: TurnRecord): string[] {
  if (outcome !== "completed" || !steps.some(isEdit)) return [];
  const commands = listRuns(steps)
    .filter(({ failed }) => !failed)
    .flatMap(({ target }) => splitCommand(target))
    .filter((command) => command.length <= maxCommand && checker.test(command))
    .filter((command) => purpose.test(command) && !special.test(command));
  const checks = [...new Set(commands)]
    .toSorted((a, b) => Number(partOnly.test(a)) - Number(partOnly.test(b)))
    .slice(0, maxChecks)
    .map((command) => `\`${command}\``);
  return checks.length === 0 ? [] : [`Checked with ${checks.join(", ")}`];
}

/** Commands that failed because they do not exist here, each with the one that worked instead. */
export function listWorkarounds(steps: readonly Step[]): string[] {
  const runs = listRuns(steps);
  const facts = runs.flatMap((run, at) => {
    const [failed, ...others] = run.failed ? splitCommand(run.target) : [];
    const reason = run.output.split("\n").find((line) => unknownCommand.test(line));
    if (!failed || others.length > 0 || reason === undefined || !isPlain(failed)) return [];
    const worked = runs
      .slice(at + 1, at + 1 + reach)
      .filter((later) => !later.failed)
      .flatMap(({ target }) => splitCommand(target))
      .find(
        (command) =>
          command !== failed && isPlain(command) && checker.test(command) && isLike(command, failed),
      );
    return worked === undefined
      ? []
      : [`\`${failed}\` fails (${clip(reason.trim(), maxReason)}), \`${worked}\` works instead`];
  });
  return [...new Set(facts)].slice(0, maxWorkarounds);
}

function listRuns(steps: readonly Step[]): ToolStep[] {
  return steps.filter((step): step is ToolStep => step.kind === "tool" && step.toolKind === "run");
}

/** The commands of a line, without changes of folder, variables, time limits, pipes and redirections. */
function splitCommand(line: string): string[] {
  if (line.length > 500 || line.includes("<<")) return [];
  return line
    .split(/\s*(?:&&|\|\||;|\n)\s*/)
    .map((part) =>
      (part.split("|", 1)[0] ?? "")
        .replace(/\s*\d?>{1,2}\s*(?:&\d|\S+)/g, "")
        .replace(/^(?:[A-Z_]+=\S*\s+|(?:time|timeout \d+\w?)\s+)+/, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((part) => part !== "" && !/^(?:cd|echo|export|sleep|true|#)\b/.test(part));
}

function isPlain(command: string): boolean {
  return command.length <= maxCommand && !/["'`$\n]/.test(command);
}

/** Whether a command has most words of another. */
function isLike(command: string, other: string): boolean {
  const words = new Set(command.split(" "));
  const wanted = other.split(" ").filter((word) => !word.startsWith("-"));
  return wanted.filter((word) => words.has(word)).length >= Math.max(1, wanted.length / 2);
}

/** An error message that the note is about: people search for its exact text. */
export function errorsAbout(steps: readonly Step[], narrative: string): string[] {
  const words = new Set(narrative.match(/[A-Za-z_][\w.]{5,}/g) ?? []);
  return steps
    .flatMap((step) => {
      if (step.kind !== "tool" || !step.failed) return [];
      const line = step.output
        .split("\n")
        .find(
          (text) =>
            /error|exception|failed|cannot|denied|invalid|panic/i.test(text) &&
            !/^Exit code|<tool_use_error>|lint/i.test(text),
        );
      const shared = (line?.match(/[A-Za-z_][\w.]{5,}/g) ?? []).filter((word) => words.has(word));
      return line && shared.length > 0 ? [`Error: ${clip(line, 160)}`] : [];
    })
    .slice(0, 1);
}
