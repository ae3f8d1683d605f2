import { effect, signal } from "@preact/signals";

type Theme = "auto" | "light" | "dark";

const storageKey = "rookery.theme";
const order: Theme[] = ["auto", "light", "dark"];

export const theme = signal<Theme>(readTheme());

function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return order.find((name) => name === stored) ?? "auto";
}

export function startTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem(storageKey, theme.value);
  });
}

export function switchTheme(): void {
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? "auto";
}
