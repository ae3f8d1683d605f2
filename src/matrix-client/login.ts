import { type MatrixAddress, requestMatrix } from "./request.ts";

export interface MatrixLogin extends MatrixAddress {
  userId: string;
  deviceId: string;
}

export interface Credentials {
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

/** The user that a token belongs to. */
export async function whoAmI(
  address: MatrixAddress,
): Promise<{ userId: string; deviceId: string | undefined }> {
  const answer = await requestMatrix<{ user_id: string; device_id?: string }>(address, {
    method: "GET",
    path: "/v3/account/whoami",
  });
  return { userId: answer.user_id, deviceId: answer.device_id };
}

function readLogin(url: string, answer: LoginAnswer): MatrixLogin {
  const { user_id: userId, access_token: accessToken, device_id: deviceId } = answer;
  return { url, userId, accessToken, deviceId };
}
