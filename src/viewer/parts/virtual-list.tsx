import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../data/keys.ts";

interface VirtualListProps {
  label: string;
  total: number;
  rowHeight: number;
  /** Called with the visible range, so that its rows can be loaded. */
  onRange(from: number, to: number): void;
  /** A link or button with `data-row`, or a placeholder while its data is loading. */
  renderRow(index: number): ComponentChildren;
  /** Called with whether the top is visible: only then may new rows be inserted. */
  onTop?(isAtTop: boolean): void;
}

const overscan = 8;

/** A list of any length that renders only its visible rows. `j` and `k` move through all of it. */
export function VirtualList({ label, total, rowHeight, onRange, renderRow, onTop }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const focusAt = useRef<number | undefined>(undefined);

  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  const from = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const to = Math.min(total, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  useEffect(() => onRange(from, Math.max(from, to - 1)), [from, to, total]);
  useEffect(() => onTop?.(view.top < rowHeight), [view.top < rowHeight]);

  const rowAt = (index: number): HTMLElement | null | undefined =>
    box.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`);

  // A row that was not rendered can only be focused after this render.
  useEffect(() => {
    if (focusAt.current === undefined) return;
    const row = rowAt(focusAt.current);
    if (!row) return;
    focusAt.current = undefined;
    row.focus({ preventScroll: true });
  });

  const move = (by: 1 | -1): void => {
    const element = box.current as HTMLDivElement;
    const item = document.activeElement?.closest<HTMLElement>("[data-index]");
    const current = item && element.contains(item) ? Number(item.dataset.index) : undefined;
    const first = Math.ceil(element.scrollTop / rowHeight);
    const next = current === undefined ? first : Math.min(total - 1, Math.max(0, current + by));
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    const overshoot = top + rowHeight - element.scrollTop - element.clientHeight;
    if (overshoot > 0) element.scrollTop += overshoot;
    const row = rowAt(next);
    if (row) row.focus({ preventScroll: true });
    else focusAt.current = next;
  };
  useKeys({ j: () => move(1), k: () => move(-1) }, [total, rowHeight]);

  const rows = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  return (
    <div class="virtual" ref={box} tabIndex={0} role="region" aria-label={label}>
      <ul style={{ height: `${total * rowHeight}px` }}>
        {rows.map((index) => (
          <li
            key={index}
            data-index={index}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {renderRow(index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
