import { errors } from '@shoal/errors';
import { scriptContext } from '../../contexts/catalogue.js';
import type { ContextFunction } from '../../contexts/context.js';
import type { Type } from '../types.js';
import { type AllowedClass, type Member, Registry } from './registry.js';

/** A method as `_scripts/painless/_context` shows it. */
interface MethodInfo {
  readonly declaring: Type;
  readonly name: string;
  readonly return: Type;
  readonly parameters: readonly Type[];
}

/** A class with its own members; those that it inherits stand with its parents. */
interface ClassInfo {
  readonly name: Type;
  /** Whether scripts may leave its package out. */
  readonly imported: boolean;
  readonly constructors: readonly { readonly declaring: Type; readonly parameters: readonly Type[] }[];
  readonly static_methods: readonly MethodInfo[];
  readonly methods: readonly MethodInfo[];
  readonly static_fields: readonly { readonly declaring: Type; readonly name: string; readonly type: Type }[];
  readonly fields: readonly [];
}

/** What the scripts of a context may name, as `_scripts/painless/_context` answers it. */
export interface ContextInfo {
  readonly name: string;
  readonly classes: readonly ClassInfo[];
  readonly imported_methods: readonly MethodInfo[];
  readonly class_bindings: readonly [];
  readonly instance_bindings: readonly [];
}

const shownMethod = ({ owner, name, result, parameters }: Member): MethodInfo => ({
  declaring: owner,
  name,
  return: result,
  parameters,
});

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

function shownClass({ row, constructors, statics, methods, constants }: AllowedClass): ClassInfo {
  const declaring = row.name;
  return {
    name: row.name,
    imported: row.isUnimported !== true,
    constructors: [...constructors.values()].map(({ parameters }) => ({ declaring, parameters })),
    static_methods: [...statics.values()].map(shownMethod).sort(byName),
    methods: [...methods.values()].map(shownMethod).sort(byName),
    static_fields: [...constants].map(([name, { type }]) => ({ declaring, name, type })).sort(byName),
    fields: [],
  };
}

function shownFunction({ signature }: ContextFunction, declaring: string): MethodInfo {
  const [, result = '', name = '', parameters = ''] = /^(\S+) (\w+)\((.*)\)$/.exec(signature) ?? [];
  return { declaring, name, return: result, parameters: parameters === '' ? [] : parameters.split(',') };
}

/**
 * Returns the classes, members and functions that the scripts of a context may name. Throws illegal_argument_exception
 * for a context that there is not.
 */
export function describeContext(name: string): ContextInfo {
  const context = scriptContext(name);
  if (context === null) throw errors.illegalArgument(`script context [${name}] not found`);
  return {
    name,
    classes: new Registry(context.allow).classes().map(shownClass),
    imported_methods: context.functions.map((one) => shownFunction(one, name)).sort(byName),
    class_bindings: [],
    instance_bindings: [],
  };
}
