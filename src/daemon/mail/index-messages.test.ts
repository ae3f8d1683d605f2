import { afterAll, expect, test } from "vitest";
import { silentLog } from "../../shared/log.ts";
import type { MessageRow } from "../../store/messages.ts";
import { openStore } from "../../store/open-store.ts";
import { openBus } from "../runtime/bus.ts";
import { findOrCreateProject } from "../identity/project-registry.ts";
import { indexMessages } from "./index-messages.ts";

const store = openStore(":memory:", () => 1);
afterAll(() => store.close());

test("a message stored just before the daemon was killed is found after its next start", () => {
  const project = findOrCreateProject(store, "/work/api/.git", 1);
  const key = `project:${project.id}`;
  store.rooms.put({ id: "r1", kind: "project", key, name: "api", keepDays: null, createdAt: 1 });
  const message: MessageRow = {
    id: "m1",
    eventId: null,
    roomId: "r1",
    address: "#api",
    sender: "api-rook",
    userId: null,
    ...{
      agentId: null,
      isAgent: true,
      kind: "text",
      body: "The schema is merged",
      extra: null,
      replyTo: null,
    },
    hops: 0,
    state: "sent",
    attempts: 0,
    dueAt: 1,
    error: null,
    createdAt: 1,
  };
  store.messages.insert(message);
  store.messages.insert({ ...message, id: "m2", kind: "task" });

  indexMessages(store, openBus(silentLog, 1));

  expect(store.index.has("message", "m1")).toBe(true);
  expect(store.index.has("message", "m2")).toBe(false);
});
