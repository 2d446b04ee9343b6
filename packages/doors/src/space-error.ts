/**
 * Whether a write failed only because the disk is full or a quota is used up: nothing is damaged, and a later write may
 * succeed. Compares the message, because LevelDB's errors carry no code.
 */
export function isSpaceError(error: unknown): boolean {
  return /no space|disk quota|ENOSPC/i.test(String((error as { message?: unknown } | null)?.message));
}
