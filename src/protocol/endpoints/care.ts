import * as z from "zod";
import {
  compactState,
  folderFilesView,
  foldersReport,
  foldersRequest,
  forgetReport,
  forgetRequest,
} from "../care.ts";
import { defineEndpoint } from "../endpoint.ts";
import { exportRequest } from "../export.ts";
import { importRequest, importState, importView } from "../import.ts";

/** Forgetting, export, and maintenance of the store. */
export const careEndpoints = {
  forget: defineEndpoint({
    method: "POST",
    path: "/api/forget",
    access: "token",
    summary:
      "Removes every trace of notes, words, a file, a project or a time range; responds when no byte is left. There is no undo.",
    body: forgetRequest,
    answer: forgetReport,
  }),
  forgetNote: defineEndpoint({
    method: "DELETE",
    path: "/api/notes/:id",
    alias: "/api/observations/:id",
    access: "token",
    summary: "Removes every trace of one note.",
    answer: forgetReport.extend({ forgotten: z.literal(true) }),
  }),
  changeFolders: defineEndpoint({
    method: "POST",
    path: "/api/folders",
    access: "token",
    summary: "Writes or removes Rookery's sections in the `CLAUDE.md` files of a checkout.",
    body: foldersRequest,
    answer: foldersReport,
  }),
  listFolderFiles: defineEndpoint({
    method: "GET",
    path: "/api/folders",
    access: "token",
    summary: "Every file that contains a Rookery section.",
    answer: folderFilesView,
  }),
  startCompacting: defineEndpoint({
    method: "POST",
    path: "/api/compact",
    access: "token",
    summary: "Removes expired raw events, merges the search index and frees pages, in the background.",
    answer: compactState,
    status: 202,
  }),
  getCompacting: defineEndpoint({
    method: "GET",
    path: "/api/compact",
    access: "token",
    summary: "Progress of the compaction, or the result of the last one.",
    answer: compactState,
  }),
  exportMemory: defineEndpoint({
    method: "GET",
    path: "/api/export",
    access: "token",
    summary: "All memory as lines of JSON, streamed.",
    query: exportRequest,
    answer: "lines",
  }),
};

/** Import of earlier sessions and other stores. */
export const importEndpoints = {
  startImport: defineEndpoint({
    method: "POST",
    path: "/api/import",
    access: "token",
    summary: "Starts an import in the background.",
    body: importRequest,
    answer: importState,
    status: 202,
  }),
  getImport: defineEndpoint({
    method: "GET",
    path: "/api/import",
    access: "token",
    summary: "Progress of the import, or the result of the last one.",
    query: z.object({
      folder: z
        .string()
        .optional()
        .describe("count the transcripts, and the imported ones, in this folder of a coding agent"),
    }),
    answer: importView,
  }),
  cancelImport: defineEndpoint({
    method: "DELETE",
    path: "/api/import",
    access: "token",
    summary: "Stops the import; the rows stored so far stay.",
    answer: importState,
  }),
};
