import { toasts } from "../data/toasts.ts";
import { revealInvisible } from "../data/format.ts";

export function ToastRack() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone, undo }) => (
        <p key={id} class={`toast toast-${tone}`}>
          <bdi>{revealInvisible(text.slice(0, 200))}</bdi>
          {undo && (
            <button type="button" onClick={undo}>
              Undo <kbd aria-hidden="true">u</kbd>
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
