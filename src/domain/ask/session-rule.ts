import type { SessionRule } from "./question.ts";

/**
 * The narrowest rule that lets this very thing happen again in the session without asking, or null where no rule would be
 * narrow: then "allow for session" is not offered. Rules are ours: what the host suggests may open far more than was asked.
 */
export function makeSessionRule(toolName: string, input: Record<string, unknown>): SessionRule | null {
  if (toolName === "Bash") return commandRule(input.command);
  if (toolName === "Edit" || toolName === "MultiEdit" || toolName === "Write")
    return fileRule(input.file_path);
  if (toolName === "NotebookEdit") return fileRule(input.notebook_path);
  if (toolName === "WebFetch") return addressRule(input.url);
  return toolName.startsWith("mcp__") ? { toolName, ruleContent: null } : null;
}

/** Anything by which one command line is more than one command, or another one than it seems. */
const notPlain = /[;&|<>$`(){}[\]*?!#~\\'"\n\r]|[^ -~]/;
/** They run whatever their arguments say. */
const runners = new Set(
  (
    "bash sh zsh dash ksh fish csh tcsh pwsh powershell cmd python python2 python3 node deno bun ruby perl php lua tclsh awk gawk " +
    "sed ed ex vi vim nvim emacs osascript swift ghci irb env sudo doas su runuser setpriv time nohup nice ionice timeout stdbuf " +
    "setsid xargs parallel find fd exec eval source . command builtin ssh scp rsync watch entr strace ltrace gdb npx bunx uvx pipx " +
    "make cmake ninja docker podman kubectl nsenter chroot unshare systemd-run at crontab screen tmux script expect busybox tar zip " +
    "git-upload-pack rm dd mkfs shutdown reboot kill pkill killall chmod chown curl wget nc ncat socat telnet"
  ).split(" "),
);
/** Programs that neither start others nor write beyond what they name, whatever else is said to them. */
const harmless = new Set(
  "mkdir touch ls cat head tail wc pwd date whoami du df stat file basename dirname realpath".split(" "),
);
const harmlessOfGit = new Set(
  "status log show diff branch add commit stash tag blame shortlog describe".split(" "),
);

/**
 * A prefix where all that may follow it is harmless; otherwise exactly this line again, and nothing at all for what is
 * more than one plain command, sets variables first, or runs whatever it is given.
 */
function commandRule(command: unknown): SessionRule | null {
  if (typeof command !== "string" || notPlain.test(command)) return null;
  const words = command.trim().split(/\s+/);
  const [program = "", verb = ""] = words;
  if (program === "" || program.includes("=") || command.endsWith(":")) return null;
  if (runners.has(program.slice(program.lastIndexOf("/") + 1))) return null;
  if (harmless.has(program)) return { toolName: "Bash", ruleContent: `${program}:*` };
  if (program === "git" && harmlessOfGit.has(verb)) return { toolName: "Bash", ruleContent: `git ${verb}:*` };
  return { toolName: "Bash", ruleContent: command.trim() };
}

/** In a rule a path from the root begins with two slashes; what would be a pattern there is no exact path. */
function fileRule(path: unknown): SessionRule | null {
  if (
    typeof path !== "string" ||
    !path.startsWith("/") ||
    /[*?[\]{}!#\\()]|[^ -~]|\/\.\.?(?:\/|$)|\/$/.test(path)
  )
    return null;
  return { toolName: "Edit", ruleContent: `/${path}` };
}

function addressRule(url: unknown): SessionRule | null {
  const host = typeof url === "string" ? /^https?:\/\/([a-z0-9.-]+)(?:[:/?#]|$)/.exec(url)?.[1] : undefined;
  return host === undefined ? null : { toolName: "WebFetch", ruleContent: `domain:${host}` };
}

/** As it is shown to the person. */
export function formatRule({ toolName, ruleContent }: SessionRule): string {
  return ruleContent === null ? toolName : `${toolName}(${ruleContent})`;
}
