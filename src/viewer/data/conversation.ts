import { useEffect, useMemo, useState } from "preact/hooks";
import type { DeliveryView } from "../../protocol/api.ts";
import type { MessageView } from "../../protocol/mail.ts";
import { call } from "./api.ts";
import { useResource } from "./resource.ts";
import { complain } from "./toasts.ts";

/** Something that was said, or that reached an agent by another way than mail. */
export type Said = { at: number; id: string } & (
  | { way: "message"; message: MessageView }
  | { way: "delivery"; delivery: DeliveryView }
);

export interface Conversation {
  /** Oldest first; undefined until known. */
  said: Said[] | undefined;
  error: Error | undefined;
  hasEarlier: boolean;
  loadEarlier(): void;
  reload(): void;
}

const pageSize = 50;

/** What was said in a room, kept up to date; and, where it is an agent's, what else was put before it. */
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
  const [isWhole, setWhole] = useState(false);
  const messages = newest.data ? renew(kept, newest.data.messages) : kept;
  useEffect(() => setKept(messages), [newest.data]);

  async function loadBefore(at: number): Promise<void> {
    // The moment itself once more: several may share it.
    const query = { room: key, limit: pageSize, before: at + 1 };
    const { messages: page } = await call("GET /api/messages", { query });
    setWhole(page.length < pageSize);
    setKept((list) => merge(page, list));
  }
  // The same list until something is said: a long one is not drawn again for whatever else happens.
  const said = useMemo(
    () => newest.data && interleave(messages, others.data?.deliveries ?? []),
    [newest.data, kept, others.data],
  );
  return {
    said,
    error: newest.error,
    hasEarlier: !isWhole && (newest.data?.messages.length ?? 0) >= pageSize,
    loadEarlier() {
      if (messages[0]) void loadBefore(messages[0].at).catch(complain);
    },
    reload() {
      newest.reload();
      others.reload();
    },
  };
}

/** Oldest first; of what was delivered only what no message brought. */
function interleave(messages: MessageView[], deliveries: DeliveryView[]): Said[] {
  const said: Said[] = [
    ...messages.map((message) => ({ way: "message" as const, at: message.at, id: message.id, message })),
    ...deliveries
      .filter(({ message }) => message === null)
      .map((delivery) => ({ way: "delivery" as const, at: delivery.createdAt, id: delivery.id, delivery })),
  ];
  return said.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** What leaves the newest page by its age stays in the conversation; what leaves it otherwise was removed. */
function renew(kept: MessageView[], page: MessageView[]): MessageView[] {
  const from = page.length < pageSize ? 0 : (page.at(-1)?.at ?? 0);
  return merge(
    kept.filter(({ at }) => at < from),
    page,
  );
}

/** Oldest first; of two with one id the latter. */
function merge(...lists: MessageView[][]): MessageView[] {
  const all = new Map(lists.flat().map((message) => [message.id, message]));
  return [...all.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}
