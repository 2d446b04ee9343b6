import type { FunctionalMethod, Member, Registry } from '../painless/allow/registry.js';
import { newArray } from './access.js';
import { invoke } from './dispatch.js';
import { illegalArgument } from './thrown.js';
import type { Value } from './values.js';

type Lambda = (...args: Value[]) => Value;

/** Returns `int[]::new` as a lambda. */
export function arrayReference(element: string): Lambda {
  return (size) => newArray(element, [Number(size)]);
}

function invoker(member: Member, registry: Registry): Lambda {
  return (...args) => invoke(member, registry, [], args);
}

/** Finds what `Type::name` means for some arguments: a constructor, a static method, a method of the first one. */
function find(type: string, name: string, arity: number, registry: Registry): Lambda | null {
  if (name === 'new') {
    const constructor = registry.constructorOf(type, arity);
    return constructor ? invoker({ ...constructor, result: 'def' }, registry) : null;
  }
  const fixed = registry.static(type, name, arity);
  if (fixed) return invoker(fixed, registry);
  const method = arity > 0 ? registry.method(type, name, arity - 1) : null;
  if (!method) return null;
  return (target, ...args) => invoke(method, registry, [target], args);
}

/**
 * Returns `Type::name` as a lambda; null if there is no such member. Where the interface is known only when the script
 * runs, the number of arguments of each call decides.
 */
export function memberReference(
  type: string,
  name: string,
  method: FunctionalMethod | null,
  registry: Registry,
): Lambda | null {
  if (method) return find(type, name, method.parameters.length, registry);
  return (...args) => {
    const found = find(type, name, args.length, registry);
    if (!found) throw illegalArgument(`function reference [${type}::${name}/${args.length}] not found`);
    return found(...args);
  };
}
