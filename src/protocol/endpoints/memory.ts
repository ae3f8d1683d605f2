import * as z from "zod";
import { blameRequest, blameView } from "../blame.ts";
import { defineEndpoint } from "../endpoint.ts";
import { limit, project } from "../fields.ts";
import {
  contextRequest,
  dayRequest,
  dayView,
  injectionView,
  noteCreate,
  notePatch,
  noteView,
  projectPatch,
  projectView,
  searchRequest,
  searchResult,
  timelineRequest,
  timelineView,
} from "../memory.ts";

const listRequest = z.object({ project: project.optional(), limit: limit(50, 1000) });

/** Notes, search, and the context that sessions are given. */
export const memoryEndpoints = {
  search: defineEndpoint({
    method: "GET",
    path: "/api/search",
    access: "token",
    summary: "Searches notes, summaries, prompts, questions and messages.",
    query: searchRequest,
    answer: z.object({ results: z.array(searchResult) }),
  }),
  getTimeline: defineEndpoint({
    method: "GET",
    path: "/api/timeline",
    access: "token",
    summary:
      "The notes of the project before and after one, and the `chain` of notes that replaced each other.",
    query: timelineRequest,
    answer: timelineView,
  }),
  saveNote: defineEndpoint({
    method: "POST",
    path: "/api/notes",
    alias: "/api/observations",
    access: "token",
    summary: "Saves a note: redacted, and searchable when this answers.",
    body: noteCreate,
    answer: noteView,
    status: 201,
  }),
  listNotes: defineEndpoint({
    method: "GET",
    path: "/api/notes",
    access: "token",
    summary: "Notes, newest first.",
    query: listRequest,
    answer: z.object({ notes: z.array(noteView) }),
  }),
  listObservations: defineEndpoint({
    method: "GET",
    path: "/api/observations",
    access: "token",
    summary: "The older form of `GET /api/notes`.",
    query: listRequest,
    answer: z.object({ observations: z.array(noteView) }),
  }),
  getNote: defineEndpoint({
    method: "GET",
    path: "/api/notes/:id",
    alias: "/api/observations/:id",
    access: "token",
    summary: "One note, by its id or an unambiguous suffix.",
    answer: noteView,
  }),
  changeNote: defineEndpoint({
    method: "PATCH",
    path: "/api/notes/:id",
    alias: "/api/observations/:id",
    access: "token",
    summary: "Edits a note, or marks it as replaced by a newer one.",
    body: notePatch,
    answer: noteView,
  }),
  getContext: defineEndpoint({
    method: "GET",
    path: "/api/context",
    access: "token",
    summary: "The text that a session starting now would be given.",
    query: contextRequest,
    answer: z.object({ text: z.string(), tokens: z.number() }),
  }),
  listInjections: defineEndpoint({
    method: "GET",
    path: "/api/injections",
    access: "token",
    summary: "Everything that a session was given, when and why.",
    query: z.object({ session: z.string().min(1).describe("session id") }),
    answer: z.object({ injections: z.array(injectionView) }),
  }),
  listProjects: defineEndpoint({
    method: "GET",
    path: "/api/projects",
    access: "token",
    summary: "The known projects.",
    answer: z.object({ projects: z.array(projectView) }),
  }),
  changeProject: defineEndpoint({
    method: "PATCH",
    path: "/api/projects/:id",
    access: "token",
    summary: "Sets the memory mode of a project, or its handling of edits under a lease.",
    body: projectPatch,
    answer: projectView,
  }),
  getDay: defineEndpoint({
    method: "GET",
    path: "/api/today",
    access: "token",
    summary: "Sessions and turns since a time, with their next steps.",
    query: dayRequest,
    answer: dayView,
  }),
  blameLine: defineEndpoint({
    method: "GET",
    path: "/api/blame",
    access: "token",
    summary: "The newest edit that added a line, with its prompt, session, notes and summary.",
    query: blameRequest,
    answer: blameView,
  }),
};
