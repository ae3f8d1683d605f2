import { useEffect } from "preact/hooks";
import { type Page, parseRoute, replaceRoute, route } from "./route.ts";

/**
 * Opens this item while none is chosen and the list leaves room for it. The item stays open when another becomes the
 * first; the address is replaced, so that "back" leaves the page. `query` is added to the address.
 */
export function useFirst(
  page: Page,
  first: string | undefined,
  minWidth: number,
  query?: Record<string, string>,
): void {
  const { id } = route.value;
  useEffect(() => {
    if (id !== undefined || first === undefined || !matchMedia(`(min-width: ${minWidth}px)`).matches) return;
    // From the address itself: the person may have left, and the event that says so comes later.
    const at = parseRoute(location.hash);
    if (at.page === page && at.id === undefined) replaceRoute(page, first, { ...at.query, ...query });
  }, [id, first]);
}

/** The width from which `Split` shows the list and the detail side by side. */
export const splitMinWidth = 1001;
