import { expect, test } from "vitest";
import { openConsents } from "./consents.ts";

test("a secret is valid where it was issued, and only there", () => {
  const consents = openConsents();
  const secret = consents.issue();
  expect(consents.isValid(secret)).toBe(true);
  expect(consents.isValid(secret.slice(1))).toBe(false);
  expect(consents.isValid("")).toBe(false);
  expect(openConsents().isValid(secret)).toBe(false);
});

test("the oldest of 65 secrets is no longer valid", () => {
  const consents = openConsents();
  const secrets = Array.from({ length: 65 }, () => consents.issue());
  expect(secrets.filter((secret) => !consents.isValid(secret))).toEqual([secrets[0]]);
});
