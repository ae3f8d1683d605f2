/** A span of the day in minutes since midnight; if `from` is after `to`, it crosses midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

const pattern = /^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)$/;

/** `22:00-07:00`; undefined for anything else. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const match = pattern.exec(text.trim());
  if (!match) return undefined;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = match.slice(1).map(Number);
  return { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
}

/** The end is exclusive; an empty span is never quiet. */
export function isQuietAt({ from, to }: QuietHours, minuteOfDay: number): boolean {
  if (from <= to) return minuteOfDay >= from && minuteOfDay < to;
  return minuteOfDay >= from || minuteOfDay < to;
}
