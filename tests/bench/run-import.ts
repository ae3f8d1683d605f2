import type { ImportView } from "../../src/protocol/import.ts";
import type { BenchHome } from "./stage.ts";

const megabyte = 1_000_000;

/** Imports the transcripts below a path, and calls `meanwhile` until that is done. */
export async function runImport(
  bench: BenchHome,
  path: string,
  meanwhile: () => Promise<void>,
): Promise<ImportView> {
  await bench.call("POST", "/api/import", { source: "transcripts", path });
  for (;;) {
    const view = await bench.call<ImportView>("GET", "/api/import");
    if (view.state === "failed") throw new Error(view.error ?? "the import failed");
    if (view.state === "done") return view;
    await meanwhile();
  }
}

/** Megabytes per second, until everything is stored and searchable. */
export function rate({ bytesDone, startedAt, endedAt }: ImportView): number {
  return bytesDone / megabyte / (((endedAt ?? 0) - (startedAt ?? 0)) / 1000);
}
