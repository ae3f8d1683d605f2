import type { DaemonContext } from "../runtime/context.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";
import { makeMatrixEraser, type MatrixEraser } from "./matrix-eraser.ts";
import { type MatrixConnection, openMatrixConnection } from "./matrix-connection.ts";
import { openHomeserver, openHomeserverWithoutListener } from "./open-homeserver.ts";

export interface Matrix {
  /** The embedded homeserver, if the settings select it. */
  embedded: EmbeddedHomeserver | undefined;
  /** The homeserver in use; undefined if Matrix is off. */
  connection: MatrixConnection | undefined;
  eraser: MatrixEraser;
}

export function openMatrix(context: DaemonContext, onListening: (port: number) => void): Matrix {
  const deps = { ...context, config: context.config.matrix };
  const embedded = openHomeserver({ ...deps, onListening });
  return {
    embedded,
    connection: openMatrixConnection({ ...deps, embedded }),
    eraser: makeMatrixEraser({
      database: context.home.matrixDatabase,
      serverName: deps.config.serverName,
      embedded,
      openUnserved: () => openHomeserverWithoutListener(deps),
    }),
  };
}
