import { readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { redactText } from "../../redact/redact-text.ts";
import { tryParseJson } from "../../shared/json.ts";
import { readUserName } from "../../shared/user-name.ts";
import type { CliContext } from "../command.ts";

/** Removes secrets, user name, host name and home folder from a text. */
type Mask = (text: string) => string;

const minSecretLength = 6;
/** Names that identify no one and occur too often to be masked. */
const commonNames = /^(?:root|user|admin|ubuntu|node|home|localhost)$/i;

export function makeMask(context: CliContext): Mask {
  const { environment, home } = context;
  const secrets = listSecrets(context);
  const folders: [string, string][] = [
    [environment.HOME ?? "", "~"],
    [homedir(), "~"],
    [home.root, "$ROOKERY_HOME"],
  ];
  const names: [string, string][] = [
    [environment.USER ?? "", "<user>"],
    [environment.LOGNAME ?? "", "<user>"],
    [readUserName(), "<user>"],
    [hostname(), "<host>"],
  ];
  return (text) => {
    let masked = text;
    // Exact values first: the redactor only knows secrets by their shape.
    for (const secret of secrets) masked = masked.replaceAll(secret, "[secret]");
    masked = redactText(masked).text;
    for (const [folder, short] of folders) if (folder.length > 1) masked = masked.replaceAll(folder, short);
    for (const [name, short] of names)
      if (name.length > 2 && !commonNames.test(name))
        masked = masked.replace(new RegExp(`(?<![\\w])${escapePattern(name)}(?![\\w])`, "gi"), short);
    return masked;
  };
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Every known secret, longest first: one may be a prefix of another. */
function listSecrets({ home, environment }: CliContext): string[] {
  const fromEnvironment = Object.entries(environment)
    .filter(([name]) => /TOKEN|SECRET|PASSWORD|API_?KEY/i.test(name))
    .map(([, value]) => value ?? "");
  return [
    ...readText(home.token).split("\n"),
    ...listStrings(tryParseJson(readText(home.secrets))),
    ...fromEnvironment,
  ]
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length);
}

function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listStrings) : [];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Absent or unreadable: then the report cannot contain it either.
  }
}
