import { parseJson } from "../../shared/json.ts";
import { truncateMiddle } from "../../shared/text.ts";

/** Head and tail of a long text, as a new string: a slice would keep the full line in memory. */
export function clipText(text: string, limit: number): string {
  const whole = text.toWellFormed();
  return whole.length <= limit ? whole : (parseJson(JSON.stringify(truncateMiddle(whole, limit))) as string);
}
