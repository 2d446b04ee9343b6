import { addSite } from '../../runtime/dispatch.js';
import type { Typed } from '../check/typed.js';
import { mark } from './code.js';
import type { Emitter } from './emitter.js';
import { emit } from './expressions.js';

type Of<K extends Typed['kind']> = Extract<Typed, { kind: K }>;

/** Whether a value may be worked out twice, and before the member that it is added to is read. */
function isPure(node: Typed): boolean {
  switch (node.kind) {
    case 'cell':
    case 'constant':
    case 'local':
      return true;
    case 'math':
      return node.operand === 'double' && isPure(node.left) && isPure(node.right);
    case 'cast':
      return node.operand.type === 'double' && isPure(node.operand);
    default:
      return false;
  }
}

/** The double that a statement `target.name += value` adds; null for any other value. */
function addend(value: Typed): Of<'cast'> | null {
  if (value.kind !== 'math' || value.op !== '+' || value.operand !== 'def') return null;
  const { left, right } = value;
  const isOne = left.kind === 'getMember' && right.kind === 'cast' && right.operand.type === 'double' && isPure(right);
  return isOne ? right : null;
}

/**
 * Writes a statement that adds a double to a member of `def`: at once where the member is a Double of a state, which
 * saves to box it for each document, else as any other. Null for other statements.
 */
export function emitAddition(emitter: Emitter, node: Typed): string | null {
  if (node.kind !== 'sequence') return null;
  const [object, set, more] = node.steps;
  if (object?.kind !== 'setTemp' || set?.kind !== 'setMember' || more !== undefined) return null;
  const added = addend(set.value);
  if (added === null) return null;
  const site = emitter.constant(addSite(set.name));
  const quick = `${mark(set.at)}${site}(${emit(emitter, set.target)},${emit(emitter, added.operand)})`;
  return `(${emit(emitter, object)},(${quick}||${emit(emitter, set)}))`;
}
