import { refuse } from "../errors.ts";
import { route } from "../route.ts";

/** There are no bridges here: nothing outside of Matrix is known. */
const unknown = (): never => refuse("M_NOT_FOUND", "No other network is connected.");
const options = { errors: ["M_NOT_FOUND"] } as const;

export const thirdPartyRoutes = [
  route("GET /_matrix/client/v3/thirdparty/protocols", {}, () => ({})),
  route("GET /_matrix/client/v3/thirdparty/protocol/{protocol}", options, unknown),
  route("GET /_matrix/client/v3/thirdparty/location", options, unknown),
  route("GET /_matrix/client/v3/thirdparty/location/{protocol}", options, unknown),
  route("GET /_matrix/client/v3/thirdparty/user", options, unknown),
  route("GET /_matrix/client/v3/thirdparty/user/{protocol}", options, unknown),
];
