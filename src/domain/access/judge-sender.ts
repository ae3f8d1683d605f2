import type { AnsweringChannel } from "../../protocol/ask.ts";

/** A paired person, as they were at the time of pairing. */
export interface Person {
  channel: string;
  sender: string;
  team: string | null;
  name: string;
}

interface Sender {
  id: string;
  team: string | null;
  isGuest: boolean;
  isBot: boolean;
}

type Refusal = "bot" | "guest" | "shared-room" | "no-team" | "stranger";

/** Whether an id of the service is only unique within its team. */
const hasTeams: Record<AnsweringChannel, boolean> = {
  slack: true,
  matrix: false,
  telegram: false,
  discord: false,
  ntfy: false,
  webhook: false,
};

/**
 * Decides whether a sender's input counts. Only the sender matters, not the room: an empty list allows no one, and the
 * same id from another team is a different person.
 */
export function judgeSender(
  channel: AnsweringChannel,
  sender: Sender,
  room: { isShared: boolean },
  people: readonly Person[],
): { person: Person } | { refusal: Refusal } {
  if (sender.isBot) return { refusal: "bot" };
  if (room.isShared) return { refusal: "shared-room" };
  if (sender.isGuest) return { refusal: "guest" };
  if (sender.id === "" || (hasTeams[channel] && !sender.team)) return { refusal: "no-team" };
  const person = people.find(
    (each) => each.channel === channel && each.sender === sender.id && each.team === sender.team,
  );
  return person ? { person } : { refusal: "stranger" };
}

const explanations: Record<Refusal, string | null> = {
  bot: null,
  guest: "Guests of a workspace cannot answer here.",
  "shared-room":
    "This channel is shared with others: answer in a direct message, in the viewer or in the terminal.",
  "no-team": "I cannot tell which workspace you belong to, so I cannot accept your answer.",
  stranger: "I do not know you yet. On your machine run `rookery pair CHANNEL`, then send me the code.",
};

/** The reply to a refused sender; null for bots, or two bots could reply to each other forever. */
export function explainRefusal(refusal: Refusal, channel: string): string | null {
  return explanations[refusal]?.replace("CHANNEL", channel) ?? null;
}
