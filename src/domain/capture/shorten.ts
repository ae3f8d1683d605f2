import { truncateMiddle } from "../../shared/text.ts";

/**
 * Truncates every text in a payload longer than `limit` characters to its head and tail and notes how much was
 * removed, so that a 50 MB tool output cannot fill the store. Depth and width are limited too, because payloads are
 * untrusted.
 */
export function shortenPayload(value: unknown, limit: number): unknown {
  let budget = 200_000;

  function visit(node: unknown, depth: number): unknown {
    if (--budget < 0 || depth > 100) return "[…]";
    if (typeof node === "string") return truncateMiddle(node, limit);
    if (Array.isArray(node)) return visitArray(node, depth);
    if (typeof node !== "object" || node === null) return node;
    const copy: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(node)) {
      if (budget <= 0) break;
      Object.defineProperty(copy, truncateMiddle(key, 500), {
        value: visit(child, depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  }

  function visitArray(items: unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const item of items) {
      if (budget <= 0) break;
      copy.push(visit(item, depth + 1));
    }
    if (copy.length < items.length) copy.push(`[… ${items.length - copy.length} more items …]`);
    return copy;
  }

  return visit(value, 0);
}
