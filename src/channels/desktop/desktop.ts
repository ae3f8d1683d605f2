import { execFile } from "node:child_process";
import { basename } from "node:path";
import type { Card, Notice } from "../../domain/ask/card.ts";
import { type Channel, ChannelError, type ChannelHealth, type MessageRef } from "../channel.ts";
import { findNotifier, makeBody, makeTitle, type Notifier } from "./notifier.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

interface DesktopOptions {
  /** `auto` is on if there is a display and a notification program. */
  enabled: "auto" | "on" | "off";
  environment: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
}

const timeoutMs = 5_000;
const maxRememberedKeys = 1_000;

/** Desktop notifications. They cannot be answered, and they disappear on their own. */
export function makeDesktopChannel({
  enabled,
  environment,
  platform = process.platform,
}: DesktopOptions): Channel {
  const notifier = enabled === "off" ? undefined : findNotifier(environment, platform);
  const shown = new Set<string>();
  const running = new Set<AbortController>();
  let failure = "";

  async function show(key: string, title: string, body: string, isUrgent: boolean): Promise<MessageRef> {
    if (!notifier) throw new ChannelError("never", "No desktop to show notifications on.");
    if (shown.has(key)) return key;
    await run(notifier, title, body, isUrgent);
    shown.add(key);
    dropOldest(shown, maxRememberedKeys);
    return key;
  }

  function run(
    { command, args, variables }: Notifier,
    title: string,
    body: string,
    isUrgent: boolean,
  ): Promise<void> {
    const controller = new AbortController();
    running.add(controller);
    const env = { ...environment, ...variables(title, body) };
    return new Promise((resolve, reject) => {
      const options = { env, timeout: timeoutMs, signal: controller.signal, windowsHide: true };
      execFile(command, args(title, body, isUrgent), options, (error, _stdout, stderr) => {
        running.delete(controller);
        failure = error ? `${basename(command)}: ${stderr.trim() || error.message}`.slice(0, 300) : "";
        if (!error) return resolve();
        const isMissing = error.code === "ENOENT" || error.code === "EACCES";
        reject(new ChannelError(isMissing ? "never" : "later", failure, { cause: error }));
      });
    });
  }

  function health(): ChannelHealth {
    if (notifier) return failure ? { state: "failing", detail: failure } : { state: "ready", detail: "" };
    const detail = "No display or no notify-send. Install libnotify-bin, or set desktop.enabled to off.";
    return enabled === "on" ? { state: "misconfigured", detail } : { state: "off", detail: "" };
  }

  return {
    name: "desktop",
    canAnswer: false,
    start() {},
    async stop() {
      for (const controller of running) controller.abort();
    },
    health,
    post: (card, key) => show(key, makeTitle(card.headline), describeCard(card), card.kind !== "choice"),
    async settle() {},
    notify: (notice, key) =>
      show(key, makeTitle(notice.headline), describeNotice(notice), notice.level === "error"),
    watch() {},
  };
}

function describeCard({ asker, prompts, subject }: Card): string {
  const asked = prompts.map(({ text, options }) =>
    [text, options.map(({ label }) => label).join(" / ")].join(" "),
  );
  return makeBody([
    `${asker.project} · ${asker.agent}`,
    ...asked,
    subject && `${subject.toolName}: ${subject.text}`,
  ]);
}

function describeNotice({ asker, body }: Notice): string {
  return makeBody([`${asker.project} · ${asker.agent}`, body]);
}
