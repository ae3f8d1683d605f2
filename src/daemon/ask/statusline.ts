import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { runLogged, repeat } from "../runtime/repeat.ts";
import type { PresenceWatch } from "./presence.ts";
import type { Questions } from "./questions.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface StatusLine {
  start(): void;
  stop(): void;
}

interface StatusLineDeps extends Pick<DaemonContext, "store" | "bus" | "log"> {
  file: string;
  presence: PresenceWatch;
  questions: Pick<Questions, "listOpen">;
}

/** Interval of the presence check, because presence changes cause no event. */
const checkMs = 15_000;

/**
 * Maintains the file that `rookery statusline` prints. The command runs after every step of a session, so the launcher
 * reads the file with shell builtins only. The file has two lines: our process id, which reveals a stale file, and the
 * text.
 */
export function openStatusLine(deps: StatusLineDeps): StatusLine {
  const { file, store, bus, log, presence, questions } = deps;
  let written = "";
  let isScheduled = false;
  let isPaused = false;
  let timer: { stop(): void } | undefined;
  let unsubscribe = (): void => {};

  function write(): void {
    const text = `${process.pid}\n${describe()}\n`;
    if (text === written) return;
    try {
      writeFileSync(`${file}.next`, text, { mode: 0o600 });
      renameSync(`${file}.next`, file);
    } catch {
      overwrite(file, text); // The disk is full, but an existing file needs no new block.
    }
    written = text;
  }

  function describe(): string {
    if (isPaused) return "rookery ✕ disk full: not remembering";
    const parts = [presence.check().isHere ? "● here" : "○ away"];
    const asked = questions.listOpen().length;
    if (asked > 0) parts.push(asked === 1 ? "1 question" : `${asked} questions`);
    const { queued } = store.deliveries.countByState();
    if (queued > 0) parts.push(`${queued} unread`);
    const { parked } = store.outbox.counts();
    if (parked > 0) parts.push(`${parked} not sent`);
    const notes = store.notes.total();
    return `rookery ${[...parts, notes === 1 ? "1 note" : `${notes} notes`].join(" · ")}`;
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      if (timer) runLogged(write, log);
    }, 200).unref();
  }

  return {
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        const { type } = event;
        if (event.type === "health.changed") isPaused = event.status === "paused";
        const isShown = /^(?:question|delivery|presence|observation|session|health)\./.test(type);
        if (isShown) schedule();
      });
      timer = repeat(checkMs, write, log);
      runLogged(write, log);
    },
    stop() {
      unsubscribe();
      timer?.stop();
      timer = undefined;
      rmSync(file, { force: true });
    },
  };
}

function overwrite(file: string, text: string): void {
  const handle = openSync(file, "r+");
  try {
    ftruncateSync(handle, writeSync(handle, text, 0));
  } finally {
    closeSync(handle);
  }
}
