import { parseJson } from "../../shared/json.ts";
import { truncateMiddle } from "../../shared/text.ts";

/** Head and tail of a long text, as a string of its own: a slice would keep the whole line in memory. */
export function clipText(text: string, limit: number): string {
  const whole = text.toWellFormed();
  return whole.length <= limit ? whole : (parseJson(JSON.stringify(truncateMiddle(whole, limit))) as string);
}
