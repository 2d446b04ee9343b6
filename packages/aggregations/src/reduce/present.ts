/** Returns the partial results that are not null. */
export function present<P>(partials: readonly (P | null)[]): P[] {
  return partials.filter((partial): partial is P & NonNullable<P> => partial !== null);
}
