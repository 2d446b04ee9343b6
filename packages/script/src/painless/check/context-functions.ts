import type { ScriptContext } from '../../contexts/context.js';
import { type Member, Registry } from '../allow/registry.js';
import type { Checker } from './checker.js';

/** A function of the context with its types resolved. */
interface KnownFunction {
  readonly member: Member;
  readonly variables: readonly string[];
  readonly isRandom: boolean;
  readonly namesField: boolean;
}

const TABLES = new WeakMap<ScriptContext, ReadonlyMap<string, KnownFunction>>();

/** Finds a function of the context by name and number of arguments. */
export function contextFunction(name: string, arity: number, checker: Checker): KnownFunction | null {
  const { context } = checker;
  let table = TABLES.get(context);
  if (!table) TABLES.set(context, (table = tableOf(context)));
  return table.get(`${name}/${arity}`) ?? null;
}

function tableOf(context: ScriptContext): ReadonlyMap<string, KnownFunction> {
  const entries = context.functions.map((row): readonly [string, KnownFunction] => {
    const name = /(\S+)\(/.exec(row.signature)![1]!;
    const arity = /\(\)/.test(row.signature) ? 0 : row.signature.split(',').length;
    const statics = { [row.signature]: row.implementation };
    const registry = new Registry([...context.allow, [{ name: 'ContextFunctions', statics }]]);
    const member = registry.static('ContextFunctions', name, arity)!;
    const { variables, isRandom = false, namesField = false } = row;
    return [`${name}/${arity}`, { member, variables, isRandom, namesField }];
  });
  return new Map(entries);
}
