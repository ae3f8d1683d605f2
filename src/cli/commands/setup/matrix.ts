import { randomBytes } from "node:crypto";
import { callEndpoint } from "../../../client/request.ts";
import type { Secrets } from "../../../config/secrets.ts";
import { mailEndpoints } from "../../../protocol/endpoints/mail.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import { AppError } from "../../../shared/errors.ts";
import { applySettings } from "../../apply-settings.ts";
import type { CliContext, Command, CommandInput } from "../../command.ts";
import { callAsPerson, startForPerson } from "../../call-as-person.ts";
import { readVariable } from "../../read-flag.ts";

export const setupMatrix: Command = {
  summary: "Use a homeserver other than the embedded one. Checks the login first.",
  usage:
    "--homeserver URL --owner @YOU:SERVER ([--appservice] --token-from-env VARIABLE | --user NAME --password-from-env VARIABLE) | --appservice | --embedded",
  examples: [
    "rookery setup matrix --homeserver https://matrix.example.org --owner @ada:example.org --token-from-env TOKEN",
    "rookery setup matrix --appservice > rookery.yaml",
    "rookery setup matrix --embedded",
  ],
  options: {
    homeserver: { type: "string" },
    owner: { type: "string" },
    "token-from-env": { type: "string" },
    user: { type: "string" },
    "password-from-env": { type: "string" },
    appservice: { type: "boolean" },
    embedded: { type: "boolean" },
  },
  optionHelp: {
    homeserver: "its address",
    owner: "your user id there; only your invitations are accepted",
    "token-from-env":
      "read the access token from this environment variable and store it in secrets.json (0600)",
    user: "the account that speaks for the agents of this machine",
    "password-from-env":
      "read the password from this environment variable and store it in secrets.json (0600)",
    appservice:
      "an account for each agent, with the token of an application service; without --homeserver, print a registration for the server's administrator",
    embedded: "use the embedded homeserver again",
  },
  async run(context, { flags }) {
    if (flags.embedded)
      return apply(context, { "matrix.homeserver": null, "matrix.owner": null, "matrix.accounts": null }, {});
    const { homeserver, owner } = flags;
    const isService = flags.appservice === true;
    if (isService && homeserver === undefined) {
      context.print(makeRegistration());
      return 0;
    }
    if (typeof homeserver !== "string" || !/^https?:\/\//.test(homeserver))
      throw new AppError(
        "invalid_argument",
        "--homeserver takes an address, such as https://matrix.example.org.",
      );
    if (typeof owner !== "string" || !/^@[^:\s]+:\S+$/.test(owner))
      throw new AppError(
        "invalid_argument",
        "--owner takes your full user id there, such as @ada:example.org.",
      );
    const credentials = readCredentials(context, flags);
    if (isService && !("accessToken" in credentials))
      throw new AppError("invalid_argument", "--appservice needs --token-from-env.");
    await startForPerson(context);
    await callAsPerson(context, channelEndpoints.checkMatrix, {
      body: { homeserver, isService, ...credentials },
      timeoutMs: 60_000,
    });
    const settings = {
      "matrix.homeserver": homeserver,
      "matrix.owner": owner,
      "matrix.accounts": isService ? "agents" : null,
    };
    return apply(context, settings, credentials);
  },
};

/** A registration in YAML, with new tokens. The server sends us nothing, so it gets no address. */
function makeRegistration(): string {
  const makeToken = (): string => randomBytes(32).toString("base64url");
  return `# Rookery's application service: an account for each agent, @rk_MACHINE_AGENT:SERVER.
# 1. The administrator registers this file with the homeserver. Synapse: app_service_config_files in homeserver.yaml.
# 2. On each machine, with the as_token below in the variable TOKEN:
#    rookery setup matrix --appservice --homeserver URL --owner @YOU:SERVER --token-from-env TOKEN
# Keep the as_token secret: it can act as any of these agents.
id: rookery
url: null
as_token: ${makeToken()}
hs_token: ${makeToken()}
sender_localpart: rookery
rate_limited: false
namespaces:
  users:
    - exclusive: true
      regex: "@rk_.*"
  aliases: []
  rooms: []`;
}

function readCredentials(
  context: CliContext,
  flags: CommandInput["flags"],
): { accessToken: string } | { user: string; password: string } {
  const accessToken = readVariable(context, flags["token-from-env"]);
  if (accessToken) return { accessToken };
  const password = readVariable(context, flags["password-from-env"]);
  if (password && typeof flags.user === "string") return { user: flags.user, password };
  throw new AppError("invalid_argument", "Give --token-from-env, or --user with --password-from-env.");
}

async function apply(
  context: CliContext,
  settings: Record<string, unknown>,
  credentials: Secrets["matrix"],
): Promise<number> {
  await applySettings(context, settings, (secrets) => {
    secrets.matrix = credentials;
  });
  const view = await callEndpoint(context.address, mailEndpoints.getMatrix);
  const line = `Agents talk through ${view.url ?? "the homeserver"} (${view.homeserver}). Show it: rookery matrix`;
  context.print(context.isJson ? JSON.stringify(view) : line);
  return 0;
}
