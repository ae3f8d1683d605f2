import * as z from "zod";
import { describe, expect, test } from "vitest";
import type { Endpoint } from "./endpoint.ts";
import { endpointAreas, endpoints } from "./endpoints.ts";

const all: [string, Endpoint][] = Object.entries(endpoints);

describe("the table of endpoints", () => {
  test("has every endpoint of every area once, without duplicate names", () => {
    const names = Object.values(endpointAreas).flatMap((area) => Object.keys(area));
    expect(names.toSorted()).toEqual(Object.keys(endpoints).toSorted());
    expect(names.length).toBeGreaterThan(70);
  });

  test("has no two endpoints on one route", () => {
    const routes = all.flatMap(([, { method, path, alias }]) =>
      [path, ...(alias ? [alias] : [])].map((one) => `${method} ${one.replace(/:\w+/g, ":")}`),
    );
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  test("requires a token below /api, and nowhere else", () => {
    for (const [name, { path, access }] of all)
      expect([name, access === "open"]).toEqual([name, !path.startsWith("/api/")]);
  });

  test.each(all)(
    "%s is documented in one line and can be described",
    (_name, { summary, query, body, answer }) => {
      expect(summary).toMatch(/^[A-Z][^\n]+\.$/);
      for (const schema of [query, body, answer])
        if (schema instanceof z.ZodType) expect(z.toJSONSchema(schema, { io: "input" })).toBeDefined();
    },
  );
});
