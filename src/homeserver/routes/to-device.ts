import { objectEntries } from "../fields.ts";
import { param } from "../reading.ts";
import { route } from "../route.ts";

export const toDeviceRoutes = [
  route(
    "PUT /_matrix/client/v3/sendToDevice/{eventType}/{txnId}",
    { errors: ["M_MISSING_PARAM", "M_BAD_JSON", "M_TOO_LARGE"] },
    (call, { toDevice }) => {
      const messages = objectEntries(call.body, "messages");
      toDevice.send(call.session, param(call, "eventType"), param(call, "txnId"), messages);
      return {};
    },
  ),
];
