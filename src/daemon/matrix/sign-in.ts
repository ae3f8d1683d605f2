import { logIn, type MatrixLogin, whoAmI } from "../../matrix-client/login.ts";
import { MatrixError } from "../../matrix-client/request.ts";
import type { Environment } from "../../config/environment.ts";
import { readSecrets } from "../../config/secrets.ts";
import { AppError } from "../../shared/errors.ts";

const deviceId = "ROOKERY";

/**
 * Signs in on another homeserver with the user's credentials: a token (ROOKERY_MATRIX_TOKEN first), or user and
 * password.
 */
export async function signInOutside(
  url: string,
  secretsFile: string,
  environment: Environment,
): Promise<MatrixLogin> {
  const { accessToken: stored, user, password } = readSecrets(secretsFile).matrix;
  const accessToken = environment.ROOKERY_MATRIX_TOKEN || stored;
  try {
    if (accessToken) {
      const { userId, deviceId: device = deviceId } = await whoAmI({ url, accessToken });
      return { url, accessToken, userId, deviceId: device };
    }
    if (user && password) return await logIn(url, { user, password, deviceId });
  } catch (error) {
    const isRefused = error instanceof MatrixError && error.retryAfterMs === undefined;
    if (!isRefused) throw error;
    throw new AppError("matrix_refused", `${url} does not let us in: ${error.message}`, { cause: error });
  }
  throw new AppError("matrix_refused", `There is neither a token nor a password for ${url}.`);
}
