import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallInput, type Endpoint } from "../../src/protocol/endpoint.ts";
import { endpoints } from "../../src/protocol/endpoints.ts";
import { makePath } from "../../src/shared/make-path.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { waitFor } from "../support/processes.ts";
import type { Answer } from "../support/exchange.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

type Table = typeof endpoints;
/** The input of a call; `error`: the error code, if a success would need another service. */
type Row<E extends Endpoint> = CallInput<E> & { error?: string };

const rookeries = useRookeries(afterAll);
const outside = useOutside();
let rookery: Rookery;
const stage = useMailStage(() => rookery);
let rook: StagedSession;
let room = "";
let question = { id: "", key: "" };
let note = "";
let task = "";
let lease = "";
let code = "";
let delivery = "";
const line = "export const pool = openPool({ max: 5 });";
const empty = mkdtempSync(join(tmpdir(), "rk-empty-"));
afterAll(() => rmSync(empty, { recursive: true }));

beforeAll(async () => {
  rookery = rookeries.open({ ROOKERY_DESKTOP_ENABLED: "off", ROOKERY_MATRIX_OWNER: "olga" });
  await spawnDaemon(rookery);
  rook = await stage.open("aviary");
  execFileSync("git", ["init", "-q", rook.cwd]);
  writeFileSync(join(rook.cwd, "pool.ts"), `${line}\n`);
  await rook.say("UserPromptSubmit", { prompt_id: "p-1", prompt: "Why does the pool run dry?" });
  const edit = { file_path: join(rook.cwd, "pool.ts"), old_string: "", new_string: line };
  await rook.say("PostToolUse", { prompt_id: "p-1", tool_name: "Edit", tool_input: edit });
  await rook.say("Stop", { prompt_id: "p-1", last_assistant_message: "Each request opened its own client." });
  const known = async (): Promise<any> =>
    (await rookery.call("GET", "/api/rooms")).json.rooms?.find(({ name }: any) => name === "aviary");
  room = (await waitFor(known)).id;
  writeFileSync(join(empty, "old.jsonl"), "");
});

const pid = (): number => rook.claude.pid;
const session = (): string => rook.id;

/** A call of every endpoint, in this order. A new endpoint without a row is a type error. */
const rows: { [Name in keyof Table]: () => Row<Table[Name]> } = {
  getHealth: () => ({}),
  getStatus: () => ({}),
  getMetrics: () => ({}),
  streamEvents: () => ({}),
  postHook: () => ({ params: { event: "Notification" }, body: { session_id: session(), message: "hm" } }),
  getConfig: () => ({}),
  changeConfig: () => ({ body: { "delivery.wake": false } }),
  listSessions: () => ({ query: { pid: pid() } }),
  createSession: () => ({ body: { id: "made", cwd: rook.cwd } }),
  getSession: () => ({ params: { id: session() } }),
  changeSession: () => ({ params: { id: "made" }, body: { title: "Named", status: "ended" } }),
  listAgents: () => ({}),
  sendDelivery: () => ({ body: { to: rook.agent, body: "Look here.", hostPid: pid() } }),
  listDeliveries: () => ({ query: { agent: rook.agent } }),
  getDelivery: () => ({ params: { id: delivery } }),
  acknowledgeDelivery: () => ({ params: { id: delivery }, query: { pid: pid() } }),
  saveNote: () => ({
    body: { project: "aviary", session: session(), text: "We deploy only from tags.", type: "decision" },
  }),
  search: () => ({ query: { q: "deploy tags" } }),
  getItems: () => ({ query: { ids: note } }),
  getTimeline: () => ({ query: { around: note } }),
  listNotes: () => ({}),
  listObservations: () => ({ query: { project: "aviary" } }),
  getNote: () => ({ params: { id: note } }),
  changeNote: () => ({ params: { id: note }, body: { title: "Deploys", pinned: true } }),
  listPinnedNotes: () => ({ query: { project: "aviary" } }),
  getContext: () => ({ query: { project: "aviary", notes: 5 } }),
  listInjections: () => ({ query: { session: session() } }),
  listProjects: () => ({}),
  changeProject: () => ({ params: { id: "aviary" }, body: { leases: "warn" } }),
  getDay: () => ({}),
  blameLine: () => ({ query: { project: "aviary", file: "pool.ts", text: line } }),
  blameFile: () => ({ query: { project: "aviary", file: join(rook.cwd, "pool.ts") } }),
  listEditedFiles: () => ({ query: { project: "aviary" } }),
  listQuestions: () => ({}),
  askQuestion: () => ({ body: { question: "Which one?", options: ["a", "b"], pid: pid() } }),
  getQuestion: () => ({ params: { id: question.id }, query: { wait: 1 } }),
  answerQuestion: () => ({ params: { id: question.id }, body: { answers: [["a"]] } }),
  takeAnswer: () => ({ params: { id: question.id }, body: { key: question.key } }),
  notifyPerson: () => ({ body: { message: "Done." } }),
  getPresence: () => ({}),
  setPresence: () => ({ body: { state: "away" } }),
  listOutbox: () => ({ query: { all: "1" } }),
  retryMessage: () => ({ params: { id: "x" }, error: "message_not_found" }),
  dropMessage: () => ({ params: { id: "x" }, error: "message_not_found" }),
  listAudit: () => ({}),
  offerPairing: () => ({ body: { channel: "matrix" } }),
  listPairings: () => ({}),
  revokePairing: () => ({ params: { id: "x" }, error: "person_not_found" }),
  checkSlack: () => ({
    body: { botToken: "x", apiUrl: "http://127.0.0.1:1/" },
    error: "channel_unreachable",
  }),
  checkMatrix: () => ({
    body: { homeserver: "http://127.0.0.1:1", accessToken: "x" },
    error: "homeserver_unavailable",
  }),
  checkTelegram: () => ({
    body: { botToken: "x", apiUrl: "http://127.0.0.1:1/" },
    error: "channel_unreachable",
  }),
  checkDiscord: () => ({
    body: { botToken: "x", apiUrl: "http://127.0.0.1:1/" },
    error: "channel_unreachable",
  }),
  checkNtfy: () => ({
    body: { server: "http://127.0.0.1:1/", topic: "a", answerTopic: "b" },
    error: "channel_unreachable",
  }),
  receiveWebhook: () => ({ body: {}, error: "channel_refused" }),
  testChannel: () => ({ params: { name: "none" }, error: "channel_refused" }),
  listRooms: () => ({}),
  createRoom: () => ({ body: { name: "design" } }),
  changeRoom: () => ({ params: { room }, body: { keepDays: 30, muted: true } }),
  listMembers: () => ({ params: { room } }),
  markRoomRead: () => ({ params: { room } }),
  sendMessage: () => ({ body: { to: "project", text: "Hello.", hostPid: pid() } }),
  listMessages: () => ({ query: { room } }),
  createTask: () => ({ body: { title: "Rename it", project: "aviary", hostPid: pid() } }),
  listTasks: () => ({ query: { project: "aviary" } }),
  changeTask: () => ({ params: { id: task }, body: { progress: 50, hostPid: pid() } }),
  takeLease: () => ({ body: { globs: ["src/**"], hostPid: pid() } }),
  listLeases: () => ({}),
  releaseLease: () => ({ params: { id: lease }, query: { pid: pid() } }),
  getMatrix: () => ({}),
  inviteToMatrix: () => ({ body: { name: "ada" } }),
  getHub: () => ({}),
  createHub: () => ({
    body: { url: "postgres://a:b@127.0.0.1:1/x?sslmode=disable" },
    error: "hub_unreachable",
  }),
  upgradeHub: () => ({ body: {}, error: "hub_off" }),
  inviteToHub: () => ({ body: { name: "ada" }, error: "hub_off" }),
  listHubMembers: () => ({ error: "hub_off" }),
  revokeFromHub: () => ({ body: { name: "ada" }, error: "hub_off" }),
  scrubHub: () => ({ error: "hub_off" }),
  joinHub: () => ({ body: { code: "rk1.x" }, error: "invalid_argument" }),
  leaveHub: () => ({ error: "hub_off" }),
  resyncHub: () => ({ error: "hub_off" }),
  shareProject: () => ({ body: { project: "aviary" }, error: "hub_off" }),
  unshareProject: () => ({ body: { project: "aviary" }, error: "hub_off" }),
  createViewerCode: () => ({}),
  redeemViewerCode: () => ({ body: { code } }),
  createChallenge: () => ({}),
  signInBrowser: () => ({ body: { browser: "x", challenge: "x", signature: "x" }, error: "code_not_valid" }),
  forgetBrowsers: () => ({}),
  getNow: () => ({}),
  browseMemory: () => ({ query: { kind: "note" } }),
  getNoteSources: () => ({ params: { id: note } }),
  getStory: () => ({ params: { id: session() } }),
  getSeries: () => ({}),
  getSavings: () => ({ query: { days: 7 } }),
  getStrip: () => ({ query: { from: 0, to: Date.now() } }),
  getWeek: () => ({ query: { edges: `0,${Date.now() - 1000},${Date.now()}` } }),
  getRecallUse: () => ({ query: { from: 0, to: Date.now() } }),
  getTalk: () => ({ query: { from: 0, to: Date.now() } }),
  getSpend: () => ({}),
  tryModel: () => ({ error: "model_off" }),
  tryEmbeddings: () => ({
    body: { provider: "ollama", baseUrl: "http://127.0.0.1:1" },
    error: "embeddings_failed",
  }),
  changeFolders: () => ({ body: { action: "sync", folder: rook.cwd, dryRun: true } }),
  listFolderFiles: () => ({}),
  startCompacting: () => ({}),
  getCompacting: () => ({}),
  exportMemory: () => ({}),
  startImport: () => ({ body: { source: "transcripts", path: empty, dryRun: true } }),
  getImport: () => ({ query: { folder: empty } }),
  cancelImport: () => ({}),
  forget: () => ({ body: { query: "deploy only", dryRun: true } }),
  forgetNote: () => ({ params: { id: note } }),
  stopDaemon: () => ({ body: {} }),
};

/** Answers that later rows refer to. */
const keep: Partial<Record<keyof Table, (json: any) => void>> = {
  sendDelivery: ({ id }) => (delivery = id),
  saveNote: ({ id }) => (note = id),
  askQuestion: ({ question: { id }, key }) => (question = { id, key }),
  createTask: ({ id }) => (task = id),
  takeLease: ({ id }) => (lease = id),
  createViewerCode: ({ url }) => (code = url.split("#code=")[1]),
};

const byPerson = new Set<keyof Table>(["createRoom"]);

function call(
  name: keyof Table,
  input: { params?: object; query?: object; body?: unknown },
): Promise<Answer> {
  const { method, path: pattern, access }: Endpoint = endpoints[name];
  const path = makePath(pattern, input);
  const isPerson = access === "person" || byPerson.has(name);
  return isPerson ? outside.call(rookery, method, path, input.body) : rookery.call(method, path, input.body);
}

describe("the running daemon answers as the endpoint table says", () => {
  test.each((Object.keys(rows) as (keyof Table)[]).filter((name) => name !== "streamEvents"))(
    "%s",
    async (name) => {
      const { answer, status }: Endpoint = endpoints[name];
      const { error, ...input } = rows[name]() as Row<Endpoint> & { query?: object };
      const { status: answered, json, text } = await call(name, input as object);
      if (error !== undefined) return expect(json).toMatchObject({ code: error });
      expect(answered, text).toBe(status ?? 200);
      // Fields that the table does not name would be dropped by parsing.
      if (typeof answer === "object") expect(answer.parse(json)).toEqual(json);
      return keep[name]?.(json);
    },
  );
});

describe("an endpoint for a person", () => {
  let other: Rookery;
  beforeAll(async () => {
    other = rookeries.open({ ROOKERY_DESKTOP_ENABLED: "off" });
    await spawnDaemon(other);
    await other.call("POST", "/api/questions", { question: "Now?" });
  });
  const names = (Object.keys(rows) as (keyof Table)[]).filter((name) => endpoints[name].access === "person");

  test.each(names)("%s is refused over the socket, which does not identify the caller", async (name) => {
    const { method, path }: Endpoint = endpoints[name];
    const [{ id }] = (await other.call("GET", "/api/questions")).json.questions;
    const { body } = rows[name]() as { body?: unknown };
    const answer = await other.call(method, makePath(path, { params: { id, room: "x" } }), body);
    expect([answer.status, answer.json.code]).toEqual([403, "may_not_decide"]);
  });
});
