import { describe, expect, test } from "vitest";
import { coversPath, findConflicts, findHolder, type Lease, maxLeaseMs, mayOverlap } from "./lease.ts";

const now = 1_000;
const lease = (more: Partial<Lease> = {}): Lease => ({
  id: "l",
  projectId: "p",
  holder: "jay",
  globs: ["src/api/**"],
  isExclusive: true,
  expiresAt: now + 1,
  fence: 1,
  taskId: null,
  ...more,
});
const wish = { projectId: "p", holder: "rook", globs: ["src/api/users.ts"], isExclusive: true };

describe("patterns", () => {
  test.each([
    ["src/a.ts", "src/a.ts", true],
    ["src/a.ts", "src/b.ts", false],
    ["src/**", "src/deep/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/**", "src/deep/*.ts", true],
    ["src/**", "test/**", false],
    ["**/*.ts", "src/**", true],
    ["**/*.ts", "src/*.css", false],
    ["**/*.test.ts", "src/**/*.ts", true],
    ["srcs/**", "src/**", false],
    ["**", "README.md", true],
    [".github/**", "**/*.yml", true],
    ["src/{a,b}.ts", "src/a.ts", true],
    ["src/{a,b}.ts", "src/c.ts", false],
    ["app/(shop)/**", "app/(shop)/page.tsx", true],
    ["app/(shop)/**", "app/(admin)/page.tsx", false],
    ["!src/a.ts", "src/b.ts", false],
  ])("%s and %s may match the same file: %s", (left, right, expected) => {
    expect(mayOverlap(left, right)).toBe(expected);
    expect(mayOverlap(right, left)).toBe(expected);
  });
});

describe("a pattern that would take exponential time", () => {
  const name = "a".repeat(60);

  test.each([
    ["(a|aa)+z", false],
    ["+(a|aa)z", false],
    [`${"{a,aa}".repeat(40)}z`, false],
    ["{1..9999}{1..9999}", false],
    ["[(a+)+]z", false],
    [`${"***?".repeat(40)}z`, true],
    [`${"*a".repeat(40)}z`, true],
    [`${"**/".repeat(40)}z`, true],
  ])("%s is literal, or covers everything", (glob, isCovered) => {
    expect(coversPath(name, { globs: [glob] })).toBe(isCovered);
    expect(mayOverlap(glob, name)).toBe(isCovered);
  });
});

describe("a request", () => {
  test.each([
    ["conflicts with an exclusive lease on the same file", lease(), wish, 1],
    ["does not conflict with an expired lease", lease({ expiresAt: now }), wish, 0],
    ["does not conflict with a lease of another project", lease({ projectId: "q" }), wish, 0],
    ["does not conflict with itself", lease({ holder: "rook" }), wish, 0],
    [
      "for a shared lease does not conflict with a shared one",
      lease({ isExclusive: false }),
      { ...wish, isExclusive: false },
      0,
    ],
    ["for an exclusive lease conflicts with a shared one", lease({ isExclusive: false }), wish, 1],
    ["for a shared lease conflicts with an exclusive one", lease(), { ...wish, isExclusive: false }, 1],
    ["for other files does not conflict", lease(), { ...wish, globs: ["docs/**"] }, 0],
  ])("%s", (_what, held, wanted, conflicts) => {
    expect(findConflicts(wanted, [held], now)).toHaveLength(conflicts);
  });
});

describe("an edit", () => {
  test.each([
    ["of a leased file", "src/api/users.ts", "rook", lease(), true],
    ["of a hidden one", "src/api/.eslintrc", "rook", lease(), true],
    ["by the holder", "src/api/users.ts", "jay", lease(), false],
    ["elsewhere", "src/web/users.ts", "rook", lease(), false],
    ["under a shared lease", "src/api/users.ts", "rook", lease({ isExclusive: false }), false],
    ["after it expired", "src/api/users.ts", "rook", lease({ expiresAt: now }), false],
    [
      "after the clock was set back",
      "src/api/users.ts",
      "rook",
      lease({ expiresAt: now + 2 * maxLeaseMs }),
      false,
    ],
  ])("%s conflicts with another's lease: %s", (_what, path, editor, held, meets) => {
    expect(findHolder(path, "p", editor, [held], now) !== undefined).toBe(meets);
  });
});
