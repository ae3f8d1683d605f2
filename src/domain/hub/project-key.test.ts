import { expect, it } from "vitest";
import { normaliseRemote } from "./project-key.ts";

it.each([
  ["git@github.com:Acme/Api.git", "github.com/acme/api"],
  ["https://github.com/acme/api.git", "github.com/acme/api"],
  ["https://user:token@GitHub.com/acme/api/", "github.com/acme/api"],
  ["ssh://git@git.example.org:2222/team/api", "git.example.org/team/api"],
  ["git.example.org:team/api.git", "git.example.org/team/api"],
  ["/srv/git/api.git", undefined],
  ["../api", undefined],
  ["file:///srv/git/api.git", undefined],
  ["C:\\code\\api", undefined],
])("normalises %s", (remote, key) => {
  expect(normaliseRemote(remote)).toBe(key);
});
