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
    "--homeserver URL --owner @YOU:SERVER (--token-from-env VARIABLE | --user NAME --password-from-env VARIABLE) | --embedded",
  examples: [
    "rookery setup matrix --homeserver https://matrix.example.org --owner @ada:example.org --token-from-env TOKEN",
    "rookery setup matrix --embedded",
  ],
  options: {
    homeserver: { type: "string" },
    owner: { type: "string" },
    "token-from-env": { type: "string" },
    user: { type: "string" },
    "password-from-env": { type: "string" },
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
    embedded: "use the embedded homeserver again",
  },
  async run(context, { flags }) {
    if (flags.embedded) return apply(context, { "matrix.homeserver": null, "matrix.owner": null }, {});
    const { homeserver, owner } = flags;
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
    await startForPerson(context);
    await callAsPerson(context, channelEndpoints.checkMatrix, {
      body: { homeserver, ...credentials },
      timeoutMs: 60_000,
    });
    return apply(context, { "matrix.homeserver": homeserver, "matrix.owner": owner }, credentials);
  },
};

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
