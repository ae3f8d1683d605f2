import { refuse } from "../errors.ts";
import { route } from "../route.ts";
import { defaultRoomVersion, roomVersionIds } from "../rules/room-version.ts";

/** There are no bridges to other networks. */
const rejectUnknown = (): never =>
  refuse("M_NOT_FOUND", "This server has no bridges to third-party networks.");
const noNetwork = { errors: ["M_NOT_FOUND"] } as const;

/** Versions and capabilities of this server, and stubs for the features it lacks. */
export const versionRoutes = [
  route("GET /_matrix/client/versions", { access: "open" }, () => ({
    versions: ["r0.6.1", ...Array.from({ length: 15 }, (_, i) => `v1.${i + 1}`)],
    unstable_features: { "org.matrix.simplified_msc3575": true },
  })),

  route("GET /.well-known/matrix/client", { access: "open" }, (_call, { address }) => ({
    "m.homeserver": { base_url: address.url },
  })),

  route("GET /_matrix/client/v3/capabilities", {}, () => ({
    capabilities: {
      "m.change_password": { enabled: true },
      "m.room_versions": {
        default: defaultRoomVersion,
        available: Object.fromEntries(roomVersionIds.map((id) => [id, "stable"])),
      },
      "m.set_displayname": { enabled: true },
      "m.set_avatar_url": { enabled: true },
      "m.3pid_changes": { enabled: false },
      "m.get_login_token": { enabled: false },
    },
  })),

  route("GET /_matrix/client/v3/voip/turnServer", {}, () => ({})),

  route("GET /_matrix/client/v3/account/3pid", {}, () => ({ threepids: [] })),

  route("GET /_matrix/client/v3/thirdparty/protocols", {}, () => ({})),
  route("GET /_matrix/client/v3/thirdparty/protocol/{protocol}", noNetwork, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/location", noNetwork, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/location/{protocol}", noNetwork, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/user", noNetwork, rejectUnknown),
  route("GET /_matrix/client/v3/thirdparty/user/{protocol}", noNetwork, rejectUnknown),
];
