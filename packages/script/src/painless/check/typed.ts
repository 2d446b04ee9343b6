import type { Cell } from '../../runtime/cell.js';
import type { Member } from '../allow/registry.js';
import type { Type } from '../types.js';

/** Arithmetic of the typed tree; its operands have the type of calculation. */
export type Arithmetic = '*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '>>>' | '&' | '^' | '|';
/** Comparisons; `===` and `!==` compare references. */
export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=' | '===' | '!==';

interface Common {
  /** Offset in the source that an error at this node tells. */
  readonly at: number;
  /** Where a conversion that fails when the script runs is told, if not at `at`: at what is converted in the end. */
  readonly ranAt?: number;
  readonly type: Type;
}

/**
 * Expressions of the checked tree. Every operand has the type that its operator needs: conversions are nodes. `local`
 * is a variable of the script, `temp` one of the compiler. Collections are lists and maps of scripts; `def` members are
 * found when the script runs.
 */
export type Typed = Common &
  (
    | { readonly kind: 'constant'; readonly value: number | bigint | string | boolean | null }
    | { readonly kind: 'object'; readonly value: unknown }
    | { readonly kind: 'cell'; readonly cell: Cell }
    | { readonly kind: 'local'; readonly slot: number }
    | { readonly kind: 'setLocal'; readonly slot: number; readonly value: Typed }
    | { readonly kind: 'temp'; readonly temp: number }
    | { readonly kind: 'setTemp'; readonly temp: number; readonly value: Typed }
    | { readonly kind: 'sequence'; readonly steps: readonly Typed[] }
    | {
        readonly kind: 'math';
        readonly op: Arithmetic;
        readonly operand: Type;
        readonly left: Typed;
        readonly right: Typed;
      }
    | {
        readonly kind: 'compare';
        readonly op: Comparison;
        readonly operand: Type;
        readonly left: Typed;
        readonly right: Typed;
      }
    | { readonly kind: 'negate'; readonly op: '-' | '~' | '+'; readonly operand: Typed }
    | { readonly kind: 'not'; readonly operand: Typed }
    | { readonly kind: 'logic'; readonly op: '&&' | '||'; readonly left: Typed; readonly right: Typed }
    | { readonly kind: 'concat'; readonly left: Typed; readonly right: Typed }
    | { readonly kind: 'conditional'; readonly test: Typed; readonly whenTrue: Typed; readonly whenFalse: Typed }
    | { readonly kind: 'elvis'; readonly left: Typed; readonly right: Typed }
    | { readonly kind: 'nullSafe'; readonly temp: number; readonly target: Typed; readonly inner: Typed }
    | { readonly kind: 'cast'; readonly operand: Typed; readonly isExplicit: boolean }
    | { readonly kind: 'instanceof'; readonly operand: Typed; readonly wanted: Type }
    | { readonly kind: 'call'; readonly member: Member; readonly target: Typed | null; readonly args: readonly Typed[] }
    | { readonly kind: 'defCall'; readonly name: string; readonly target: Typed; readonly args: readonly Typed[] }
    | { readonly kind: 'functionCall'; readonly place: number; readonly args: readonly Typed[] }
    | { readonly kind: 'getMember'; readonly target: Typed; readonly name: string }
    | { readonly kind: 'setMember'; readonly target: Typed; readonly name: string; readonly value: Typed }
    | { readonly kind: 'getIndex'; readonly how: Indexed; readonly target: Typed; readonly index: Typed }
    | {
        readonly kind: 'setIndex';
        readonly how: Indexed;
        readonly target: Typed;
        readonly index: Typed;
        readonly value: Typed;
      }
    | { readonly kind: 'arrayLength'; readonly target: Typed }
    | { readonly kind: 'newArray'; readonly element: Type; readonly sizes: readonly Typed[] }
    | { readonly kind: 'arrayOf'; readonly element: Type; readonly items: readonly Typed[] }
    | { readonly kind: 'list'; readonly items: readonly Typed[] }
    | { readonly kind: 'map'; readonly entries: readonly (readonly [Typed, Typed])[] }
    | {
        readonly kind: 'lambda';
        readonly parameters: readonly TypedParameter[];
        readonly result: Type;
        readonly body: TypedBlock;
      }
    | { readonly kind: 'lambdaOf'; readonly target: Typed; readonly name: string }
    | { readonly kind: 'functionOf'; readonly place: number; readonly declared: DeclaredTypes }
  );

/** Types of a function that a reference names. */
interface DeclaredTypes {
  readonly result: Type;
  readonly parameters: readonly Type[];
}

/** What an index reads: an array, a List, a Map, or whatever the value is when the script runs. */
export type Indexed = 'array' | 'list' | 'map' | 'def';

/** Statements of the checked tree. `at` is the offset of the statement: an error's text begins there. */
export type TypedStatement = { readonly at: number } & (
  | TypedBlockPart
  | { readonly kind: 'if'; readonly test: Typed; readonly whenTrue: TypedBlock; readonly whenFalse: TypedBlock | null }
  | {
      readonly kind: 'loop';
      readonly first: readonly TypedStatement[];
      readonly test: Typed | null;
      readonly isTestLast: boolean;
      readonly after: Typed | null;
      readonly body: TypedBlock | null;
    }
  | {
      readonly kind: 'each';
      readonly slot: number;
      readonly values: Typed;
      readonly variable: Type;
      readonly body: TypedBlock;
    }
  | { readonly kind: 'declare'; readonly slot: number; readonly type: Type; readonly value: Typed | null }
  | { readonly kind: 'declarations'; readonly statements: readonly TypedStatement[] }
  | { readonly kind: 'return'; readonly value: Typed | null }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'throw'; readonly value: Typed }
  | { readonly kind: 'try'; readonly body: TypedBlock; readonly catches: readonly TypedCatch[] }
  | { readonly kind: 'expression'; readonly value: Typed }
);

interface TypedBlockPart {
  readonly kind: 'block';
  readonly statements: readonly TypedStatement[];
}

export type TypedBlock = { readonly at: number } & TypedBlockPart;

export interface TypedCatch {
  readonly type: Type;
  readonly slot: number;
  readonly body: TypedBlock;
}

/** A parameter of a function or lambda. A lambda gets boxed values and unboxes them itself. */
export interface TypedParameter {
  readonly slot: number;
  readonly type: Type;
}

/** A function of the checked tree. */
export interface TypedFunction {
  readonly parameters: readonly TypedParameter[];
  readonly result: Type;
  readonly body: TypedBlock;
}

/** A checked script: the function of its statements, and those that it declares. */
export interface TypedScript {
  readonly main: TypedFunction;
  readonly functions: readonly TypedFunction[];
  /** How many temporaries the whole script uses. */
  readonly temps: number;
  /** Offsets at which statements begin, ascending. */
  readonly statementStarts: readonly number[];
  /** Fields whose first values the host puts into cells. */
  readonly cells: readonly Cell[];
  /** Fields that the script reads by a constant name: `doc['f']`. */
  readonly uses: ScriptUses;
}

/** What a script asks of a document. */
export interface ScriptUses {
  readonly fields: readonly string[];
  readonly variables: ReadonlySet<string>;
  readonly isDeterministic: boolean;
}
