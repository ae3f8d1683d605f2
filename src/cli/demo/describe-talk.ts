import type { Style } from "../style.ts";
import { shorten } from "../text-width.ts";
import type { TalkFacts } from "./talk.ts";
import { chapter, fill } from "./describe-frame.ts";

export function describeTalk(
  { from, to, lease, message, reply, rooms, said }: TalkFacts,
  style: Style,
): string {
  const { dim, bold } = style;
  const quote = (text: string): string =>
    text
      .split("\n")
      .map((line) => dim(`  │ ${shorten(line, style.width - 4)}`))
      .join("\n");
  return [
    chapter(3, "How agents talk", style),
    fill(`${from} claims ${lease.file} and writes to ${to}, which is at work on its own turn.`, style, ""),
    "",
    `${to} wants to edit that file. Its hook says:`,
    quote(lease.warning),
    "",
    "After its next tool call it is given, as data and never as an order:",
    quote(message.given),
    bold(`  ✓ ${message.state}: its id stands in the transcript of ${to}`),
    "",
    fill(`It answers, and ${from} reads that the same way: “${reply.text}”`, style, ""),
    "",
    "People read along, in any Matrix client or with `rookery rooms parcel-api`:",
    ...said.map((each) => fill(`${each.from}: ${each.text}`, style, "  # ", "    ")),
    dim(`  rooms: ${rooms.map(({ kind, name }) => `${name} (${kind})`).join(", ")}`),
  ].join("\n");
}
