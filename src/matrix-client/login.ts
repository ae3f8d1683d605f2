import { AppError } from "../shared/errors.ts";
import { type MatrixAddress, MatrixError, requestMatrix } from "./request.ts";

export interface MatrixLogin extends MatrixAddress {
  userId: string;
  deviceId: string;
}

interface Credentials {
  user: string;
  password: string;
  /** Reusing the device lets the server recognise transaction ids of earlier sends. */
  deviceId: string;
}

interface LoginAnswer {
  user_id: string;
  access_token: string;
  device_id: string;
}

export async function logIn(url: string, { user, password, deviceId }: Credentials): Promise<MatrixLogin> {
  const body = {
    type: "m.login.password",
    identifier: { type: "m.id.user", user },
    password,
    device_id: deviceId,
    initial_device_display_name: "Rookery",
  };
  return readLogin(url, await requestMatrix({ url }, { method: "POST", path: "/v3/login", body }));
}

/** Creates an account on a server with open registration, such as one that we run ourselves. */
export async function register(url: string, { user, password, deviceId }: Credentials): Promise<MatrixLogin> {
  const body = { username: user, password, device_id: deviceId, auth: { type: "m.login.dummy" } };
  return readLogin(url, await requestMatrix({ url }, { method: "POST", path: "/v3/register", body }));
}

/** Creates a user of an application service unless there is one. Returns whether it is new. */
export async function ensureServiceUser(service: MatrixAddress, username: string): Promise<boolean> {
  const body = { type: "m.login.application_service", username, inhibit_login: true };
  try {
    await requestMatrix(service, { method: "POST", path: "/v3/register", body });
    return true;
  } catch (error) {
    if (error instanceof MatrixError && error.code === "M_USER_IN_USE") return false;
    throw error;
  }
}

/** The user that a token belongs to. */
async function whoAmI(address: MatrixAddress): Promise<{ userId: string; deviceId: string | undefined }> {
  const answer = await requestMatrix<{ user_id: string; device_id?: string }>(address, {
    method: "GET",
    path: "/v3/account/whoami",
  });
  return { userId: answer.user_id, deviceId: answer.device_id };
}

interface SignInOptions {
  accessToken: string | undefined;
  user: string | undefined;
  password: string | undefined;
  deviceId: string;
}

/** Signs in with a token, or with user and password. Throws `matrix_refused` if the homeserver does not accept them. */
export async function signIn(
  url: string,
  { accessToken, user, password, deviceId }: SignInOptions,
): Promise<MatrixLogin> {
  try {
    if (accessToken) {
      const { userId, deviceId: device = deviceId } = await whoAmI({ url, accessToken });
      return { url, accessToken, userId, deviceId: device };
    }
    if (user && password) return await logIn(url, { user, password, deviceId });
  } catch (error) {
    const isRefused = error instanceof MatrixError && error.retryAfterMs === undefined;
    if (!isRefused) throw error;
    throw new AppError("matrix_refused", `${url} refused the login: ${error.message}`, { cause: error });
  }
  throw new AppError("matrix_refused", `No token or password is configured for ${url}.`);
}

/** Checks credentials without touching the device of a running daemon. Throws `AppError`. */
export async function checkSignIn(
  url: string,
  credentials: Omit<SignInOptions, "deviceId"> & { isService?: boolean },
): Promise<{ userId: string }> {
  try {
    const login = await signIn(url, { ...credentials, deviceId: "ROOKERY-CHECK" });
    if (credentials.isService) await ensureServiceUser(login, localpartOf(login.userId));
    if (!credentials.accessToken)
      await requestMatrix(login, { method: "POST", path: "/v3/logout", body: {} });
    return { userId: login.userId };
  } catch (error) {
    if (!(error instanceof MatrixError)) throw error;
    if (credentials.isService && error.retryAfterMs === undefined)
      throw new AppError(
        "matrix_refused",
        `${url} has no application service with this token: ${error.message}`,
        {
          cause: error,
        },
      );
    throw new AppError("homeserver_unavailable", `${url} cannot be used: ${error.message}`, { cause: error });
  }
}

function localpartOf(userId: string): string {
  return userId.slice(1, userId.indexOf(":"));
}

function readLogin(url: string, answer: LoginAnswer): MatrixLogin {
  const { user_id: userId, access_token: accessToken, device_id: deviceId } = answer;
  return { url, userId, accessToken, deviceId };
}
