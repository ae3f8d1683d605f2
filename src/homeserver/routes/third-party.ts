import { refuse } from "../errors.ts";
import { route } from "../route.ts";

/** There are no bridges to other networks. */
const rejectUnknown = (): never => refuse("M_NOT_FOUND", "No other network is connected.");
const options = { errors: ["M_NOT_FOUND"] } as const;

export const thirdPartyRoutes = [
  route("GET /_matrix/client/v3/thirdparty/protocols", {}, () => ({})),
  route("GET /_matrix/client/v3/thirdparty/protocol/{protocol}", options, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/location", options, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/location/{protocol}", options, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/user", options, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/user/{protocol}", options, rejectUnknown),
];
