import { castError, syntaxError } from '../syntax-error.js';
import type { Block, Expression, Statement } from '../tree.js';
import { elementOf, type Type } from '../types.js';
import { castTo } from './casts.js';
import type { Checker } from './checker.js';
import { notAStatement } from './not-a-statement.js';
import type { TypedBlock, TypedCatch, TypedStatement } from './typed.js';

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** A checked statement, and how control leaves it: whether never onwards, by a `break`, by a `continue`. */
interface Checked<S = TypedStatement> {
  readonly statement: S;
  /** Whether every path through it leaves the function, or the loop around it. */
  readonly isLast: boolean;
  readonly breaks: boolean;
  /** Whether a `continue` of the loop around it stands in it. */
  readonly continues: boolean;
}

const onwards = (statement: TypedStatement): Checked => ({
  statement,
  isLast: false,
  breaks: false,
  continues: false,
});

/** A statement behind which nothing of the function runs. */
const last = (statement: TypedStatement): Checked => ({ ...onwards(statement), isLast: true });

/**
 * Checks the statements of a function. An expression at the end is what it returns. `missing` makes the error of a
 * path that returns nothing; without it such a path returns null, 0 or false.
 */
export function checkBody(block: Block, checker: Checker, missing: (() => Error) | null): TypedBlock {
  const { statement, isLast } = checkBlock(block, checker, checker.result !== 'void' || checker.isLambda);
  if (!isLast && checker.result !== 'void' && missing) throw missing();
  return statement;
}

function checkBlock(block: Block, checker: Checker, isValue: boolean): Checked<TypedBlock> {
  return checker.within(() => {
    const statements: TypedStatement[] = [];
    let isLast = false;
    let breaks = false;
    let continues = false;
    block.statements.forEach((node, i) => {
      if (isLast) throw syntaxError(block.at, 'invalid block: unreachable statement');
      const end = i === block.statements.length - 1;
      const checked = checkStatement(node, checker, isValue && end);
      statements.push(checked.statement);
      isLast = checked.isLast;
      breaks ||= checked.breaks;
      continues ||= checked.continues;
    });
    return { statement: { kind: 'block', at: block.at, statements }, isLast, breaks, continues };
  });
}

function checkStatement(node: Statement, checker: Checker, isValue: boolean): Checked {
  if (node.kind !== 'declare' && node.kind !== 'block') checker.noteStatement(node.at);
  switch (node.kind) {
    case 'block':
      return checkBlock(node, checker, isValue);
    case 'if':
      return checkIf(node, checker, isValue);
    case 'while':
    case 'do':
      return checkWhile(node, checker);
    case 'for':
      return checkFor(node, checker);
    case 'each':
      return checkEach(node, checker);
    case 'declare':
      return onwards(checkDeclaration(node, checker));
    case 'return':
      return checkReturn(node.at, node.value, checker);
    case 'break':
    case 'continue':
      if (!checker.isInLoop) throw syntaxError(node.at, `invalid ${node.kind} statement: not inside loop`);
      return {
        ...last({ kind: node.kind, at: node.at }),
        breaks: node.kind === 'break',
        continues: node.kind === 'continue',
      };
    case 'throw': {
      const value = castTo(checker.check(node.value), 'java.lang.Exception', checker);
      return last({ kind: 'throw', at: node.at, value });
    }
    case 'try':
      return checkTry(node, checker, isValue);
    case 'expression':
      return checkExpression(node, checker, isValue);
  }
}

function checkExpression(node: Of<'expression'>, checker: Checker, isValue: boolean): Checked {
  const { at } = node;
  if (isValue && checker.result !== 'void') {
    const value = checker.check(node.value);
    if (value.type === 'void') return onwards({ kind: 'expression', at, value });
    return checkReturn(at, node.value, checker);
  }
  if (!(isValue && checker.isLambda)) refuseUnused(node.value, checker);
  return onwards({ kind: 'expression', at, value: checker.check(node.value) });
}

/** Throws for an expression that does nothing as a statement. A name that means nothing is told first. */
function refuseUnused(node: Expression, checker: Checker): void {
  const unused = notAStatement(node);
  if (unused === null) return;
  if (node.kind === 'name') checker.check(node);
  throw syntaxError(node.at, `not a statement: ${unused}`);
}

function checkReturn(at: number, node: Expression | null, checker: Checker): Checked {
  const { result } = checker;
  if (node === null) {
    if (result !== 'void') throw castError(at, `cannot cast from [${result}] to [void]`);
    return last({ kind: 'return', at, value: null });
  }
  if (result === 'void') {
    const value = checker.check(node);
    throw castError(node.at, `cannot cast from [${value.type}] to [void]`);
  }
  const value = checker.checkAs(node, result, { isInternal: true });
  return last({ kind: 'return', at, value });
}

function checkIf(node: Of<'if'>, checker: Checker, isValue: boolean): Checked {
  const test = checker.checkAs(node.test, 'boolean');
  if (test.kind === 'constant') throw syntaxError(node.at, `extraneous ${node.whenFalse ? 'if-else' : 'if'} block`);
  if (node.whenTrue.statements.length === 0)
    throw syntaxError(node.at, `extraneous ${node.whenFalse ? 'if-else' : 'if'} block`);
  const then = checkBlock(node.whenTrue, checker, isValue);
  const other = node.whenFalse ? checkBlock(node.whenFalse, checker, isValue) : null;
  return {
    statement: { kind: 'if', at: node.at, test, whenTrue: then.statement, whenFalse: other?.statement ?? null },
    isLast: then.isLast && other?.isLast === true,
    breaks: then.breaks || other?.breaks === true,
    continues: then.continues || other?.continues === true,
  };
}

/** The value of a loop's test if it is the constant true; a constant false is refused. */
function isForever(node: Statement, test: Expression | null, kind: string): boolean {
  if (test === null) return true;
  if (test.kind !== 'boolean') return false;
  if (!test.value) throw syntaxError(node.at, `extraneous ${kind} loop`);
  return true;
}

/** Refuses a loop whose body is never run twice. */
function refuseSingleRun(node: Statement, kind: string, { isLast, continues }: Checked<TypedBlock>): void {
  if (isLast && !continues) throw syntaxError(node.at, `extraneous ${kind} loop`);
}

function checkWhile(node: Of<'while'> | Of<'do'>, checker: Checker): Checked {
  const kind = node.kind === 'do' ? 'do-while' : 'while';
  const isEndless = isForever(node, node.test, kind);
  return checker.within(() => {
    const test = isEndless ? null : checker.checkAs(node.test, 'boolean');
    const body = node.body === null ? null : checker.inLoop(() => checkBlock(node.body!, checker, false));
    if (isEndless && body === null) throw syntaxError(node.at, `no paths escape from ${kind} loop`);
    if (body !== null) refuseSingleRun(node, kind, body);
    const escapes = body?.breaks === true || (body !== null && returns(body.statement));
    if (isEndless && !escapes) throw syntaxError(node.at, `no paths escape from ${kind} loop`);
    const loop = { first: [], test, isTestLast: node.kind === 'do', after: null, body: body?.statement ?? null };
    return { ...onwards({ kind: 'loop', at: node.at, ...loop }), isLast: isEndless && body?.breaks !== true };
  });
}

/** Whether a `return` or `throw` stands anywhere in a block. */
function returns(block: TypedBlock): boolean {
  return block.statements.some((statement) => {
    switch (statement.kind) {
      case 'return':
      case 'throw':
        return true;
      case 'block':
        return returns(statement);
      case 'if':
        return returns(statement.whenTrue) || (statement.whenFalse !== null && returns(statement.whenFalse));
      case 'loop':
      case 'each':
        return statement.body !== null && returns(statement.body);
      case 'try':
        return returns(statement.body) || statement.catches.some((one) => returns(one.body));
      default:
        return false;
    }
  });
}

function checkFor(node: Of<'for'>, checker: Checker): Checked {
  return checker.within(() => {
    const first = node.first === null ? [] : [checkForStart(node.first, checker)];
    const isEndless = isForever(node, node.test, 'for');
    const test = isEndless ? null : checker.checkAs(node.test!, 'boolean');
    const after = node.after === null ? null : checkForAfter(node.after, checker);
    const body = node.body === null ? null : checker.inLoop(() => checkBlock(node.body!, checker, false));
    if (body !== null) refuseSingleRun(node, 'for', body);
    const loop = { first, test, isTestLast: false, after, body: body?.statement ?? null };
    return {
      ...onwards({ kind: 'loop', at: node.at, ...loop }),
      isLast: isEndless && body?.breaks !== true && body !== null && returns(body.statement),
    };
  });
}

function checkForStart(node: Statement, checker: Checker): TypedStatement {
  if (node.kind === 'declare') return checkDeclaration(node, checker);
  const { value } = node as Of<'expression'>;
  refuseUnused(value, checker);
  return { kind: 'expression', at: node.at, value: checker.check(value) };
}

function checkForAfter(node: Expression, checker: Checker): ReturnType<Checker['check']> {
  refuseUnused(node, checker);
  return checker.check(node);
}

function checkEach(node: Of<'each'>, checker: Checker): Checked {
  const values = checker.check(node.values);
  const element = elementOf(values.type);
  const isIterable =
    values.type === 'def' || element !== null || checker.registry.isSubclass(values.type, 'java.lang.Iterable');
  if (node.body.statements.length === 0) throw syntaxError(node.at, 'extraneous foreach loop');
  return checker.within(() => {
    const type = node.type === null ? 'def' : checker.type(node.type, (name) => `Not a type [${name}].`);
    // Elements of an array are cast as those of an assignment are: the refusal stands where the loop begins.
    castTo({ kind: 'temp', at: node.at, type: element ?? 'def', temp: 0 }, type, checker);
    const slot = checker.declare(node.at, node.name, type);
    const body = checker.inLoop(() => checkBlock(node.body, checker, false));
    refuseSingleRun(node, 'foreach', body);
    if (!isIterable) throw syntaxError(node.at, `Illegal for each type [${values.type}].`);
    const loop = { slot, values, variable: type, body: body.statement };
    return onwards({ kind: 'each', at: node.at, ...loop });
  });
}

function checkDeclaration(node: Of<'declare'>, checker: Checker): TypedStatement {
  const refusal = (name: string): string => `invalid declaration: cannot resolve type [${name}]`;
  const firstAt = node.variables[0]!.at;
  const type: Type = checker.type({ ...node.type, at: firstAt }, refusal);
  const statements = node.variables.map(({ at, name, value }): TypedStatement => {
    checker.noteStatement(at);
    const checked = value === null ? null : checker.checkAs(value, type);
    return { kind: 'declare', at, slot: checker.declare(at, name, type), type, value: checked };
  });
  return statements.length === 1 ? statements[0]! : { kind: 'declarations', at: node.at, statements };
}

function checkTry(node: Of<'try'>, checker: Checker, isValue: boolean): Checked {
  const body = checkBlock(node.body, checker, isValue);
  const catches = node.catches.map((one) =>
    checker.within((): Checked<TypedCatch> => {
      const type = checker.type(
        { ...one.type, at: one.at },
        (name) => `invalid catch declaration: cannot resolve type [${name}]`,
      );
      if (!checker.registry.isSubclass(type, 'java.lang.Exception'))
        throw castError(one.at, `cannot cast from [${type}] to [java.lang.Exception]`);
      const slot = checker.declare(one.at, one.name, type);
      const handler = checkBlock(one.body, checker, isValue);
      return { ...handler, statement: { type, slot, body: handler.statement } };
    }),
  );
  return {
    statement: { kind: 'try', at: node.at, body: body.statement, catches: catches.map((one) => one.statement) },
    isLast: body.isLast && catches.every((one) => one.isLast),
    breaks: body.breaks || catches.some((one) => one.breaks),
    continues: body.continues || catches.some((one) => one.continues),
  };
}
