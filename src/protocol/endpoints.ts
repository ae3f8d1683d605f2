import { askEndpoints } from "./endpoints/ask.ts";
import { careEndpoints, importEndpoints } from "./endpoints/care.ts";
import { channelEndpoints } from "./endpoints/channels.ts";
import { daemonEndpoints } from "./endpoints/daemon.ts";
import { embeddingsEndpoints } from "./endpoints/embeddings.ts";
import { hubEndpoints } from "./endpoints/hub.ts";
import { mailEndpoints } from "./endpoints/mail.ts";
import { memoryEndpoints } from "./endpoints/memory.ts";
import { modelEndpoints } from "./endpoints/model.ts";
import { reachEndpoints } from "./endpoints/reach.ts";
import { runningEndpoints } from "./endpoints/running.ts";
import { sessionEndpoints } from "./endpoints/sessions.ts";
import { todayEndpoints } from "./endpoints/today.ts";
import { viewerEndpoints } from "./endpoints/viewer.ts";

/** The table of contents of the API, area by area. */
export const endpointAreas = {
  Running: runningEndpoints,
  Daemon: daemonEndpoints,
  Sessions: sessionEndpoints,
  Memory: memoryEndpoints,
  "Export and maintenance": careEndpoints,
  Import: importEndpoints,
  Model: modelEndpoints,
  Embeddings: embeddingsEndpoints,
  Questions: askEndpoints,
  "Reaching the person": reachEndpoints,
  Channels: channelEndpoints,
  "Agents talking": mailEndpoints,
  Hub: hubEndpoints,
  Viewer: viewerEndpoints,
  "Front page of the viewer": todayEndpoints,
};

export const endpoints = {
  ...runningEndpoints,
  ...daemonEndpoints,
  ...sessionEndpoints,
  ...memoryEndpoints,
  ...careEndpoints,
  ...importEndpoints,
  ...modelEndpoints,
  ...embeddingsEndpoints,
  ...askEndpoints,
  ...reachEndpoints,
  ...channelEndpoints,
  ...mailEndpoints,
  ...hubEndpoints,
  ...viewerEndpoints,
  ...todayEndpoints,
};

type Table = typeof endpoints;

/** The endpoints by their `METHOD /path`, for callers that may import types only. */
export type Routes = {
  [Name in keyof Table as `${Table[Name]["method"]} ${Table[Name]["path"]}`]: Table[Name];
};
