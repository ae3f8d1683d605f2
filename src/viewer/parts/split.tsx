import type { ComponentChildren } from "preact";

interface SplitProps {
  title: string;
  listName: string;
  detailName: string;
  /** Something is selected: narrow screens show the detail instead of the list. */
  isOpen: boolean;
  list: ComponentChildren;
  detail: ComponentChildren;
}

/** A list with the selected item beside it. */
export function Split({ title, listName, detailName, isOpen, list, detail }: SplitProps) {
  return (
    <div class={`split ${isOpen ? "split-open" : ""}`}>
      <h1>{title}</h1>
      <section class="split-list" aria-label={listName}>
        {list}
      </section>
      <section class="split-detail" aria-label={detailName}>
        {detail}
      </section>
    </div>
  );
}
