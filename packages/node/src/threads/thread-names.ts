const names = new Map<string, string>();

/** Names a thread of this process by the number that the system gave it, until the returned function is called. */
export function nameThread(id: string, name: string): () => void {
  names.set(id, name);
  return () => void (names.get(id) === name && names.delete(id));
}

/** Returns the name of a thread of this process; undefined if it has none. */
export const threadName = (id: string): string | undefined => names.get(id);
