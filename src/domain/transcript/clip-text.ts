import { shortenText } from "../capture/shorten.ts";

/** Head and tail of a long text, as a string of its own: a slice would keep the whole line in memory. */
export function clipText(text: string, limit: number): string {
  const whole = text.toWellFormed();
  return whole.length <= limit ? whole : (JSON.parse(JSON.stringify(shortenText(whole, limit))) as string);
}
