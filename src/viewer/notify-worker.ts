/**
 * The service worker of the viewer. Browsers show buttons only on its notifications. It reads nothing and answers
 * nothing: it passes a click on to the tab that showed the notification, which has the secret for decisions.
 */
interface NotificationClick extends Event {
  notification: Notification;
  action: string;
  waitUntil(work: Promise<unknown>): void;
}

interface Tab {
  postMessage(message: object): void;
  focus(): Promise<unknown>;
}

interface WorkerScope {
  clients: { matchAll(filter: object): Promise<Tab[]>; openWindow(url: string): Promise<unknown> };
  addEventListener(type: "notificationclick", listener: (event: NotificationClick) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(passOn(event));
});

async function passOn({ notification, action }: NotificationClick): Promise<void> {
  const tabs = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const message = { type: "rookery.notification", ...(notification.data as object), action };
  for (const tab of tabs) tab.postMessage(message);
  if (action !== "") return;
  // A browser allows this only for a click by the user.
  await (tabs[0] ? tabs[0].focus() : scope.clients.openWindow("/")).catch(() => undefined);
}
