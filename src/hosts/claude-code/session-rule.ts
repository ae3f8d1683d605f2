import type { SessionRule } from "../../domain/ask/question.ts";

/**
 * The narrowest rule that allows the same action again in this session, or null where no narrow rule exists: then "allow for
 * session" is not offered. The host's own suggestions are not used: they may allow far more than was asked.
 */
export function makeSessionRule(toolName: string, input: Record<string, unknown>): SessionRule | null {
  if (toolName === "Bash") return commandRule(input.command);
  if (toolName === "Edit" || toolName === "MultiEdit" || toolName === "Write")
    return fileRule(input.file_path);
  if (toolName === "NotebookEdit") return fileRule(input.notebook_path);
  if (toolName === "WebFetch") return addressRule(input.url);
  return toolName.startsWith("mcp__") ? { toolName, ruleContent: null } : null;
}

/**
 * Shell syntax, quoting, invisible characters: with any of these the line may be more than one command, or a different
 * one than it appears to be.
 */
const notPlain = /[;&|<>$`(){}[\]*?!#~\\'"]|[^ -~]/;
/**
 * Programs that run code from their arguments, destroy files or talk to other machines: these can be allowed once only.
 */
const runners = new Set(
  (
    "bash sh zsh dash ksh fish csh tcsh pwsh powershell cmd python python2 python3 node deno bun ruby perl php lua tclsh awk gawk " +
    "sed ed ex vi vim nvim emacs osascript swift ghci irb env sudo doas su runuser setpriv time nohup nice ionice timeout stdbuf " +
    "setsid xargs parallel find fd exec eval source . command builtin ssh scp rsync watch entr strace ltrace gdb npx bunx uvx pipx " +
    "make cmake ninja docker podman kubectl nsenter chroot unshare systemd-run at crontab screen tmux script expect busybox tar zip " +
    "git-upload-pack rm dd mkfs shutdown reboot kill pkill killall chmod chown curl wget nc ncat socat telnet"
  ).split(" "),
);
/**
 * Allows exactly this line, never a prefix (`git log:*`): nearly every program has an option that writes a file or
 * starts a program (`git log --output`, `sort -o`, `rg --pre`), and for the rest the host alone would decide whether
 * `ls > file` is still `ls`.
 */
function commandRule(command: unknown): SessionRule | null {
  if (typeof command !== "string" || notPlain.test(command)) return null;
  const line = command.trim();
  const [program = ""] = line.split(" ");
  // A trailing colon could be read as a prefix rule.
  if (program === "" || program.includes("=") || line.endsWith(":")) return null;
  if (runners.has(program.slice(program.lastIndexOf("/") + 1))) return null;
  return { toolName: "Bash", ruleContent: line };
}

/** In a rule a path from the root begins with two slashes. A path with pattern characters gets no rule. */
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
