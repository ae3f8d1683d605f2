import type { ComponentChildren } from "preact";

interface SplitProps {
  title: string;
  listName: string;
  detailName: string;
  /** Something is chosen: where there is room for one side only, it is the detail. */
  isOpen: boolean;
  list: ComponentChildren;
  detail: ComponentChildren;
}

/** A list, and beside it what was chosen in it. */
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
