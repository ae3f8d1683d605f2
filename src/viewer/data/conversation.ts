import { useEffect, useMemo, useState } from "preact/hooks";
import type { DeliveryView } from "../../protocol/api.ts";
import type { MessageView } from "../../protocol/mail.ts";
import { call } from "./api.ts";
import { useResource } from "./resource.ts";
import { showError } from "./toasts.ts";

/** A message, or a delivery that reached the agent outside of mail. */
export type ConversationEntry = { at: number; id: string } & (
  | { type: "message"; message: MessageView }
  | { type: "delivery"; delivery: DeliveryView }
);

interface Conversation {
  /** Oldest first; undefined until loaded. */
  entries: ConversationEntry[] | undefined;
  error: Error | undefined;
  hasEarlier: boolean;
  loadEarlier(): void;
  reload(): void;
}

const pageSize = 50;

/** The messages of a room, live. For an agent, includes its other deliveries. */
export function useConversation(key: string, agent: string | undefined): Conversation {
  const newest = useResource("GET /api/messages", { query: { room: key, limit: pageSize } }, ({ type }) =>
    /^(?:message|delivery)\./.test(type),
  );
  const others = useResource(
    "GET /api/deliveries",
    agent === undefined || agent === "" ? undefined : { query: { agent, limit: pageSize } },
    ({ type }) => type.startsWith("delivery."),
  );
  const [kept, setKept] = useState<MessageView[]>([]);
  const [isComplete, setComplete] = useState(false);
  const messages = newest.data ? reloadFirstPage(kept, newest.data.messages) : kept;
  useEffect(() => setKept(messages), [newest.data]);

  async function loadBefore(at: number): Promise<void> {
    // Includes the last millisecond again: several messages may share it.
    const query = { room: key, limit: pageSize, before: at + 1 };
    const { messages: page } = await call("GET /api/messages", { query });
    setComplete(page.length < pageSize);
    setKept((list) => merge(page, list));
  }
  // Memoized, so that a long list is only rendered again when its entries change.
  const entries = useMemo(
    () => newest.data && interleave(messages, others.data?.deliveries ?? []),
    [newest.data, kept, others.data],
  );
  return {
    entries,
    error: newest.error,
    hasEarlier: !isComplete && (newest.data?.messages.length ?? 0) >= pageSize,
    loadEarlier() {
      if (messages[0]) void loadBefore(messages[0].at).catch(showError);
    },
    reload() {
      newest.reload();
      others.reload();
    },
  };
}

/** Oldest first. Deliveries that belong to a message are left out. */
function interleave(messages: MessageView[], deliveries: DeliveryView[]): ConversationEntry[] {
  const entries: ConversationEntry[] = [
    ...messages.map((message) => ({ type: "message" as const, at: message.at, id: message.id, message })),
    ...deliveries
      .filter(({ message }) => message === null)
      .map((delivery) => ({ type: "delivery" as const, at: delivery.createdAt, id: delivery.id, delivery })),
  ];
  return entries.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** Keeps messages older than the newest page. A newer one that is missing from it was removed. */
function reloadFirstPage(kept: MessageView[], page: MessageView[]): MessageView[] {
  const from = page.length < pageSize ? 0 : (page.at(-1)?.at ?? 0);
  return merge(
    kept.filter(({ at }) => at < from),
    page,
  );
}

/** Oldest first; on duplicate ids the later list wins. */
function merge(...lists: MessageView[][]): MessageView[] {
  const all = new Map(lists.flat().map((message) => [message.id, message]));
  return [...all.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}
