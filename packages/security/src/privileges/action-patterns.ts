import { matchesWildcard } from '@shoal/values';

/** A set of action names: patterns, in which `*` matches any characters, minus exceptions. */
export interface ActionPatterns {
  readonly grants: readonly string[];
  /** Patterns of actions that are left out of `grants`. */
  readonly except: readonly string[];
}

/** The set of actions that the patterns match. */
export function actions(...grants: readonly string[]): ActionPatterns {
  return { grants, except: [] };
}

const matchesSome = (patterns: readonly string[], action: string): boolean =>
  patterns.some((pattern) => matchesWildcard(pattern, action));

/** Whether the set contains an action. */
export function grantsAction({ grants, except }: ActionPatterns, action: string): boolean {
  return matchesSome(grants, action) && !matchesSome(except, action);
}

/**
 * Whether `outer` contains every action of `inner`. Patterns are compared as texts, a `*` matching a `*`, so the result
 * may be false by mistake, never true.
 */
export function covers(outer: ActionPatterns, inner: ActionPatterns): boolean {
  return inner.grants.every((pattern) => matchesSome(outer.grants, pattern) && !excludes(outer, inner, pattern));
}

/** Whether several sets together contain every action of `inner`; may be false by mistake, never true. */
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
 * Names of privileges from least to most powerful: the more other privileges contain a privilege, the earlier it comes.
 */
export function byAccessLevel(table: ReadonlyMap<string, ActionPatterns>): readonly string[] {
  const names = [...table.keys()];
  const holders = new Map(
    names.map((name) => [name, names.filter((other) => covers(table.get(other)!, table.get(name)!)).length]),
  );
  return names.sort((a, b) => holders.get(b)! - holders.get(a)! || (a < b ? -1 : 1));
}
