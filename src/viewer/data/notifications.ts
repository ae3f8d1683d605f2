import { effect } from "@preact/signals";
import type { QuestionView } from "../../protocol/ask.ts";
import { consent } from "./access.ts";
import { makeNotice } from "./notification.ts";
import { isNotifying } from "./notifying.ts";
import { answerQuestions, openQuestions, questions } from "./questions.ts";
import { go } from "./route.ts";
import { showError, showToast } from "./toasts.ts";

const storageKey = "rookery.notify";
const workerPath = "/notify-worker.js";
/** Clicks reach every tab; each answers only its own notifications. */
const tabId = crypto.randomUUID();

interface Click {
  type: string;
  tab: string;
  question: string;
  action: string;
}

/** The one script address that Trusted Types lets through. */
const scripts = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(path: string): string } };
  }
).trustedTypes?.createPolicy("notify-worker", {
  createScriptURL(path: string) {
    if (path !== workerPath) throw new TypeError("Not the script of the notifications.");
    return path;
  },
});

async function register(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(scripts?.createScriptURL(workerPath) ?? workerPath);
}

/** Asks the browser for permission, which it may show only after a click. */
export async function toggleNotifications(): Promise<void> {
  if (isNotifying.value) return turnOff();
  if (!("Notification" in globalThis) || !("serviceWorker" in navigator))
    return void showToast("This browser does not support notifications.", { tone: "bad" });
  if ((await Notification.requestPermission()) !== "granted")
    return void showToast(
      "The browser blocks notifications from this page. Allow them in its site settings.",
      {
        tone: "bad",
      },
    );
  await register();
  localStorage.setItem(storageKey, "on");
  isNotifying.value = true;
  showToast("You get a notification when an agent asks and this page is not in front.");
}

async function turnOff(): Promise<void> {
  isNotifying.value = false;
  localStorage.removeItem(storageKey);
  await (await navigator.serviceWorker.getRegistration())?.unregister();
}

/** Shows new questions while the page is not in front, removes settled ones, and keeps the badge up to date. */
export function startNotifications(): void {
  const isAllowed = "Notification" in globalThis && Notification.permission === "granted";
  if (isAllowed && localStorage.getItem(storageKey) === "on")
    register().then(() => (isNotifying.value = true), showError);
  navigator.serviceWorker?.addEventListener("message", ({ data }) => takeClick(data as Click));
  // Questions that were open before are known, and not announced.
  let known: ReadonlySet<string> | undefined;
  effect(() => {
    if (questions.value === undefined) return;
    const open = openQuestions.value;
    const fresh = known === undefined ? [] : open.filter(({ id }) => !known?.has(id));
    const settled = [...(known ?? [])].filter((id) => !open.some((question) => question.id === id));
    known = new Set(open.map(({ id }) => id));
    showBadge(open.length);
    if (!isNotifying.value) return;
    announce(fresh, settled).catch(showError);
  });
}

async function announce(fresh: readonly QuestionView[], settled: readonly string[]): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  for (const id of settled)
    for (const notification of await registration.getNotifications({ tag: id })) notification.close();
  if (!document.hidden && document.hasFocus()) return;
  for (const question of fresh.slice(0, maxAtOnce)) {
    const { title, body, buttons } = makeNotice(question, consent.value !== null);
    const actions = buttons.map((button, index) => ({ action: String(index), title: button.title }));
    const data = { tab: tabId, question: question.id };
    // The type of the options does not know the buttons yet.
    await registration.showNotification(title, {
      body,
      tag: question.id,
      data,
      actions,
    } as NotificationOptions);
  }
}

/** More would only cover each other; the badge has the number. */
const maxAtOnce = 5;

/** A button answers; a click on the text opens the questions. */
function takeClick({ type, tab, question: id, action }: Click): void {
  if (type !== "rookery.notification" || tab !== tabId) return;
  const question = openQuestions.value.find((open) => open.id === id);
  const button = question && makeNotice(question, consent.value !== null).buttons[Number(action)];
  if (action === "" || !button) return go("questions");
  answerQuestions([id], button.answer).then(() => showToast(`You answered: ${button.title}`), showError);
}

/** The number on the icon of an installed page, and a dot on the icon of the tab. */
function showBadge(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const path = count > 0 ? icon?.dataset.asking : icon?.dataset.quiet;
  if (icon && path && icon.getAttribute("href") !== path) icon.setAttribute("href", path);
  if (!isNotifying.value || !("setAppBadge" in navigator)) return;
  // Only installed pages have a badge.
  navigator.setAppBadge(count).catch(() => undefined);
}
