import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";

let rookery: Rookery;
let project: string;
beforeEach(async () => {
  rookery = openRookery({ ROOKERY_MATRIX_PORT: "0" });
  project = join(rookery.env.HOME ?? "", "orders-api");
  mkdirSync(project, { recursive: true });
  await rookery.start();
});
afterEach(() => rookery.close());

describe("mail", () => {
  it("goes from one agent to another through the homeserver", async () => {
    await rookery.hook("SessionStart", { session_id: "s-1", cwd: project, source: "startup" });
    await rookery.hook(
      "SessionStart",
      { session_id: "s-2", cwd: project, source: "startup" },
      { claudePid: process.ppid },
    );
    const sent = await rookery.call("POST", "/api/messages", {
      to: "orders-api-jay",
      text: "The API is ready.",
      claudePid: process.pid,
    });
    expect(sent.json).toMatchObject({ from: "orders-api-rook", to: "orders-api-jay" });
    await waitFor(() => rookery.query("SELECT 1 FROM deliveries").length === 1);
    const { stdout } = await rookery.hook(
      "UserPromptSubmit",
      { session_id: "s-2", cwd: project, prompt: "go on" },
      { claudePid: process.ppid },
    );
    expect(stdout).toContain("The API is ready.");
  });
});
