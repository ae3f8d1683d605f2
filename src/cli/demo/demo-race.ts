import { defaultHost } from "../../hosts/hosts.ts";
import type { ApiError } from "../../protocol/api.ts";
import type { QuestionView } from "../../protocol/ask.ts";
import { askEndpoints } from "../../protocol/endpoints/ask.ts";
import { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import type { Session, Sandbox } from "./sandbox.ts";
import type { ViewerTab } from "./viewer-tab.ts";

const prompt = "get the 311 stuck parcels on staging moving again";
const asked = {
  header: "Stuck parcels",
  question: "Which of the 311 parcels in label_printed may be set to in_transit?",
  multiSelect: false,
  options: [
    { label: "Only those older than a day", description: "QA made the newer ones this morning" },
    { label: "All 311", description: "The quickest" },
    { label: "None", description: "QA looks at them first" },
  ],
};
const labels = asked.options.map(({ label }) => label);

/** A question with two answers: the first one counts, the second one is refused. */
export interface RaceFacts {
  agent: string;
  question: string;
  options: string[];
  /** A person in the browser, the demo through the browser's API, or the terminal if an agent runs the demo. */
  chosenBy: "person" | "demo" | "terminal";
  outcome: string;
  /** Time from the answer until the session has it. */
  handedMs: number | null;
  /** The hook's output, which closes the dialog in the terminal. */
  decision: string;
  late: { command: string; exitCode: number | null; message: string } | null;
  verdict: string | null;
  /** Why the daemon refused the demo's answer. */
  refusal: string | null;
  promises: Record<string, boolean>;
}

/** Waits for a person to answer in the browser, or to let the demo answer. */
export type Invite = (url: string, isSettled: () => Promise<boolean>) => Promise<void>;

interface RaceOptions {
  /** Called when the question is open and its dialog waits. */
  onAsked(question: QuestionView): void;
  /** Undefined without a terminal. */
  invite: Invite | undefined;
}

/** A session asks through the waiting hook, the answer comes from elsewhere, and a second answer is too late. */
export async function demoRace(
  sandbox: Sandbox,
  session: Session,
  tab: ViewerTab,
  { onAsked, invite }: RaceOptions,
): Promise<RaceFacts> {
  await session.hook("prompt", { prompt_id: "ask-p1", prompt });
  const tool = { ...defaultHost.demoCalls.ask([asked]), prompt_id: "ask-p1" };
  await session.hook("tool.before", { ...tool, tool_use_id: "toolu_ask" });
  // It resolves once the question is answered. If the user aborts before, the rejection has no handler.
  const hook = session.hook("permission", tool).then((decision) => ({ decision, at: performance.now() }));
  hook.catch(() => {});
  const opened = await tab.waitFor("question.opened", () => true);
  const id = opened?.id ?? "";
  const open = await fetchQuestion(sandbox, id);
  if (open) onAsked(open);
  if (open && invite) {
    const { url } = await sandbox.call(viewerEndpoints.createViewerCode);
    await invite(url, async () => (await fetchQuestion(sandbox, id))?.state !== "open");
  }

  const isTaken = (await fetchQuestion(sandbox, id))?.state !== "open";
  const startedAt = performance.now();
  const answer = isTaken ? undefined : await tab.answer(id, [[labels[0] ?? ""]]);
  const refusal = answer && isRefusal(answer) ? answer.message : null;
  // An agent runs this demo and may not answer for its person: continue as if the person had answered in the terminal.
  if (refusal !== null) await reportToolRun(session, tool, labels[0] ?? "");
  const { decision, at } = await hook;
  const chosen = readChoice(decision) ?? labels[0] ?? "";
  const late = refusal === null ? await answerLate(sandbox, id, chosen) : null;
  if (refusal === null) await reportToolRun(session, tool, chosen);
  const question = await waitForVerdict(sandbox, id);
  await session.hook("turn.ended", { prompt_id: "ask-p1", last_assistant_message: `Done: ${chosen}.` });

  const isElsewhere = question?.answerer?.place === "viewer";
  const outcome = question?.outcome ?? "";
  return {
    agent: open?.agent ?? "",
    question: asked.question,
    options: labels,
    chosenBy: refusal !== null ? "terminal" : isTaken ? "person" : "demo",
    outcome,
    handedMs: isTaken || refusal !== null ? null : Math.round(at - startedAt),
    decision,
    late,
    verdict: question?.verdict ?? null,
    refusal,
    promises: {
      "a question stays open until it is answered": open?.state === "open",
      ...(refusal === null
        ? {
            "the answer from the browser reaches the session": isElsewhere && decision.includes(chosen),
            "a late answer is refused and names the first":
              late?.exitCode === 5 && late.message.includes("in the viewer"),
            "the session's next event confirms it": question?.verdict === "confirmed",
          }
        : { "an agent cannot answer for its person": question?.answerer?.place === "terminal" }),
    },
  };
}

async function fetchQuestion(sandbox: Sandbox, id: string): Promise<QuestionView | undefined> {
  return id ? sandbox.call(askEndpoints.getQuestion, { params: { id } }) : undefined;
}

function isRefusal(answer: QuestionView | ApiError): answer is ApiError {
  return "code" in answer;
}

/** Plays the host: it has the answer and reports that the tool has run. */
async function reportToolRun(session: Session, tool: Record<string, unknown>, chosen: string): Promise<void> {
  const answered = defaultHost.demoCalls.answered([asked], { [asked.question]: chosen });
  await session.hook("tool.after", { ...tool, ...answered, tool_use_id: "toolu_ask" });
}

/** Answers again from another terminal, with another option. */
async function answerLate(
  sandbox: Sandbox,
  id: string,
  chosen: string,
): Promise<NonNullable<RaceFacts["late"]>> {
  const other = labels.findIndex((label) => label !== chosen) + 1;
  const args = ["answer", id.slice(-8), String(other)];
  const { code, output } = await sandbox.rookery(...args);
  return {
    command: `rookery ${args.join(" ")}`,
    exitCode: code,
    message: /^rookery: (.*)$/m.exec(output)?.[1] ?? output,
  };
}

function readChoice(decision: string): string | undefined {
  try {
    const chosen = defaultHost.replies.read(decision).answers[asked.question];
    return typeof chosen === "string" ? chosen : undefined;
  } catch {
    return undefined; // No hook output: the terminal decided.
  }
}

/** The daemon updates the question shortly after it has stored the session's event. */
async function waitForVerdict(sandbox: Sandbox, id: string): Promise<QuestionView | undefined> {
  let question = await fetchQuestion(sandbox, id);
  for (let tries = 0; tries < 40 && (question?.state === "open" || question?.verdict === "sent"); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    question = await fetchQuestion(sandbox, id);
  }
  return question;
}
