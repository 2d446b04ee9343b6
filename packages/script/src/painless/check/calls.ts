import type { Member } from '../allow/registry.js';
import { syntaxError } from '../syntax-error.js';
import type { Argument, Expression } from '../tree.js';
import { boxOf, elementOf, isPrimitive, type Type } from '../types.js';
import { castTo } from './casts.js';
import type { Checker } from './checker.js';
import { contextFunction } from './context-functions.js';
import { checkLambda } from './lambdas.js';
import { beginsWithType, dottedName, namedType } from './members.js';
import { nullSafe } from './null-safe.js';
import { checkReference } from './references.js';
import type { Typed } from './typed.js';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** Methods whose results are not the same for the same document. */
const RANDOM = /^(?:java\.lang\.(?:System|Math random)|java\.util\.(?:Random|UUID randomUUID|Date \(\)))/;

/** Checks one argument against the type of its parameter. */
export function checkArgument(node: Argument, type: Type, checker: Checker): Typed {
  if (node.kind === 'lambda') return checkLambda(node, type, checker);
  if (node.kind === 'reference') return checkReference(node, type, checker);
  return checker.checkAs(node, type, { isInternal: true });
}

function callOf(at: number, member: Member, target: Typed | null, args: readonly Argument[], checker: Checker): Typed {
  if (RANDOM.test(`${member.owner} ${member.name}`)) checker.noteRandom();
  return {
    kind: 'call',
    at,
    type: member.result,
    member,
    target,
    args: args.map((node, i) => checkArgument(node, member.parameters[i]!, checker)),
  };
}

/** Checks a call without an object: of a function that the script declares, or of one of its context. */
export function checkCall(node: Of<'call'>, checker: Checker): Typed {
  const { at, name, args } = node;
  const declared = checker.functions.get(`${name}/${args.length}`);
  if (declared) {
    const checked = args.map((arg, i) => checkArgument(arg, declared.parameters[i]!, checker));
    return { kind: 'functionCall', at, type: declared.result, place: declared.place, args: checked };
  }
  if (name === '$' && args.length === 2 && contextFunction('field', 1, checker)) return checkDollar(node, checker);
  const known = contextFunction(name, args.length, checker);
  if (!known || known.variables.some((variable) => !checker.find(variable)))
    throw syntaxError(at, `Unknown call [${name}] with [${args.length === 0 ? '[]' : args.length}] arguments.`);
  if (known.isRandom) checker.noteRandom();
  if (known.namesField && args[0]?.kind === 'text') checker.noteField(args[0].value);
  const given = known.variables.map((variable): Typed => {
    const { type, slot } = checker.find(variable)!;
    return { kind: 'local', at, type, slot };
  });
  const rest = args.map((arg, i) => checkArgument(arg, known.member.parameters[i]!, checker));
  return { kind: 'call', at, type: known.member.result, member: known.member, target: null, args: [...given, ...rest] };
}

/** Checks `$(name, default)`: `field(name).get(default)`. */
function checkDollar({ at, args: [name, fallback] }: Of<'call'>, checker: Checker): Typed {
  const target: Of<'call'> = { kind: 'call', at, name: 'field', args: [name!] };
  return checkMethod({ kind: 'method', at, target, name: 'get', args: [fallback!], isNullSafe: false }, checker);
}

export function checkMethod(node: Of<'method'>, checker: Checker): Typed {
  const type = namedType(node.target, checker);
  if (type !== null) {
    const member = checker.registry.static(type, node.name, node.args.length);
    if (!member) throw syntaxError(node.at, `static method [${type}, ${node.name}/${node.args.length}] not found`);
    return callOf(node.at, member, null, node.args, checker);
  }
  refuseUnknownClass(node, checker);
  const target = checker.check(node.target);
  return node.isNullSafe
    ? nullSafe(node.at, target, checker, (value) => methodOf(node, value, checker))
    : methodOf(node, target, checker);
}

function refuseUnknownClass(node: Of<'method'>, checker: Checker): void {
  const name = dottedName(node.target);
  if (name === null || checker.find(name.split('.', 1)[0]!) || beginsWithType(node.target, checker)) return;
  throw syntaxError(node.at, `cannot resolve symbol [${name}]`);
}

function methodOf(node: Of<'method'>, target: Typed, checker: Checker): Typed {
  const { at, name, args } = node;
  const { type } = target;
  if (type === 'def') {
    noteContained(node, checker);
    const checked = args.map((arg) => checkArgument(arg, 'def', checker));
    return { kind: 'defCall', at, type: 'def', name, target, args: checked };
  }
  const member = elementOf(type) === null ? checker.registry.method(boxOf(type), name, args.length) : null;
  if (!member) throw syntaxError(at, `member method [${type}, ${name}/${args.length}] not found`);
  if (target.kind === 'local') noteContained(node, checker);
  const object = isPrimitive(type) ? castTo(target, boxOf(type), checker, { isInternal: true }) : target;
  return callOf(at, member, object, args, checker);
}

/** Notes the field of `doc.get('f')` and `doc.containsKey('f')`. */
function noteContained(node: Of<'method'>, checker: Checker): void {
  const [first] = node.args;
  if (node.target.kind === 'name' && node.target.name === 'doc' && first?.kind === 'text')
    checker.noteField(first.value);
}

export function checkNew(node: Of<'new'>, checker: Checker): Typed {
  const type = checker.type({ ...node.type, at: node.at }, (name) => `Not a type [${name}].`);
  const member = checker.registry.constructorOf(type, node.args.length);
  if (!member) throw syntaxError(node.at, `constructor [${type}, <init>/${node.args.length}] not found`);
  return { ...callOf(node.at, member, null, node.args, checker), type };
}
