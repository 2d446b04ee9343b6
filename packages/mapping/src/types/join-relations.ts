import { errors } from '@shoal/errors';

/** Relations of a `join` field between the documents of an index. */
export interface JoinRelations {
  /** Name of the join field, whose value is the relation of a document. */
  readonly field: string;
  /** Relation of the parents by that of their children. */
  readonly parentOf: ReadonlyMap<string, string>;
  /** Relations of the children by that of their parents. */
  readonly childrenOf: ReadonlyMap<string, readonly string[]>;
  /** Name of the field that holds the id of the parent, in parents of a relation and in their children. */
  idField(parent: string): string;
}

/** Reads relations, children by parent. Throws illegal_argument_exception for a child of two parents. */
export function joinRelations(field: string, given: Readonly<Record<string, readonly string[]>>): JoinRelations {
  const parentOf = new Map<string, string>();
  const childrenOf = new Map<string, readonly string[]>();
  for (const [parent, children] of Object.entries(given)) {
    if (children.length > 0) childrenOf.set(parent, children);
    for (const child of children) {
      if (parentOf.has(child)) throw errors.illegalArgument(`[${child}] cannot have multiple parents`);
      parentOf.set(child, parent);
    }
  }
  return { field, parentOf, childrenOf, idField: (parent) => `${field}#${parent}` };
}

/** Returns why an index cannot go from one set of relations to another, because documents have the old ones. */
export function relationConflicts(
  from: Readonly<Record<string, readonly string[]>>,
  to: Readonly<Record<string, readonly string[]>>,
): string[] {
  const old = joinRelations('', from);
  const next = joinRelations('', to);
  const removed = (kind: string, names: Iterable<string>, kept: { has(name: string): boolean }): string[] =>
    [...names].filter((name) => !kept.has(name)).map((name) => `Cannot remove ${kind} [${name}]`);
  const parents = [...next.childrenOf.keys()].filter(
    (parent) => old.parentOf.has(parent) && !old.childrenOf.has(parent),
  );
  const children = [...next.parentOf].flatMap(([child, parent]) => {
    const before = old.parentOf.get(child);
    if (before === parent) return [];
    const isMoved = before !== undefined;
    return [
      ...(isMoved ? [`Cannot change parent of [${child}]`] : []),
      ...(old.childrenOf.has(child) ? [`Cannot create child [${child}] from an existing root`] : []),
    ];
  });
  return [
    ...removed('parent', old.childrenOf.keys(), next.childrenOf),
    ...removed('child', old.parentOf.keys(), next.parentOf),
    ...parents.map((parent) => `Cannot create parent [${parent}] from an existing child`),
    ...children,
  ];
}
