import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { stripInvisible } from "../../shared/defuse.ts";
import { truncate, toOneLine } from "../../shared/text.ts";

/**
 * A command that shows a notification. Texts are passed as arguments or variables, so that no shell or parser
 * interprets them.
 */
export interface Notifier {
  command: string;
  args(title: string, body: string, isUrgent: boolean): string[];
  variables(title: string, body: string): Record<string, string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const maxTitle = 120;
const maxBody = 400;
const none = (): Record<string, string> => ({});

/** Texts are passed as arguments, never inserted into the script. */
const appleScript = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
];

/** Texts are passed in environment variables and inserted as text nodes. */
const powerShellScript = `
$ErrorActionPreference = 'Stop'
[Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime] | Out-Null
$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $toast.GetElementsByTagName('text')
$texts.Item(0).AppendChild($toast.CreateTextNode($env:ROOKERY_NOTICE_TITLE)) | Out-Null
$texts.Item(1).AppendChild($toast.CreateTextNode($env:ROOKERY_NOTICE_BODY)) | Out-Null
$sender = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($sender).Show([Windows.UI.Notifications.ToastNotification]::new($toast))
`;

/** The notifier of this system; undefined if there is no display or no notification program. */
export function findNotifier(environment: Environment, platform: NodeJS.Platform): Notifier | undefined {
  if (platform === "darwin") {
    const command = findProgram("osascript", environment.PATH);
    const script = appleScript.flatMap((line) => ["-e", line]);
    return command
      ? { command, args: (title, body) => [...script, title, body], variables: none }
      : undefined;
  }
  if (platform === "win32")
    return {
      command: "powershell.exe",
      args: () => ["-NoProfile", "-NonInteractive", "-Command", powerShellScript],
      variables: (title, body) => ({ ROOKERY_NOTICE_TITLE: title, ROOKERY_NOTICE_BODY: body }),
    };
  if (!environment.DISPLAY && !environment.WAYLAND_DISPLAY) return undefined;
  const command = findProgram("notify-send", environment.PATH);
  if (!command) return undefined;
  return {
    command,
    args: (title, body, isUrgent) => {
      const options = ["--app-name=Rookery", `--urgency=${isUrgent ? "critical" : "normal"}`];
      // notify-send parses the body as markup; `--` protects text that starts with a dash.
      return [...options, "--", title, escapeMarkup(body)];
    },
    variables: none,
  };
}

/** One line. The fixed prefix keeps a text that starts with a dash from being read as an option. */
export function makeTitle(text: string): string {
  return truncate(`Rookery: ${flatten(text)}`, maxTitle).toWellFormed();
}

export function makeBody(parts: readonly (string | null | undefined)[]): string {
  const text = parts.flatMap((part) => (part ? [flatten(part)] : [])).join("\n");
  return truncate(text, maxBody).toWellFormed();
}

function flatten(text: string): string {
  return toOneLine(stripInvisible(text));
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function findProgram(name: string, path: string | undefined): string | undefined {
  return (path ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false; // Not in this folder: try the next.
      }
    });
}
