import { matchesWildcard } from '@shoal/state';

/** Names of actions, in which `*` stands for any characters, less some others. */
export interface ActionPatterns {
  readonly grants: readonly string[];
  /** Actions that the patterns match and that are left out. */
  readonly except: readonly string[];
}

/** Actions that `grants` match. */
export function actions(...grants: readonly string[]): ActionPatterns {
  return { grants, except: [] };
}

const matchesSome = (patterns: readonly string[], action: string): boolean =>
  patterns.some((pattern) => matchesWildcard(pattern, action));

export function grantsAction({ grants, except }: ActionPatterns, action: string): boolean {
  return matchesSome(grants, action) && !matchesSome(except, action);
}

/**
 * Whether every action of one set is in the other; patterns are compared as text, a star matching a star. Errs to
 * false.
 */
export function covers(outer: ActionPatterns, inner: ActionPatterns): boolean {
  return inner.grants.every((pattern) => matchesSome(outer.grants, pattern) && !excludes(outer, inner, pattern));
}

/** Whether several sets of actions together hold another one; errs to false. */
export function coversTogether(outers: readonly ActionPatterns[], inner: ActionPatterns): boolean {
  return inner.grants.every((pattern) =>
    outers.some((outer) => covers(outer, { grants: [pattern], except: inner.except })),
  );
}

function excludes(outer: ActionPatterns, inner: ActionPatterns, pattern: string): boolean {
  return outer.except.some(
    (left) => !matchesSome(inner.except, left) && (matchesWildcard(pattern, left) || matchesWildcard(left, pattern)),
  );
}

/**
 * Names of privileges from those that grant least to those that grant most: the more of the others hold all of one, the
 * earlier it comes.
 */
export function byAccessLevel(table: ReadonlyMap<string, ActionPatterns>): readonly string[] {
  const names = [...table.keys()];
  const holders = new Map(
    names.map((name) => [name, names.filter((other) => covers(table.get(other)!, table.get(name)!)).length]),
  );
  return names.sort((a, b) => holders.get(b)! - holders.get(a)! || (a < b ? -1 : 1));
}
