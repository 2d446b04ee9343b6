/** A type as written: `def`, `int`, `List`, `java.util.Map`, with its pairs of brackets. */
export interface WrittenType {
  readonly at: number;
  readonly name: string;
  readonly dimensions: number;
}

/** Where a node begins in the source, in UTF-16 units. */
interface At {
  readonly at: number;
}

/** Expressions of the parsed tree. */
export type Expression = At &
  (
    | { readonly kind: 'number'; readonly text: string; readonly radix: 8 | 10 | 16; readonly isDecimal: boolean }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'null' }
    | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
    | { readonly kind: 'list'; readonly items: readonly Expression[] }
    | { readonly kind: 'map'; readonly entries: readonly (readonly [Expression, Expression])[] }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Argument[] }
    | { readonly kind: 'new'; readonly type: WrittenType; readonly args: readonly Argument[] }
    | { readonly kind: 'newArray'; readonly type: WrittenType; readonly sizes: readonly Expression[] }
    | { readonly kind: 'arrayOf'; readonly type: WrittenType; readonly items: readonly Expression[] }
    | { readonly kind: 'member'; readonly target: Expression; readonly name: string; readonly isNullSafe: boolean }
    | {
        readonly kind: 'method';
        readonly target: Expression;
        readonly name: string;
        readonly args: readonly Argument[];
        readonly isNullSafe: boolean;
      }
    | { readonly kind: 'index'; readonly target: Expression; readonly index: Expression }
    | { readonly kind: 'unary'; readonly op: '!' | '~' | '+' | '-'; readonly operand: Expression }
    | { readonly kind: 'step'; readonly target: Expression; readonly op: '++' | '--'; readonly isPrefix: boolean }
    | { readonly kind: 'binary'; readonly op: BinaryOperator; readonly left: Expression; readonly right: Expression }
    | {
        readonly kind: 'conditional';
        readonly test: Expression;
        readonly whenTrue: Expression;
        readonly whenFalse: Expression;
      }
    | { readonly kind: 'elvis'; readonly left: Expression; readonly right: Expression }
    | {
        readonly kind: 'assign';
        readonly target: Expression;
        readonly op: BinaryOperator | null;
        readonly value: Expression;
      }
    | { readonly kind: 'cast'; readonly type: WrittenType; readonly operand: Expression }
    | { readonly kind: 'instanceof'; readonly operand: Expression; readonly type: WrittenType }
  );

/** Arguments of calls: expressions, and what only they may be. */
export type Argument =
  | Expression
  | (At & { readonly kind: 'lambda'; readonly parameters: readonly Parameter[]; readonly body: Block | Expression })
  | (At & { readonly kind: 'reference'; readonly owner: string; readonly name: string });

/** A parameter of a function or lambda; a lambda's may lack its type. */
export interface Parameter {
  readonly type: WrittenType | null;
  readonly name: string;
  readonly at: number;
}

export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '>>>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '==='
  | '!=='
  | '=~'
  | '==~'
  | '&'
  | '^'
  | '|'
  | '&&'
  | '||';

/** Statements in braces. */
export type Block = At & { readonly kind: 'block'; readonly statements: readonly Statement[] };

/** Statements of the parsed tree. */
export type Statement =
  | Block
  | (At &
      (
        | { readonly kind: 'if'; readonly test: Expression; readonly whenTrue: Block; readonly whenFalse: Block | null }
        | { readonly kind: 'while'; readonly test: Expression; readonly body: Block | null }
        | { readonly kind: 'do'; readonly test: Expression; readonly body: Block }
        | {
            readonly kind: 'for';
            readonly first: Statement | null;
            readonly test: Expression | null;
            readonly after: Expression | null;
            readonly body: Block | null;
          }
        | {
            readonly kind: 'each';
            readonly type: WrittenType | null;
            readonly name: string;
            readonly values: Expression;
            readonly body: Block;
          }
        | { readonly kind: 'declare'; readonly type: WrittenType; readonly variables: readonly Declared[] }
        | { readonly kind: 'return'; readonly value: Expression | null }
        | { readonly kind: 'break' }
        | { readonly kind: 'continue' }
        | { readonly kind: 'throw'; readonly value: Expression }
        | { readonly kind: 'try'; readonly body: Block; readonly catches: readonly Catch[] }
        | { readonly kind: 'expression'; readonly value: Expression }
      ));

/** One variable of a declaration. */
export interface Declared {
  readonly at: number;
  readonly name: string;
  readonly value: Expression | null;
}

/** One handler of a `try`. */
export interface Catch {
  readonly at: number;
  readonly type: WrittenType;
  readonly name: string;
  readonly body: Block;
}

/** A function that a script declares before its statements. */
export interface FunctionNode {
  readonly at: number;
  readonly result: WrittenType;
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Block;
}

/** A parsed script. */
export interface Script {
  readonly functions: readonly FunctionNode[];
  readonly statements: readonly Statement[];
}
