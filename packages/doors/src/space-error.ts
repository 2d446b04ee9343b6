/**
 * Whether an effect failed only because the disk is full or a quota is used up: that passes, nothing is damaged.
 * LevelDB and the file system say so in the message alone.
 */
export function isSpaceError(error: unknown): boolean {
  return /no space|disk quota|ENOSPC/i.test(String((error as { message?: unknown } | null)?.message));
}
