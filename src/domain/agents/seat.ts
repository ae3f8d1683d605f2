/** Corvids first, as in a rookery. The seat determines the bird, so names are stable per seat. */
const birds = [
  "rook",
  "jay",
  "magpie",
  "jackdaw",
  "raven",
  "crow",
  "chough",
  "nutcracker",
  "treepie",
  "wren",
  "robin",
  "finch",
  "heron",
  "swift",
  "plover",
  "lapwing",
  "siskin",
  "dunlin",
  "avocet",
  "curlew",
  "kestrel",
  "merlin",
  "osprey",
  "tern",
];

/** `api-jay`: the project's name and the bird of the seat; a valid Matrix localpart and easy to pronounce. */
export function nameAgent(projectName: string, seat: number, isTaken: (name: string) => boolean): string {
  const slug = slugify(projectName);
  const round = Math.floor(seat / birds.length);
  const base = `${slug}-${birds[seat % birds.length]}${round === 0 ? "" : `-${round + 1}`}`;
  // Two projects may share a folder name; agents of the second get a number.
  let name = base;
  for (let n = 2; isTaken(name); n++) name = `${base}.${n}`;
  return name;
}

function slugify(text: string): string {
  const slug = text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return slug || "project";
}

/** The lowest free seat. */
export function lowestFreeSeat(occupied: ReadonlySet<number>): number {
  let seat = 0;
  while (occupied.has(seat)) seat++;
  return seat;
}
