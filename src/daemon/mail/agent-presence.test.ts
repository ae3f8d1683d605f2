import { afterEach, expect, test } from "vitest";
import type { MatrixClient } from "../../matrix-client/client.ts";
import type { AgentView } from "../../protocol/api.ts";
import { silentLog } from "../../shared/log.ts";
import { openStore } from "../../store/open-store.ts";
import type { Accounts } from "../matrix/accounts.ts";
import { openBus } from "../runtime/bus.ts";
import { openAgentPresence } from "./agent-presence.ts";
import type { RoomFinder } from "./room-finder.ts";

const store = openStore(":memory:", () => 1_000);
const project = {
  id: "p1",
  path: "/shop/.git",
  name: "shop",
  fingerprint: null,
  mode: "on",
  leases: "warn",
} as const;
store.projects.insert({ ...project, createdAt: 0 });
store.agents.insert({
  id: "a1",
  name: "shop-rook",
  project: project.path,
  projectName: "shop",
  seat: 0,
  createdAt: 0,
});

const room = {
  id: "!r",
  kind: "project",
  key: "project:p1",
  name: "shop",
  keepDays: null,
  createdAt: 0,
} as const;

let stop = (): void => {};
afterEach(() => stop());

test("a focus that is forgotten while the account signs in is not sent", async () => {
  const view: AgentView = {
    id: "a1",
    name: "shop-rook",
    project: "shop",
    status: "working",
    session: "s1",
    branch: null,
    host: "claude-code",
    focus: "the secret plan",
    waiting: 0,
  };
  const signIn = Promise.withResolvers<MatrixClient>();
  const asked = Promise.withResolvers<void>();
  const sent: string[] = [];
  const done = Promise.withResolvers<void>();
  const note = async (...given: unknown[]): Promise<void> => {
    sent.push(JSON.stringify(given));
    if (sent.length === 2) done.resolve();
  };
  const client = { userId: "@shop-rook:x", setPresence: note, setState: note } as Partial<MatrixClient>;
  const presence = openAgentPresence({
    store,
    bus: openBus(silentLog, 1_000),
    log: silentLog,
    accounts: {
      isShared: false,
      machine: { id: "ROOKERY1", name: "desk" },
      clientOfAgent() {
        asked.resolve();
        return signIn.promise;
      },
    } as Partial<Accounts> as Accounts,
    agents: { view: () => view, viewAll: () => [view] },
    rooms: { joinProject: async () => room } as Partial<RoomFinder> as RoomFinder,
  });
  stop = presence.stop;
  presence.start();
  await asked.promise;
  view.focus = null;
  signIn.resolve(client as MatrixClient);
  await done.promise;
  expect(sent.join("\n")).toContain("at work");
  expect(sent.join("\n")).not.toContain("secret");
});
