import { Hono } from "hono";
import { stream } from "hono/streaming";
import { foldersRequest, forgetRequest } from "../../protocol/care.ts";
import { exportRequest } from "../../protocol/export.ts";
import { checkShape, readBody } from "../body.ts";
import type { CareBackend } from "../care-backend.ts";

export function careRoutes(care: CareBackend): Hono {
  const app = new Hono();

  /** POST /api/forget */
  app.post("/forget", async (c) => c.json(await care.forget(await readBody(c, forgetRequest))));

  /** POST /api/folders */
  app.post("/folders", async (c) => c.json(await care.folders(await readBody(c, foldersRequest))));

  /** GET /api/folders */
  app.get("/folders", (c) => c.json(care.folderFiles()));

  /** POST /api/compact */
  app.post("/compact", (c) => c.json(care.compact(), 202));

  /** GET /api/compact */
  app.get("/compact", (c) => c.json(care.compactState()));

  /** GET /api/export */
  app.get("/export", async (c) => {
    const lines = care.export(checkShape(exportRequest, c.req.query()));
    const first = await lines.next(); // A project that is not there is an error, not half an export.
    c.header("content-type", "application/x-ndjson; charset=utf-8");
    return stream(c, async (out) => {
      await out.write(first.value ?? "");
      for await (const text of lines) {
        if (out.aborted) return;
        await out.write(text);
      }
    });
  });

  /** DELETE /api/observations/:id */
  app.delete("/observations/:id", async (c) =>
    c.json({ forgotten: true, ...(await care.forget({ ids: [c.req.param("id")], dryRun: false })) }),
  );

  return app;
}
