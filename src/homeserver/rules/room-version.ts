/** The differences between room versions, one flag each, so that the rules read like the specification. */
export interface RoomVersion {
  id: string;
  /** v1, v2: random ids; v3: hash in plain base64; later: URL-safe base64. */
  eventIds: "random" | "base64" | "base64url";
  /** v1–v5: m.room.aliases has an auth rule and survives redaction. */
  hasAliasRule: boolean;
  /** v6: no floats, integers in range; notification levels are protected. */
  isStrict: boolean;
  knock: boolean;
  restricted: boolean;
  /** v9: redaction keeps `join_authorised_via_users_server`. */
  keepsJoinAuthoriser: boolean;
  knockRestricted: boolean;
  /** v10: power levels are integers, not strings of digits. */
  integerLevels: boolean;
  /** v11: `redacts` in the content, no `creator`, redaction algorithm cleaned up. */
  revised: boolean;
  /** v12: the room id is the hash of the create event, which is no longer listed in `auth_events`. */
  hashedRoomIds: boolean;
  /** v12: room creators have unlimited power. */
  privilegedCreators: boolean;
}

function makeVersion(n: number): RoomVersion {
  return {
    id: String(n),
    eventIds: n < 3 ? "random" : n === 3 ? "base64" : "base64url",
    hasAliasRule: n < 6,
    isStrict: n >= 6,
    knock: n >= 7,
    restricted: n >= 8,
    keepsJoinAuthoriser: n >= 9,
    knockRestricted: n >= 10,
    integerLevels: n >= 10,
    revised: n >= 11,
    hashedRoomIds: n >= 12,
    privilegedCreators: n >= 12,
  };
}

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const versions = new Map(numbers.map((n) => [String(n), makeVersion(n)]));

export const defaultRoomVersion = "10";
export const roomVersionIds: readonly string[] = [...versions.keys()];

export function findRoomVersion(id: string): RoomVersion | undefined {
  return versions.get(id);
}
