import { render } from "preact";
import { redeemCodeInAddress, signInRemembered, token } from "./data/access.ts";
import { startClock } from "./data/clock.ts";
import { startDeleting } from "./data/deleting.ts";
import { startKeys } from "./data/keys.ts";
import { startLive } from "./data/live.ts";
import { startMail } from "./data/mail.ts";
import { startNotifications } from "./data/notifications.ts";
import { startPresence } from "./data/presence.ts";
import { startQuestions } from "./data/questions.ts";
import { type Page, route, startRouting } from "./data/route.ts";
import { startTheme } from "./data/theme.ts";
import { Blame } from "./pages/blame.tsx";
import { Health } from "./pages/health.tsx";
import { Memory } from "./pages/memory.tsx";
import { Questions } from "./pages/questions.tsx";
import { Rooms } from "./pages/rooms.tsx";
import { Sessions } from "./pages/sessions.tsx";
import { Settings } from "./pages/settings.tsx";
import { Today } from "./pages/today.tsx";
import { Help } from "./parts/help.tsx";
import { Locked } from "./parts/locked.tsx";
import { Palette } from "./parts/palette.tsx";
import { Shell } from "./parts/shell.tsx";
import { ToastRack } from "./parts/toast-rack.tsx";
// oxlint-disable-next-line no-unassigned-import
import "./styles/viewer.css";

const views: Record<Page, () => preact.JSX.Element> = {
  today: Today,
  memory: Memory,
  sessions: Sessions,
  questions: Questions,
  rooms: Rooms,
  blame: Blame,
  health: Health,
  settings: Settings,
};

function App() {
  if (token.value === null) return <Locked />;
  const View = views[route.value.page];
  return (
    <>
      <Shell>
        <View />
      </Shell>
      <ToastRack />
      <Help />
      <Palette />
    </>
  );
}

startTheme();
await redeemCodeInAddress();
await signInRemembered();
startRouting();
startClock();
startKeys();
startDeleting();
startLive();
startQuestions();
startMail();
startPresence();
startNotifications();
addEventListener("hashchange", () => void redeemCodeInAddress());
render(<App />, document.querySelector("#app") as HTMLElement);
