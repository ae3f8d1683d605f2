import { setTimeout as pause } from "node:timers/promises";
import { callEndpoint } from "../client/request.ts";
import { importEndpoints } from "../protocol/endpoints/care.ts";
import { viewerEndpoints } from "../protocol/endpoints/viewer.ts";
import type { ImportRequest, ImportView } from "../protocol/import.ts";
import type { CliContext } from "./command.ts";
import { formatImport, formatProgress } from "./import-report.ts";
import { makeStyle } from "./style.ts";
import { truncateLine } from "./text-width.ts";

const pollMs = 200;
const interrupted = 130;
/** Of each type. */
const maxLearned = 3;

/** Runs an import and shows its progress, its result, and some of the notes that it made. Returns the exit code. */
export async function runImport(context: CliContext, body: ImportRequest): Promise<number> {
  await callEndpoint(context.address, importEndpoints.startImport, { body });
  const state = await follow(context);
  context.print(context.isJson ? JSON.stringify(state, null, 2) : formatImport(state));
  if (!context.isJson && !state.dryRun && state.notes > 0) context.print(await formatLearned(context));
  if (state.state === "failed") return 6;
  return state.state === "cancelled" ? interrupted : 0;
}

/** Shows progress until the import ends. Ctrl-C cancels the import; running the command again resumes it. */
async function follow(context: CliContext): Promise<ImportView> {
  const cancel = (): void => {
    // It may have just ended; the next poll shows it.
    callEndpoint(context.address, importEndpoints.cancelImport).catch(() => undefined);
  };
  process.once("SIGINT", cancel);
  try {
    for (;;) {
      const state = await callEndpoint(context.address, importEndpoints.getImport);
      if (state.state !== "running") return state;
      context.drawProgress(formatProgress(state, Date.now()));
      await pause(pollMs);
    }
  } finally {
    process.removeListener("SIGINT", cancel);
    context.drawProgress("");
  }
}

/** The latest decisions and preferences: what a person recognises first. */
async function formatLearned(context: CliContext): Promise<string> {
  const style = makeStyle(context);
  const pages = await Promise.all(
    (["preference", "decision"] as const).map((type) =>
      callEndpoint(context.address, viewerEndpoints.browseMemory, { query: { type, limit: maxLearned } }),
    ),
  );
  const rows = pages.flatMap(({ notes }) => notes);
  if (rows.length === 0) return "";
  const lines = rows.map(({ type, title, project }) => {
    const lead = `  ${(type ?? "").padEnd(10)}  `;
    const end = ` (${project})`;
    const shown = truncateLine(title, context.columns - lead.length - end.length);
    return `${style.type(type ?? "", lead)}${shown}${style.dim(end)}`;
  });
  return ["", "Learned, for example:", ...lines].join("\n");
}
