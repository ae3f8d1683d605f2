import type { Route } from "./route.ts";
import { accountDataRoutes } from "./routes/account-data.ts";
import { accountRoutes } from "./routes/account.ts";
import { crossSigningRoutes } from "./routes/cross-signing.ts";
import { deviceRoutes } from "./routes/devices.ts";
import { directoryRoutes } from "./routes/directory.ts";
import { eventRoutes } from "./routes/events.ts";
import { historyRoutes } from "./routes/history.ts";
import { initialSyncRoutes } from "./routes/initial-sync.ts";
import { keyBackupRoutes } from "./routes/key-backup.ts";
import { keyRoutes } from "./routes/keys.ts";
import { loginRoutes } from "./routes/login.ts";
import { mediaRoutes } from "./routes/media.ts";
import { membershipRoutes } from "./routes/membership.ts";
import { presenceRoutes } from "./routes/presence.ts";
import { profileRoutes } from "./routes/profile.ts";
import { pushRoutes } from "./routes/push.ts";
import { receiptRoutes } from "./routes/receipts.ts";
import { registerRoutes } from "./routes/register.ts";
import { relationRoutes } from "./routes/relations.ts";
import { reportRoutes } from "./routes/reports.ts";
import { roomRoutes } from "./routes/rooms.ts";
import { searchRoutes } from "./routes/search.ts";
import { sendRoutes } from "./routes/send.ts";
import { slidingSyncRoutes } from "./routes/sliding-sync.ts";
import { spaceRoutes } from "./routes/spaces.ts";
import { stateRoutes } from "./routes/state.ts";
import { syncRoutes } from "./routes/sync.ts";
import { userRoutes } from "./routes/users.ts";
import { versionRoutes } from "./routes/versions.ts";

/** The table of contents of the API. docs/matrix.md is generated from it. */
export const routes: readonly Route[] = [
  ...versionRoutes,
  ...loginRoutes,
  ...registerRoutes,
  ...accountRoutes,
  ...deviceRoutes,
  ...profileRoutes,
  ...presenceRoutes,
  ...accountDataRoutes,
  ...pushRoutes,
  ...syncRoutes,
  ...slidingSyncRoutes,
  ...eventRoutes,
  ...roomRoutes,
  ...membershipRoutes,
  ...stateRoutes,
  ...sendRoutes,
  ...receiptRoutes,
  ...historyRoutes,
  ...initialSyncRoutes,
  ...relationRoutes,
  ...spaceRoutes,
  ...directoryRoutes,
  ...userRoutes,
  ...searchRoutes,
  ...mediaRoutes,
  ...keyRoutes,
  ...crossSigningRoutes,
  ...keyBackupRoutes,
  ...reportRoutes,
];
