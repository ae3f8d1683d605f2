import { refuse } from "../errors.ts";
import { optionalObject } from "../fields.ts";
import { isObject, type JsonObject, makeDictionary } from "../json.ts";
import { route } from "../route.ts";
import { isSignedBy } from "../rules/signature.ts";
import type { Services } from "../services.ts";
import { type KeyUsage, keyUsages } from "../services/cross-signing.ts";
import { getOwn } from "../../shared/json.ts";

type GivenKeys = Partial<Record<KeyUsage, JsonObject>>;

function readKeys(body: JsonObject, userId: string): GivenKeys {
  const given: GivenKeys = {};
  for (const usage of keyUsages) {
    const key = optionalObject(body, `${usage}_key`);
    if (!key) continue;
    if (key.user_id !== userId || !isObject(key.keys) || Object.keys(key.keys).length !== 1)
      refuse("M_INVALID_PARAM", `${usage}_key is not one of your keys.`);
    given[usage] = key;
  }
  return given;
}

/** The master key must have signed the others. */
function checkMasterSignatures(given: GivenKeys, userId: string, { crossSigning }: Services): void {
  const { master: _master, ...others } = given;
  if (Object.keys(others).length === 0) return;
  const master = given.master ?? crossSigning.key(userId, "master");
  if (!master) refuse("M_MISSING_PARAM", "You have no master key.");
  const [keyId, publicKey] = crossSigning.publicKey(master);
  for (const [usage, key] of Object.entries(others))
    if (!isSignedBy(key, userId, keyId, publicKey))
      refuse("M_INVALID_SIGNATURE", `${usage}_key is not signed by the master key.`);
}

function isRepeated(given: GivenKeys, userId: string, { crossSigning }: Services): boolean {
  return Object.entries(given).every(([usage, key]) => {
    const known = crossSigning.key(userId, usage as KeyUsage);
    return known !== undefined && crossSigning.keyId(known) === crossSigning.keyId(key);
  });
}

/** An uploaded key: device keys by device id, cross-signing keys by public key. */
function findKey(
  userId: string,
  target: string,
  { crossSigning, deviceKeys }: Services,
): JsonObject | undefined {
  const device = deviceKeys.of(userId).find((known) => known.device === target);
  if (device) return device.keys;
  return keyUsages
    .map((usage) => crossSigning.key(userId, usage))
    .find((key) => key !== undefined && crossSigning.keyId(key) === target);
}

/** Why a signature is rejected, or undefined. It must sign the stored key, because other users receive that one. */
function findFault(
  signer: string,
  target: JsonObject,
  signatures: JsonObject,
  services: Services,
): string | undefined {
  for (const keyId of Object.keys(signatures)) {
    const key = findKey(signer, keyId.slice(keyId.indexOf(":") + 1), services);
    const publicKey = isObject(key?.keys) ? getOwn(key.keys, keyId) : undefined;
    if (typeof publicKey !== "string") return `${keyId} is not one of your keys.`;
    if (!isSignedBy({ ...target, signatures: { [signer]: signatures } }, signer, keyId, publicKey))
      return `The signature by ${keyId} is invalid.`;
  }
  return undefined;
}

export const crossSigningRoutes = [
  route(
    "POST /_matrix/client/v3/keys/device_signing/upload",
    {
      errors: [
        ...(["M_UNAUTHORIZED", "M_FORBIDDEN", "M_INVALID_PARAM", "M_BAD_JSON"] as const),
        ...(["M_MISSING_PARAM", "M_INVALID_SIGNATURE"] as const),
      ],
    },
    async ({ body, session }, services) => {
      const { userId } = session;
      let given = readKeys(body, userId);
      // The first upload needs no confirmation: there are no keys to replace.
      const isFirst = services.crossSigning.key(userId, "master") === undefined;
      const isConfirmation = isObject(body.auth);
      if (!isFirst && (isConfirmation || !isRepeated(given, userId, services))) {
        const stage = { type: "m.login.password" as const, userId };
        given = readKeys(
          await services.userInteractive.confirm(body, "replace the signing keys", stage),
          userId,
        );
      }
      checkMasterSignatures(given, userId, services);
      services.crossSigning.set(userId, given);
      return {};
    },
  ),

  route(
    "POST /_matrix/client/v3/keys/signatures/upload",
    { errors: ["M_BAD_JSON"] },
    ({ body, session }, services) => {
      const failures = makeDictionary<JsonObject>();
      for (const [userId, targets] of Object.entries(body)) {
        if (!isObject(targets)) refuse("M_BAD_JSON", "Signatures must be grouped by user and key.");
        for (const [target, signed] of Object.entries(targets)) {
          const signatures =
            isObject(signed) && isObject(signed.signatures) ? signed.signatures[session.userId] : undefined;
          const key = findKey(userId, target, services);
          const fault = !isObject(signatures)
            ? "Your signature is missing."
            : key && findFault(session.userId, key, signatures, services);
          if (key && isObject(signatures) && !fault)
            services.crossSigning.addSignatures(session.userId, userId, target, signatures);
          else
            (failures[userId] ??= makeDictionary())[target] = {
              errcode: fault ? "M_INVALID_SIGNATURE" : "M_NOT_FOUND",
              error: fault ?? "There is no such key.",
            };
        }
      }
      return { failures };
    },
  ),
];
