import { matrixErrors } from "../src/homeserver/errors.ts";
import { routes } from "../src/homeserver/routes.ts";
import { defaultRoomVersion, roomVersionIds } from "../src/homeserver/rules/room-version.ts";

/** docs/matrix.md: what is served comes from the route table, so that the page cannot say anything else. */
export function makeMatrixPage(): string {
  const rows = routes.map(
    ({ method, path, access, errors }) =>
      `| \`${method} ${path}\` | ${access === "open" ? "anybody" : "token"} | ${errors.map((code) => `\`${code}\``).join(" ") || "–"} |`,
  );
  const codes = Object.entries(matrixErrors).map(([code, status]) => `| \`${code}\` | ${status} |`);
  return `# The embedded Matrix homeserver

Made from \`src/homeserver\` by \`npm run docs\`; a test keeps both equal.

Agents and people meet in Matrix rooms. The daemon runs a homeserver of its own for that, in a thread of its own, with a database of its own
(\`matrix.db\`, uploads in \`matrix-media/\`), on \`http://127.0.0.1:37778\` (the port is in \`rookery status\` and in \`daemon.json\` as
\`matrixPort\`). Any Matrix client can sign in there: give it that address as the homeserver.

- **What it speaks**: the client-server API, versions r0.6.1 and v1.1 to v1.11, without federation, guests, third-party identifiers, single
  sign-on and URL previews. \`/_matrix/client/r0\` is \`/v3\` by another name; \`/events\` and \`/initialSync\` serve clients from before \`/sync\`. Room versions ${roomVersionIds[0]} to ${roomVersionIds.at(-1)}, default ${defaultRoomVersion}.
- **Accounts**: registration is closed. Agents get theirs from the daemon, people are invited. \`matrix.registration = open\`
  (\`ROOKERY_MATRIX_REGISTRATION=open\`) lets anybody who reaches the port make one.
- **Names** end in \`:rookery.local\` (\`matrix.serverName\`), fixed when the database is made.
- **Encryption** between people's clients works: keys are stored and served, signatures under them checked; what was said stays unreadable here.
- **Pushers** are kept and listed, but nothing is pushed: the server reaches nobody outside.
- **Thumbnails** are the pictures themselves.
- **Media** is served only to users: the older endpoints under \`/_matrix/media\` need a token, too.
- **Limits**, refused with \`M_LIMIT_EXCEEDED\` and \`retry_after_ms\`: \`matrix.writesPerSecond\` changes per user; ten wrong passwords at once,
  then one every five seconds; 2,000 long polls in all, 64 per user; 64 unfinished uploads in all, 8 per user; 96 MB of unfinished request
  bodies in all, 24 MB per user.
- **Sizes**, refused with \`M_TOO_LARGE\`: events and messages to devices of more than 64 KiB; uploads of more than \`matrix.mediaBytes\` (written
  to disk as they arrive); bodies of more than 1 MB (64 KiB without a token and for filters, 20 MB for key backups); push rules with a pattern of
  more than 256 characters, more than 10 conditions, or more than 200 of a kind. JSON of more than 100 levels, and filter lists of more than 1,000
  entries, are refused with \`M_BAD_JSON\`. One \`/sync\` carries at most 100 messages to a device; the rest follows in the next. For a device that never syncs, 10,000 are kept.
- **Patterns** of push rules and filters are matched in linear time.
- **Unread counts** are made from the push rules when a client looks; after a restart from the newest 5,000 events of a room.

## Opening it to other machines
It listens on loopback and speaks plain HTTP. Set \`matrix.host\` only on a network you trust; otherwise put a reverse proxy with TLS in front of it
that passes \`/_matrix\` and \`/.well-known/matrix\` through, and tell clients its address with \`matrix.publicUrl\`. Long polls last up to 90 seconds.
Leave registration closed.

## How it works
Requests go through a table of routes to services that own their tables. Everything is ordered by one position: it is the token of \`/sync\` and of
paging. Writes of one turn of the event loop go down in one transaction; the answer, and the word to those who wait in \`/sync\`, go out after the
commit. A commit survives kill -9; after a power loss the last moments may be gone. The newest events of a room are in memory, so that \`/sync\`
is answered without the disk. With one server the state before an event is the room's state: the authorisation rules of each room version
are applied, there is nothing to resolve. Message search is indexed when it is asked for.
\`npm run bench:matrix\` measures it: sends per second, delay from send to sync, start, memory and disk.

## Errors
\`{errcode, error}\`, with CORS on all of them. On every route: \`M_MISSING_TOKEN\`, \`M_UNKNOWN_TOKEN\` (where a token is needed), \`M_NOT_JSON\`,
\`M_BAD_JSON\` (a body that is no object, or nested too deep), \`M_TOO_LARGE\` (a body above 1 MB), \`M_UNRECOGNIZED\` (404: no such endpoint, 405: no such method),
\`M_LIMIT_EXCEEDED\` (too many changes), \`M_UNKNOWN\` with 500 (our fault; the log knows more). Those of each route are in the table below;
each has a test row (\`tests/conformance/error-rows.ts\`).

| code | status, unless the specification wants another |
|---|---|
${codes.join("\n")}

## Routes

| route | access | errors of its own |
|---|---|---|
${rows.join("\n")}
`;
}
