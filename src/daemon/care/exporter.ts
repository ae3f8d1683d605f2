import type { ExportLine, ExportRequest } from "../../protocol/export.ts";
import {
  type ExportFilter,
  type ExportPosition,
  portableKinds,
  type PortableRow,
} from "../../store/portable.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface ExportJobs {
  exportPage(page: { filter: ExportFilter; place: ExportPosition }): {
    rows: PortableRow[];
    next: ExportPosition | undefined;
  };
}

interface ExportingDeps extends Pick<DaemonContext, "store" | "clock"> {
  worker: JobWorker<ExportJobs>;
}

/** Exports all memory as lines of JSON, page by page at the reader's pace. */
export function makeExporter({
  store,
  clock,
  worker,
}: ExportingDeps): (request: ExportRequest) => AsyncGenerator<string> {
  const { findOne } = makeProjectFinder(store, clock);

  return async function* exportLines({ project, since }) {
    const filter: ExportFilter = {
      ...(project === undefined ? {} : { project: findOne(project) }),
      ...(since === undefined ? {} : { since }),
    };
    const head: ExportLine = {
      kind: "rookery-export",
      version: 1,
      at: clock(),
      origin: store.meta.get("origin") ?? "",
    };
    yield `${JSON.stringify(head)}\n`;
    let count = 0;
    let place: ExportPosition | undefined = { kind: portableKinds[0], after: 0 };
    while (place) {
      const page: { rows: PortableRow[]; next: ExportPosition | undefined } = await worker.call.exportPage({
        filter,
        place,
      });
      count += page.rows.length;
      if (page.rows.length > 0) yield page.rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      place = page.next;
    }
    const end: ExportLine = { kind: "end", rows: count };
    yield `${JSON.stringify(end)}\n`;
  };
}
