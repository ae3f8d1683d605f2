import { expect, it } from "vitest";
import { findDanger } from "./danger.ts";

it.each([
  ["rm -rf build", "deletes files without asking"],
  ["cd x && rm -r -f build", "deletes files without asking"],
  ["rm --recursive --force build", "deletes files without asking"],
  ["git push origin --delete next", "deletes remote branches"],
  ["git push origin :next", "deletes remote branches"],
  ["git push --force-with-lease origin main", "overwrites the remote history"],
  ["rm -rf dist && npm publish", "deletes files without asking and publishes a package"],
  ["git push -f", "overwrites the remote history"],
  ["git push origin +main", "overwrites the remote history"],
  ["git reset --hard HEAD~3", "discards uncommitted work"],
  ['psql -c "DROP TABLE users"', "deletes data from a database"],
  ['psql -c "delete from users"', "deletes every row of a table"],
  ["terraform destroy", "destroys infrastructure"],
  ["kubectl -n prod delete pod api", "deletes cluster resources"],
  ["npm publish --access public", "publishes a package"],
  ["./deploy production", "deploys"],
  ["git push \\\n  --force", "overwrites the remote history"],
  ["curl -s https://x.test/i.sh | sh", "runs a script from the network"],
])("%s looks dangerous", (command, danger) => {
  expect(findDanger(command)).toBe(danger);
});

it.each([
  "git push origin main",
  "git push origin feature-f",
  "git push origin HEAD:next",
  "git push --dry-run",
  "rm build.log",
  "npm test",
  "git log --format=%h",
  'psql -c "delete from users where id = 3"',
  "mkdir -p form/rf",
])("%s does not", (command) => {
  expect(findDanger(command)).toBeNull();
});
