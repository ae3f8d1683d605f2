import { callEndpoint } from "../client/request.ts";
import { askEndpoints } from "../protocol/endpoints/ask.ts";
import { mailEndpoints } from "../protocol/endpoints/mail.ts";
import { memoryEndpoints } from "../protocol/endpoints/memory.ts";
import { sessionEndpoints } from "../protocol/endpoints/sessions.ts";
import type { CliContext, ValueSource } from "./command.ts";
import { readChoice } from "./read-flag.ts";

/** A longer list would not help on a terminal. */
const maxIds = 50;

const sources: Record<ValueSource, (address: CliContext["address"]) => Promise<string[]>> = {
  agents: async (address) =>
    (await callEndpoint(address, sessionEndpoints.listAgents)).agents.map(({ name }) => name),
  ids: async (address) => {
    const { notes } = await callEndpoint(address, memoryEndpoints.listNotes, { query: { limit: maxIds } });
    return notes.map(({ id }) => id.slice(-8));
  },
  projects: async (address) =>
    (await callEndpoint(address, memoryEndpoints.listProjects)).projects.map(({ name }) => name),
  questions: async (address) => {
    const query = { state: "open" } as const;
    const { questions } = await callEndpoint(address, askEndpoints.listQuestions, { query });
    return questions.map(({ id }) => id.slice(-8));
  },
  rooms: async (address) =>
    (await callEndpoint(address, mailEndpoints.listRooms)).rooms.map(({ name }) => name),
};

/** Values for a shell's completion. Words with spaces are left out: a shell would split them. */
export async function listValues({ address }: CliContext, source: string | undefined): Promise<string[]> {
  const names = Object.keys(sources) as ValueSource[];
  const name = readChoice("values", source, names);
  const values = name ? await sources[name](address) : [];
  return [...new Set(values)].filter((value) => !/\s/.test(value));
}
