import { elementOf, isPrimitive, OBJECT, type Type } from '../types.js';
import type { AllowTable, ClassRow, Implementation } from './class-row.js';

/** A member that scripts may call. */
export interface Member {
  readonly owner: Type;
  readonly name: string;
  readonly parameters: readonly Type[];
  readonly result: Type;
  readonly implementation: Implementation;
}

/** The method of a functional interface, which a lambda implements. */
export interface FunctionalMethod {
  readonly name: string;
  readonly parameters: readonly Type[];
  readonly result: Type;
}

/** A class that scripts may name, with its own members. */
export interface AllowedClass {
  readonly row: ClassRow;
  readonly methods: ReadonlyMap<string, Member>;
  readonly statics: ReadonlyMap<string, Member>;
  readonly constructors: ReadonlyMap<number, Member>;
  readonly constants: ReadonlyMap<string, { readonly type: Type; readonly value: unknown }>;
  readonly functional: FunctionalMethod | null;
}

const SIGNATURE = /^(?:([\w.[\]]+) )?([\w$]*)\((.*)\)$/;

/** The classes and members that the scripts of a context may name: the only things that they reach. */
export class Registry {
  readonly #rows = new Map<Type, ClassRow[]>();
  /** Classes that were asked for: most scripts name few. */
  readonly #classes = new Map<Type, AllowedClass>();
  readonly #imported = new Map<string, Type>();
  readonly #found = new Map<string, Member | null>();

  constructor(tables: readonly AllowTable[]) {
    const rows = tables.flat();
    for (const row of rows) if (!row.isUnimported) this.#imported.set(simpleName(row.name), row.name);
    for (const row of rows) {
      const parts = this.#rows.get(row.name);
      if (parts) parts.push(row);
      else this.#rows.set(row.name, [row]);
    }
  }

  #class(name: Type): AllowedClass | undefined {
    const known = this.#classes.get(name);
    if (known) return known;
    const parts = this.#rows.get(name);
    if (!parts) return undefined;
    const made = this.#compile(mergeRows(parts));
    this.#classes.set(name, made);
    return made;
  }

  /** Returns all classes, by their names. */
  classes(): AllowedClass[] {
    return [...this.#rows.keys()].sort().map((name) => this.#class(name)!);
  }

  /** Returns the canonical name of a type as scripts write it; null for one that is not allowed. */
  resolve(name: string): Type | null {
    const element = elementOf(name);
    if (element !== null) {
      const type = this.resolve(element);
      return type === null ? null : `${type}[]`;
    }
    if (name === 'def' || name === 'void' || isPrimitive(name)) return name;
    return this.#imported.get(name) ?? (this.#rows.has(name) ? name : null);
  }

  /** Finds a method of a class or of its parents by name and number of arguments. */
  method(type: Type, name: string, arity: number): Member | null {
    const key = `${type} ${name}/${arity}`;
    let member = this.#found.get(key);
    if (member === undefined) {
      member = this.#findMethod(type, `${name}/${arity}`);
      this.#found.set(key, member);
    }
    return member;
  }

  #findMethod(type: Type, key: string): Member | null {
    const allowed = this.#class(type);
    if (!allowed) return type === OBJECT ? null : this.#findMethod(OBJECT, key);
    const own = allowed.methods.get(key);
    if (own) return own;
    for (const parent of allowed.row.parents ?? []) {
      const inherited = this.#findMethod(parent, key);
      if (inherited && inherited.owner !== OBJECT) return inherited;
    }
    return type === OBJECT ? null : this.#findMethod(OBJECT, key);
  }

  static(type: Type, name: string, arity: number): Member | null {
    return this.#class(type)?.statics.get(`${name}/${arity}`) ?? null;
  }

  /** The static methods of a class by their name alone, for method references. */
  staticNamed(type: Type, name: string): readonly Member[] {
    return [...(this.#class(type)?.statics.values() ?? [])].filter((member) => member.name === name);
  }

  constructorOf(type: Type, arity: number): Member | null {
    return this.#class(type)?.constructors.get(arity) ?? null;
  }

  constant(type: Type, name: string): { readonly type: Type; readonly value: unknown } | null {
    return this.#class(type)?.constants.get(name) ?? null;
  }

  functional(type: Type): FunctionalMethod | null {
    return this.#class(type)?.functional ?? null;
  }

  /** Whether a reference of one class may stand where another is asked for. */
  isSubclass(from: Type, to: Type): boolean {
    if (from === to || to === OBJECT || to === 'def') return true;
    return (this.#class(from)?.row.parents ?? []).some((parent) => this.isSubclass(parent, to));
  }

  #compile(row: ClassRow): AllowedClass {
    const members = (part: Readonly<Record<string, Implementation>> | undefined): Member[] =>
      Object.entries(part ?? {}).map(([signature, implementation]) =>
        this.#member(row.name, signature, implementation),
      );
    const keyed = (part: Readonly<Record<string, Implementation>> | undefined): Map<string, Member> =>
      new Map(members(part).map((member) => [`${member.name}/${member.parameters.length}`, member]));
    return {
      row,
      methods: keyed(row.methods),
      statics: keyed(row.statics),
      constructors: new Map(members(row.constructors).map((member) => [member.parameters.length, member])),
      constants: new Map(
        Object.entries(row.constants ?? {}).map(([signature, value]) => {
          const [type, name] = signature.split(' ') as [string, string];
          return [name, { type: this.#type(type), value }];
        }),
      ),
      functional: row.functional === undefined ? null : this.#member(row.name, row.functional, () => null),
    };
  }

  #member(owner: Type, signature: string, implementation: Implementation): Member {
    const match = SIGNATURE.exec(signature);
    if (!match) throw new Error(`signature [${signature}] of [${owner}] is malformed`);
    const [, result, name, parameters] = match;
    return {
      owner,
      name: name!,
      parameters: parameters === '' ? [] : parameters!.split(',').map((type) => this.#type(type.trim())),
      result: result === undefined ? owner : this.#type(result),
      implementation,
    };
  }

  #type(name: string): Type {
    const type = this.resolve(name) ?? (name.includes('.') ? name : null);
    if (type === null) throw new Error(`type [${name}] of the allow-list is unknown`);
    return type;
  }
}

/** The name without its package: `List`, `Map.Entry`. */
function simpleName(name: Type): string {
  return name.replace(/^(?:[a-z]\w*\.)+/, '');
}

/** Joins the rows of one class: contexts add members to classes that others allow. */
function mergeRows(parts: readonly ClassRow[]): ClassRow {
  return parts.reduce((whole, part) => ({
    ...whole,
    ...part,
    parents: [...(whole.parents ?? []), ...(part.parents ?? [])],
    methods: { ...whole.methods, ...part.methods },
    statics: { ...whole.statics, ...part.statics },
    constructors: { ...whole.constructors, ...part.constructors },
    constants: { ...whole.constants, ...part.constants },
  }));
}
