/**
 * Reads files in the order of `names`, some of them before they are asked for, so that reading, checking and unpacking
 * go on while those before are written. At most `ahead` files wait besides the one that was asked for. `end` waits for
 * the reads that were begun.
 */
export function readAhead<T>(
  names: readonly string[],
  ahead: number,
  read: (name: string) => Promise<T>,
): { read(name: string): Promise<T>; end(): Promise<void> } {
  const begun = new Map<string, Promise<T>>();
  const positions = new Map(names.map((name, position) => [name, position]));
  let next = 0;
  const begin = (name: string): Promise<T> => {
    const reading = read(name);
    // Who asks for the file gets the error.
    reading.catch(() => undefined);
    begun.set(name, reading);
    return reading;
  };
  return {
    read(name) {
      const wanted = begun.get(name) ?? begin(name);
      begun.delete(name);
      next = Math.max(next, (positions.get(name) ?? -1) + 1);
      for (; next < names.length && begun.size < ahead; next++) if (!begun.has(names[next]!)) begin(names[next]!);
      return wanted;
    },
    async end() {
      await Promise.allSettled(begun.values());
    },
  };
}
