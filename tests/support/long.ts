/** True with `npm test -- --long`. Other runs leave out tests of rare cases and variants of a quicker test. */
export const isLong = process.env.ROOKERY_LONG_TESTS !== undefined;

/** All rows with `--long`, otherwise the first ones. */
export function someRows<const T>(rows: readonly T[], count = 1): readonly T[] {
  return isLong ? rows : rows.slice(0, count);
}
