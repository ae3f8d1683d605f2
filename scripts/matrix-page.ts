import { matrixErrors } from "../src/homeserver/errors.ts";
import { routes } from "../src/homeserver/routes.ts";
import { defaultRoomVersion, roomVersionIds } from "../src/homeserver/rules/room-version.ts";

const accessNames = { open: "open", guarded: "token while registration is closed", user: "token" } as const;

/** Generates docs/matrix.md. Routes and errors come from the code, so that the page stays correct. */
export function makeMatrixPage(): string {
  const rows = routes.map(
    ({ method, path, access, errors }) =>
      `| \`${method} ${path}\` | ${accessNames[access]} | ${errors.map((code) => `\`${code}\``).join(" ") || "–"} |`,
  );
  const codes = Object.entries(matrixErrors).map(([code, status]) => `| \`${code}\` | ${status} |`);
  return `# The embedded Matrix homeserver

Generated from \`src/homeserver\` by \`npm run docs\`; a test checks that it is up to date.

Agents and people talk in Matrix rooms. The daemon runs its own homeserver in a worker thread, with a separate database (\`matrix.db\`, uploads in
\`matrix-media/\`), on \`http://127.0.0.1:37778\`. \`rookery status\` shows the port, and \`daemon.json\` has it as \`matrixPort\`. You can sign in
with any Matrix client: enter that address as the homeserver.

- **API**: the client-server API, versions r0.6.1 and v1.1 to v1.15, without federation, guests, third-party identifiers, single sign-on or URL
  previews. \`/_matrix/client/r0\` is an alias of \`/v3\`; \`/events\` and \`/initialSync\` serve clients that predate \`/sync\`. Room versions ${roomVersionIds[0]} to ${roomVersionIds.at(-1)}, default ${defaultRoomVersion}.
- **Sliding sync**: the simplified form (MSC4186, \`org.matrix.simplified_msc3575\`) with lists, ranges, filters, room subscriptions and the extensions
  to_device, e2ee, account_data, receipts and typing. Connections are kept in memory, 8 per device: after a restart the client gets \`M_UNKNOWN_POS\` and starts over.
- **Accounts**: registration is closed. The daemon creates accounts for agents and for the people you invite. With \`matrix.registration = open\`
  (\`ROOKERY_MATRIX_REGISTRATION=open\`) anyone who can reach the port can register. While it is closed, profiles, the directory and the
  check for a free user name need a token, because any web page that you open can send requests to the port.
- **User ids** end in \`:rookery.local\` (\`matrix.serverName\`), which is fixed when the database is created.
- **Encryption** between clients works: the server stores and serves keys and checks their signatures; it cannot read encrypted messages.
- **Pushers** are stored and listed, but never called: the server makes no outgoing requests.
- **Thumbnails** are the original images.
- **Media** is served to signed-in users only: the older endpoints under \`/_matrix/media\` need a token, too.
- **Rate limits**, rejected with \`M_LIMIT_EXCEEDED\` and \`retry_after_ms\`: \`matrix.writesPerSecond\` writes per user; a burst of ten wrong
  passwords per user, then one every five seconds (further wrong ones are checked one at a time and answered with a delay; the right password is always
  accepted); 2,000 long polls in total, 64 per user; 64 unfinished uploads in total, 8 per user; 96 MB of unfinished
  request bodies in total, 24 MB per user; 384 MB of responses that clients have not read yet, 96 MB per user; two large reads of a user at a time, 256 waiting.
- **Size limits**, rejected with \`M_TOO_LARGE\`: 64 KiB for events and to-device messages; \`matrix.mediaBytes\` for uploads (streamed to disk);
  1 MB for request bodies (64 KiB without a token and for filters, 20 MB for key backups); 256 characters for push rule patterns, 10 conditions per
  rule, 200 rules of a kind; 32 words in a search; 500 invitations and 500 initial state events of a new room; 8 MB for the account data of a user and for the state of a room. JSON deeper than 100 levels and filter lists of more than 1,000 entries are rejected with \`M_BAD_JSON\`. A \`/sync\`
  response has at most 100 to-device messages; the rest follow in the next one. At most 10,000 are queued per device. It has at most 32 MB of messages,
  and a page of messages at most 4 MB: clients get the rest by paging.
- **Memory**: the newest events of a room (at most 400, at most 2 MB) and its state are in memory, about 96 MB for all rooms; beyond that, rooms are read again when needed.
  Disk space is not limited: an account can fill the disk.
- **Patterns** of push rules and filters are matched in linear time.
- **Unread counts** are computed from the push rules on each sync; after a restart, from the newest 5,000 events of a room.

## Clients
| client | tested |
|---|---|
| matrix-js-sdk (the library of Element Web and Desktop) | in the tests: conversations, encryption and cross-signing over \`/sync\`; encrypted conversations over sliding sync |
| matrix-bot-sdk | in the tests |
| nheko | by an opt-in test (\`ROOKERY_NHEKO=1\`) |
| Hydrogen (hydrogen-view-sdk 0.3.1, in Chromium) | by hand: password sign-in, invitation, sending |
| Element Web | not tested: it is not published on npm, which the tests install from |
| Element X | not tested. It needs sliding sync and password login, which the server supports |

## Access from other machines
The server listens on loopback with plain HTTP. Set \`matrix.host\` only on a network you trust. Otherwise put a reverse proxy with TLS in front of
it that forwards \`/_matrix\` and \`/.well-known/matrix\`, and set \`matrix.publicUrl\` to its address. Long polls last up to 90 seconds.
Leave registration closed.

## How it works
Requests go through a route table to services that own their tables. One counter orders all changes; tokens of \`/sync\` and of paging are positions
of it. All writes of one tick of the event loop are committed in one transaction; responses and \`/sync\` wake-ups follow the commit. A commit
survives kill -9; a power failure may lose the latest commits. The newest events of a room are in memory, so \`/sync\` does not read the disk. With a
single server the state before an event is the current room state: the authorisation rules of each room version apply, but no state resolution
is needed. The message search index is updated when a search runs.
A large \`/sync\` is built and serialised in slices of 2 ms, one sync at a time, so that other requests are answered in between. So are pages of messages, searches and uploads of key backups.
\`npm run bench:matrix\` measures sends per second, the delay from send to sync, start time, memory and disk usage.

## Errors
Errors are \`{errcode, error}\`, with CORS headers. On every route: \`M_MISSING_TOKEN\`, \`M_UNKNOWN_TOKEN\` (where a token is needed), \`M_NOT_JSON\`,
\`M_BAD_JSON\` (the body is not an object or nested too deeply), \`M_TOO_LARGE\` (the body is above 1 MB), \`M_UNRECOGNIZED\` (404: unknown endpoint,
405: unsupported method), \`M_LIMIT_EXCEEDED\` (too many writes), \`M_UNKNOWN\` with 500 (an internal error; see the log) or 507 (the disk is full: nothing was stored). The table below lists the
other errors of each route; each has a test row (\`tests/conformance/error-rows.ts\`).

| code | default status |
|---|---|
${codes.join("\n")}

## Routes

| route | access | other errors |
|---|---|---|
${rows.join("\n")}
`;
}
