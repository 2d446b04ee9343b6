import { arrayReference, memberReference } from '../../runtime/references.js';
import type { FunctionalMethod } from '../allow/registry.js';
import { syntaxError } from '../syntax-error.js';
import type { Argument } from '../tree.js';
import { elementOf, type Type } from '../types.js';
import type { Checker } from './checker.js';
import type { Typed } from './typed.js';

type ReferenceNode = Extract<Argument, { kind: 'reference' }>;

function notFound(node: ReferenceNode, wanted: Type, method: FunctionalMethod): Error {
  const { owner, name } = node;
  const arity = method.parameters.length;
  return syntaxError(
    node.at,
    `function reference [${owner}::${name}/${arity}] matching [${wanted}, ${method.name}/${arity}] not found`,
  );
}

/**
 * Checks `Owner::name`: a constructor, a static method, a method of the first argument, a method of a variable's value,
 * or a function of the script (`this::name`). Without a known interface the number of arguments decides when it runs.
 */
export function checkReference(node: ReferenceNode, wanted: Type, checker: Checker): Typed {
  const { at, owner, name } = node;
  const method = wanted === 'def' ? null : checker.registry.functional(wanted);
  if (wanted !== 'def' && !method)
    throw syntaxError(
      at,
      `Cannot convert function reference [${owner}::${name}] to [${wanted}], not a functional interface`,
    );
  if (owner === 'this') return ofFunction(node, wanted, method, checker);
  const variable = checker.find(owner);
  if (variable) {
    const target: Typed = { kind: 'local', at, type: variable.type, slot: variable.slot };
    return { kind: 'lambdaOf', at, type: wanted, target, name };
  }
  const type = checker.registry.resolve(owner);
  if (type === null) throw syntaxError(at, `variable [${owner}] is not defined`);
  const element = elementOf(type);
  if (element !== null && name === 'new') return { kind: 'object', at, type: wanted, value: arrayReference(element) };
  const value = memberReference(type, name, method, checker.registry);
  if (value === null)
    throw method ? notFound(node, wanted, method) : syntaxError(at, `function reference [${owner}::${name}] not found`);
  return { kind: 'object', at, type: wanted, value };
}

function ofFunction(node: ReferenceNode, wanted: Type, method: FunctionalMethod | null, checker: Checker): Typed {
  const candidates = [...checker.functions.values()].filter(
    (one) => one.name === node.name && (method === null || one.parameters.length === method.parameters.length),
  );
  const [declared] = candidates;
  if (!declared) throw notFound(node, wanted, method ?? { name: '', parameters: [], result: 'def' });
  return { kind: 'functionOf', at: node.at, type: wanted, place: declared.place, declared };
}
