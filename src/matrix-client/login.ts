import { type MatrixAddress, requestMatrix } from "./request.ts";

export interface MatrixLogin extends MatrixAddress {
  userId: string;
  deviceId: string;
}

export interface Credentials {
  user: string;
  password: string;
  /** The same device again: what it sent before is known by its keys. */
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

/** Makes an account where the server lets anybody in, as one that we run ourselves does. */
export async function register(url: string, { user, password, deviceId }: Credentials): Promise<MatrixLogin> {
  const body = { username: user, password, device_id: deviceId, auth: { type: "m.login.dummy" } };
  return readLogin(url, await requestMatrix({ url }, { method: "POST", path: "/v3/register", body }));
}

/** Whose token it is. */
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
