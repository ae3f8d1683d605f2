import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { requireParam, readInteger } from "../reading.ts";
import { type Call, type Reply, reply, route } from "../route.ts";
import type { Services } from "../services.ts";
import { cleanName, type MediaItem, reservedForMs } from "../services/media.ts";

/** Types that browsers may display inline; all others are downloaded. */
const inlineTypes = new Set([
  "text/css",
  "text/plain",
  "text/csv",
  "application/json",
  "application/ld+json",
  "image/jpeg",
  "image/gif",
  "image/png",
  "image/apng",
  "image/webp",
  "image/avif",
  "video/mp4",
  "video/webm",
  "video/ogg",
  "video/quicktime",
  "audio/mp4",
  "audio/webm",
  "audio/aac",
  "audio/mpeg",
  "audio/ogg",
  "audio/wave",
  "audio/wav",
  "audio/x-wav",
  "audio/x-pn-wav",
  "audio/flac",
  "audio/x-flac",
]);
const thumbnailTypes = new Set(["image/jpeg", "image/gif", "image/png", "image/webp"]);
const policy =
  "sandbox; default-src 'none'; script-src 'none'; plugin-types application/pdf; style-src 'unsafe-inline'; object-src 'self';";
const maxPending = 50;

function findItem(call: Call, { media, serverName }: Services): MediaItem {
  const item =
    requireParam(call, "serverName") === serverName ? media.find(requireParam(call, "mediaId")) : undefined;
  return item ?? refuse("M_NOT_FOUND", "There is no such media.");
}

/** `type/subtype` with safe parameters, or the generic binary type. */
function cleanType(type: string | undefined): string {
  return type !== undefined && /^[\w.+-]+\/[\w.+-]+(?:;[ \w=.+-]*)*$/.test(type)
    ? type
    : "application/octet-stream";
}

function describeDisposition(type: string, name: string | undefined): string {
  const disposition = inlineTypes.has(type.split(";")[0]?.trim().toLowerCase() ?? "")
    ? "inline"
    : "attachment";
  if (name === undefined || name === "") return disposition;
  if (/^[\w.-]+$/.test(name)) return `${disposition}; filename=${name}`;
  if (/^[\x20-\x7e]+$/.test(name)) return `${disposition}; filename="${name.replace(/["\\]/g, "\\$&")}"`;
  return `${disposition}; filename*=utf-8''${encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}

function download(call: Call, services: Services): Reply {
  const item = findItem(call, services);
  if (item.bytes === undefined)
    refuse("M_NOT_YET_UPLOADED", "This has not been uploaded yet.", { headers: { "Retry-After": "5" } });
  const type = cleanType(item.type);
  const { fileName } = call.params;
  const name = fileName === undefined ? item.name : cleanName(fileName);
  const headers = {
    "Content-Type": type,
    "Content-Length": String(item.bytes),
    "Content-Disposition": describeDisposition(type, name),
    "Content-Security-Policy": policy,
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, max-age=31536000, immutable",
  };
  return reply(200, headers, services.media.open(item));
}

/** Serves the original image, which the specification allows: there is no image scaler. */
function thumbnail(call: Call, services: Services): Reply {
  for (const name of ["width", "height"]) {
    const size = readInteger(call.query, name) ?? refuse("M_MISSING_PARAM", `${name} is missing.`);
    if (size < 1) refuse("M_INVALID_PARAM", `${name} must be positive.`);
  }
  const method = call.query.get("method") ?? "scale";
  if (method !== "scale" && method !== "crop") refuse("M_INVALID_PARAM", "method must be scale or crop.");
  const item = findItem(call, services);
  if (item.bytes !== undefined && !thumbnailTypes.has(item.type?.split(";")[0] ?? ""))
    refuse("M_UNKNOWN", "There is no thumbnail for this type of media.");
  return download(call, services);
}

async function upload(call: Call, services: Services, item: MediaItem): Promise<void> {
  const name = call.query.get("filename") ?? undefined;
  await services.media.store(item, call.content, call.headers["content-type"], name);
}

const uri = ({ id }: MediaItem, { serverName }: Services): string => `mxc://${serverName}/${id}`;
const config = (_call: Call, { limits }: Services): JsonObject => ({ "m.upload.size": limits.mediaBytes });
const downloads = { errors: ["M_NOT_FOUND", "M_NOT_YET_UPLOADED"] } as const;
const thumbnails = {
  errors: [...downloads.errors, "M_MISSING_PARAM", "M_INVALID_PARAM", "M_UNKNOWN"],
} as const;

export const mediaRoutes = [
  route(
    "POST /_matrix/media/v3/upload",
    { body: "raw", errors: ["M_TOO_LARGE"] },
    async (call, services): Promise<JsonObject> => {
      const item = services.media.reserve(call.session.userId);
      try {
        await upload(call, services, item);
      } catch (error) {
        await services.media.remove(item.id);
        throw error;
      }
      return { content_uri: uri(item, services) };
    },
  ),

  route("POST /_matrix/media/v1/create", { errors: ["M_LIMIT_EXCEEDED"] }, ({ session }, services) => {
    if (services.media.pending(session.userId) >= maxPending)
      refuse("M_LIMIT_EXCEEDED", "Too many reserved ids. Upload to those first.", {
        fields: { retry_after_ms: 60_000 },
      });
    const item = services.media.reserve(session.userId);
    return { content_uri: uri(item, services), unused_expires_at: item.createdAt + reservedForMs };
  }),

  route(
    "PUT /_matrix/media/v3/upload/{serverName}/{mediaId}",
    { body: "raw", errors: ["M_NOT_FOUND", "M_FORBIDDEN", "M_CANNOT_OVERWRITE_MEDIA", "M_TOO_LARGE"] },
    async (call, services): Promise<JsonObject> => {
      const item = findItem(call, services);
      if (item.userId !== call.session.userId) refuse("M_FORBIDDEN", "Another user reserved this id.");
      await upload(call, services, item);
      return {};
    },
  ),

  route("GET /_matrix/media/v3/config", {}, config),
  route("GET /_matrix/client/v1/media/config", {}, config),

  // These once needed no token. Older clients that send one can still use them.
  route("GET /_matrix/media/v3/download/{serverName}/{mediaId}", downloads, download),
  route("GET /_matrix/media/v3/download/{serverName}/{mediaId}/{fileName}", downloads, download),
  route("GET /_matrix/media/v3/thumbnail/{serverName}/{mediaId}", thumbnails, thumbnail),
  route("GET /_matrix/client/v1/media/download/{serverName}/{mediaId}", downloads, download),
  route("GET /_matrix/client/v1/media/download/{serverName}/{mediaId}/{fileName}", downloads, download),
  route("GET /_matrix/client/v1/media/thumbnail/{serverName}/{mediaId}", thumbnails, thumbnail),
];
