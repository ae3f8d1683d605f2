import type { LoadedConfig } from "../../config/load.ts";
import type { AllHandlers } from "../../http/handlers.ts";
import { build } from "../../shared/build.ts";
import type { Asking } from "../ask/open-asking.ts";
import type { Capture } from "../capture/open-capture.ts";
import type { CareParts } from "../care/open-care.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import type { Waker } from "../delivery/waker.ts";
import type { Hub } from "../hub/open-hub.ts";
import type { Importer } from "../import/importer.ts";
import type { MailComponent } from "../mail/open-mail.ts";
import type { Matrix } from "../matrix/open-matrix.ts";
import type { Memory } from "../memory/open-memory.ts";
import type { Addresses } from "../runtime/addresses.ts";
import type { DaemonContext } from "../runtime/context.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Shutdown } from "../runtime/shutdown.ts";
import type { OneTimeCodes } from "../viewer/one-time-codes.ts";
import { openViewer, type Viewer } from "../viewer/open-viewer.ts";
import type { ConfirmedSettings } from "./confirmed-settings.ts";
import { guardChangeProject } from "./change-project.ts";
import { makeDaemonHandlers } from "./daemon-api.ts";
import { type Listeners, openListeners } from "./listeners.ts";
import { makePostHook } from "./post-hook.ts";
import { makeSessionHandlers } from "./session-api.ts";
import { openSettings } from "./settings.ts";
import { makeStatusReporter } from "./status.ts";

interface ApiDeps extends DaemonContext {
  loaded: LoadedConfig;
  confirmed: ConfirmedSettings;
  token: string;
  codes: OneTimeCodes;
  startedAt: number;
  addresses: Addresses;
  shutdown: Shutdown;
  metrics: Metrics;
  deliveries: Deliveries;
  waker: Waker;
  memory: Memory;
  matrix: Matrix;
  asking: Asking;
  mail: MailComponent;
  capture: Capture;
  importer: Importer;
  care: CareParts;
  hub: Hub;
}

/** The HTTP side of the daemon: its status, its settings, the handlers of all endpoints and the listeners. */
export function openApi(deps: ApiDeps): { viewer: Viewer; listeners: Listeners } {
  const { asking, capture, mail, memory, care, addresses, shutdown } = deps;
  const { port, url } = addresses;
  const settings = openSettings({ ...deps, embeddings: memory.embeddings, person: asking.person });
  const status = makeStatusReporter({
    ...deps,
    ...capture,
    build,
    url,
    retention: care.retention,
    model: memory.model,
    embeddings: memory.embeddings,
    asking: asking.hooks,
    presence: asking.person.viewPresence,
    channels: asking.person.viewChannels,
    homeserver: deps.matrix.embedded,
    homeserverTrouble: mail.homeserverTrouble,
    unconfirmedSettings: settings.listUnconfirmed,
  });
  const viewer = openViewer({
    ...deps,
    port,
    getNote: memory.getNote,
    load: status.load,
    person: asking.person,
  });
  const postHook = makePostHook({ ...deps, ...capture, caller: asking.person.caller });
  const handlers: AllHandlers = {
    ...makeDaemonHandlers({
      ...deps,
      ...capture,
      build,
      settings,
      postHook,
      status: status.report,
      openViewer: asking.person.openViewer,
      // Delayed, so that the response to the request is sent first.
      stop: (reason) => void setTimeout(shutdown.request, 20, reason),
      requirePerson: asking.person.requirePerson,
    }),
    ...makeSessionHandlers({
      ...deps,
      agents: mail.agents,
      senders: mail.senders,
      callerCheck: asking.person.caller,
      postHook,
      findSessions: viewer.findSessions,
    }),
    ...memory.handlers,
    ...guardChangeProject(memory.handlers, asking.person),
    ...care.handlers,
    ...deps.importer.handlers,
    ...asking.handlers,
    ...mail.handlers,
    ...deps.hub.handlers,
    ...viewer.handlers,
  };
  const app = { log: deps.log, token: deps.token, port, viewerFiles: viewer.files, handlers };
  return { viewer, listeners: openListeners({ ...deps, app, bell: capture.bell }) };
}
