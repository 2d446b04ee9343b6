/** The partial results of the shards that had something to say. */
export function present<P>(partials: readonly (P | null)[]): P[] {
  return partials.filter((partial): partial is P & NonNullable<P> => partial !== null);
}
