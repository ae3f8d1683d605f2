import { useEffect } from "preact/hooks";
import { type Page, replaceRoute, route } from "./route.ts";

/**
 * Opens this item while none is chosen and the list leaves room for it. The item stays open when another becomes the
 * first; the address is replaced, so that "back" leaves the page.
 */
export function useFirst(page: Page, first: string | undefined, minWidth: number): void {
  const { id } = route.value;
  useEffect(() => {
    if (id !== undefined || first === undefined || !matchMedia(`(min-width: ${minWidth}px)`).matches) return;
    if (route.value.page === page) replaceRoute(page, first, route.value.query);
  }, [id, first]);
}

/** The width from which `Split` shows the list and the detail side by side. */
export const splitMinWidth = 1001;
