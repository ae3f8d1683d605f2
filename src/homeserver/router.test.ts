import { describe, expect, it } from "vitest";
import { MatrixError } from "./errors.ts";
import { route } from "./route.ts";
import { makeRouter } from "./router.ts";

const c = "/_matrix/client/v3";
const find = makeRouter(
  (
    [
      `GET ${c}/sync`,
      `POST ${c}/keys/upload`,
      `PUT ${c}/sendToDevice/{eventType}/{txnId}`,
      `POST ${c}/delete_devices`,
      `GET ${c}/rooms/{roomId}/state/{eventType}`,
      `GET ${c}/rooms/{roomId}/state/{eventType}/{stateKey}`,
      `GET ${c}/pushrules/`,
      `GET ${c}/directory/room/{roomAlias}`,
      `GET ${c}/directory/list/room/{roomId}`,
      "GET /_matrix/media/v3/download/{serverName}/{mediaId}",
      "POST /_matrix/media/v1/create",
    ] as const
  ).map((literal) => route(literal, {}, () => ({}))),
);

describe("routing", () => {
  it.each<[string, string, string, object]>([
    ["GET", `${c}/sync`, `${c}/sync`, {}],
    ["HEAD", `${c}/sync`, `${c}/sync`, {}],
    ["GET", `${c}/sync/`, `${c}/sync`, {}],
    ["GET", "/_matrix/client/r0/sync", `${c}/sync`, {}],
    ["POST", "/_matrix/client/unstable/keys/upload", `${c}/keys/upload`, {}],
    ["POST", "/_matrix/client/unstable/delete_devices", `${c}/delete_devices`, {}],
    [
      "PUT",
      "/_matrix/client/unstable/sendToDevice/m.x/1",
      `${c}/sendToDevice/{eventType}/{txnId}`,
      { eventType: "m.x", txnId: "1" },
    ],
    ["GET", `${c}/pushrules/`, `${c}/pushrules/`, {}],
    [
      "GET",
      `${c}/rooms/!r%3Ax/state/m.x/a%2Fb`,
      `${c}/rooms/{roomId}/state/{eventType}/{stateKey}`,
      { roomId: "!r:x", eventType: "m.x", stateKey: "a/b" },
    ],
    [
      "GET",
      `${c}/rooms/!r:x/state/m.x/`,
      `${c}/rooms/{roomId}/state/{eventType}/{stateKey}`,
      { roomId: "!r:x", eventType: "m.x", stateKey: "" },
    ],
    ["GET", `${c}/directory/room/%23a%3Ax`, `${c}/directory/room/{roomAlias}`, { roomAlias: "#a:x" }],
    [
      "GET",
      "/_matrix/media/r0/download/x/y",
      "/_matrix/media/v3/download/{serverName}/{mediaId}",
      { serverName: "x", mediaId: "y" },
    ],
    ["POST", "/_matrix/media/v1/create", "/_matrix/media/v1/create", {}],
  ])("matches %s %s to %s", (method, path, expected, params) => {
    const match = find(method, path);
    expect([match.route.path, match.params]).toEqual([expected, params]);
  });

  it.each<[string, string, number, string]>([
    ["GET", "/", 404, "M_UNRECOGNIZED"],
    ["GET", `${c}/sync/more`, 404, "M_UNRECOGNIZED"],
    ["GET", "/_matrix/client/unstable/sync", 404, "M_UNRECOGNIZED"],
    ["GET", "/_matrix/client/unstable/keys_and_more", 404, "M_UNRECOGNIZED"],
    ["GET", `${c}/rooms//state/m.x`, 404, "M_UNRECOGNIZED"],
    ["POST", `${c}/sync`, 405, "M_UNRECOGNIZED"],
    ["GET", `${c}/rooms/%E0%A4%A/state/m.x`, 400, "M_INVALID_PARAM"],
  ])("rejects %s %s with %s %s", (method, path, status, code) => {
    expect(() => find(method, path)).toThrow(MatrixError);
    try {
      find(method, path);
    } catch (error) {
      expect(error).toMatchObject({ status, code });
    }
  });
});
