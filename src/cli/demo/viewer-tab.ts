import { setTimeout as delay } from "node:timers/promises";
import { type ApiError, apiError } from "../../protocol/api.ts";
import { type QuestionView, questionView } from "../../protocol/ask.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import { consentHeader } from "../../shared/consent-header.ts";
import { parseJson } from "../../shared/json.ts";
import type { Sandbox } from "./sandbox.ts";

type EventOf<T> = Extract<BusEvent, { type: T }>;

/** A viewer tab without a browser: the same sign-in code, token, live events and answers. */
export interface ViewerTab {
  /** The first matching event, past or future; undefined on timeout. */
  waitFor<T extends BusEvent["type"]>(
    type: T,
    passes: (event: EventOf<T>) => boolean,
  ): Promise<EventOf<T> | undefined>;
  /** The answered question, or the daemon's error. */
  answer(id: string, answers: string[][]): Promise<QuestionView | ApiError>;
}

const timeoutMs = 30_000;
const pollMs = 15;

export async function openViewerTab(sandbox: Sandbox, signal: AbortSignal): Promise<ViewerTab> {
  const { url } = await sandbox.call(viewerEndpoints.createViewerCode);
  const { origin, hash } = new URL(url);
  const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    const init = { method: "POST", body: JSON.stringify(body), signal };
    const response = await fetch(origin + path, {
      ...init,
      headers: { "content-type": "application/json", origin, ...headers },
    });
    return parseJson(await response.text());
  };
  const { path, answer } = viewerEndpoints.redeemViewerCode;
  const { token, consent } = answer.parse(await post(path, { code: hash.slice("#code=".length) }));
  const authorization = `Bearer ${token}`;
  const asPerson = { authorization, ...(consent === null ? {} : { [consentHeader]: consent }) };
  const live = await fetch(`${origin}/api/events?viewer=1`, { headers: { authorization }, signal });
  const events: BusEvent[] = [];
  void collect(live, events);

  return {
    async waitFor<T extends BusEvent["type"]>(type: T, passes: (event: EventOf<T>) => boolean) {
      const matches = (event: BusEvent): event is EventOf<T> =>
        event.type === type && passes(event as EventOf<T>);
      for (
        const until = performance.now() + timeoutMs;
        performance.now() < until;
        await delay(pollMs, undefined, { signal })
      ) {
        const found = events.find(matches);
        if (found) return found;
      }
      return undefined;
    },
    answer: async (id, answers) =>
      apiError.or(questionView).parse(await post(`/api/questions/${id}/answer`, { answers }, asPerson)),
  };
}

async function collect({ body }: Response, events: BusEvent[]): Promise<void> {
  let text = "";
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString("utf8");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) events.push(parseJson(data) as BusEvent);
      }
    }
  } catch {
    // The daemon stopped or the user aborted; pending `waitFor` calls time out.
  }
}
