import { MatrixError, refuse } from "../errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import { requireParam, requireSelf } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { Services } from "../services.ts";

/** Types that can only be written through their own endpoints. */
const reservedTypes = ["m.fully_read", "m.push_rules"];

function readRoomId(call: Call): string {
  const roomId = call.params.roomId ?? "";
  if (call.params.roomId !== undefined && !/^![^:]+:?/.test(roomId))
    refuse("M_INVALID_PARAM", `${roomId} is not a room id.`);
  return roomId;
}

function getData(call: Call, { accountData, pushRules }: Services): JsonObject {
  const userId = requireSelf(call);
  const [roomId, type] = [readRoomId(call), requireParam(call, "type")];
  if (type === "m.push_rules" && roomId === "") return pushRules.asAccountData(userId);
  return accountData.get(userId, roomId, type) ?? refuse("M_NOT_FOUND", `There is no account data ${type}.`);
}

function putData(call: Call, { accountData }: Services): JsonObject {
  const userId = requireSelf(call);
  const type = requireParam(call, "type");
  if (reservedTypes.includes(type))
    throw new MatrixError("M_BAD_JSON", `${type} can only be changed through its own endpoint.`, {
      status: 405,
    });
  accountData.set(userId, readRoomId(call), type, call.body);
  return {};
}

function readTags(call: Call, { accountData }: Services): JsonObject {
  const tags = accountData.get(requireSelf(call), requireParam(call, "roomId"), "m.tag")?.tags;
  return isObject(tags) ? tags : {};
}

const getErrors = ["M_FORBIDDEN", "M_NOT_FOUND"] as const;
const putErrors = ["M_FORBIDDEN", "M_BAD_JSON"] as const;

export const accountDataRoutes = [
  route("GET /_matrix/client/v3/user/{userId}/account_data/{type}", { errors: getErrors }, getData),

  route("PUT /_matrix/client/v3/user/{userId}/account_data/{type}", { errors: putErrors }, putData),

  route(
    "GET /_matrix/client/v3/user/{userId}/rooms/{roomId}/account_data/{type}",
    { errors: [...getErrors, "M_INVALID_PARAM"] },
    getData,
  ),

  route(
    "PUT /_matrix/client/v3/user/{userId}/rooms/{roomId}/account_data/{type}",
    { errors: [...putErrors, "M_INVALID_PARAM"] },
    putData,
  ),

  route(
    "GET /_matrix/client/v3/user/{userId}/rooms/{roomId}/tags",
    { errors: ["M_FORBIDDEN"] },
    (call, services) => ({
      tags: readTags(call, services),
    }),
  ),

  route(
    "PUT /_matrix/client/v3/user/{userId}/rooms/{roomId}/tags/{tag}",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON"] },
    (call, services) => {
      const tags = readTags(call, services);
      const { order } = call.body;
      if (order !== undefined && (typeof order !== "number" || !(order >= 0 && order <= 1)))
        refuse("M_BAD_JSON", "order must be a number from 0 to 1.");
      const changed = { tags: { ...tags, [requireParam(call, "tag")]: call.body } };
      services.accountData.set(call.session.userId, requireParam(call, "roomId"), "m.tag", changed);
      return {};
    },
  ),

  route(
    "DELETE /_matrix/client/v3/user/{userId}/rooms/{roomId}/tags/{tag}",
    { errors: ["M_FORBIDDEN"] },
    (call, services) => {
      const { [requireParam(call, "tag")]: _removed, ...tags } = readTags(call, services);
      services.accountData.set(call.session.userId, requireParam(call, "roomId"), "m.tag", { tags });
      return {};
    },
  ),
];
