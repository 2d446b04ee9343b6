import type { Token } from './lexer.js';
import { parseArguments } from './parse-arguments.js';
import { parseType, parseTypeName, typeLength } from './parse-type.js';
import type { TokenReader } from './token-reader.js';
import type { BinaryOperator, Expression } from './tree.js';

/** Binding powers of the binary operators: a higher one binds closer. Painless's own find and match stand below `+`. */
const POWERS: ReadonlyMap<string, number> = new Map(
  [
    ['||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!=', '===', '!=='],
    ['instanceof'],
    ['<', '<=', '>', '>='],
    ['<<', '>>', '>>>'],
    ['=~', '==~'],
    ['+', '-'],
    ['*', '/', '%'],
  ].flatMap((operators, i) => operators.map((operator) => [operator, i + 1] as const)),
);

const ASSIGNMENTS: ReadonlyMap<string, BinaryOperator | null> = new Map<string, BinaryOperator | null>([
  ['=', null],
  ...(['+', '-', '*', '/', '%', '&', '^', '|', '<<', '>>', '>>>'] as const).map((op) => [`${op}=`, op] as const),
]);

/** Reads an expression: an assignment, a conditional, an elvis, or binary operators over unary ones. */
export function parseExpression(reader: TokenReader): Expression {
  return reader.deeper(() => {
    const left = parseElvis(reader);
    const token = reader.peek();
    if (token.kind !== 'mark') return left;
    if (token.text === '?') return parseConditional(reader, left);
    const op = ASSIGNMENTS.get(token.text);
    if (op === undefined) return left;
    reader.next();
    return { kind: 'assign', at: left.at, target: left, op, value: parseExpression(reader) };
  });
}

function parseConditional(reader: TokenReader, test: Expression): Expression {
  reader.expect('?');
  const whenTrue = parseExpression(reader);
  reader.expect(':');
  return { kind: 'conditional', at: test.at, test, whenTrue, whenFalse: parseExpression(reader) };
}

function parseElvis(reader: TokenReader): Expression {
  const left = parseBinary(reader, 1);
  if (!reader.take('?:')) return left;
  return { kind: 'elvis', at: left.at, left, right: reader.deeper(() => parseElvis(reader)) };
}

function parseBinary(reader: TokenReader, power: number): Expression {
  let left = reader.deeper(() => parseUnary(reader));
  for (;;) {
    const token = reader.peek();
    const own = token.kind === 'mark' || token.kind === 'word' ? (POWERS.get(token.text) ?? 0) : 0;
    if (own < power || own === 0) return left;
    reader.next();
    left =
      token.text === 'instanceof'
        ? { kind: 'instanceof', at: left.at, operand: left, type: parseType(reader) }
        : { kind: 'binary', at: left.at, op: token.text as BinaryOperator, left, right: parseBinary(reader, own + 1) };
  }
}

function parseUnary(reader: TokenReader): Expression {
  const token = reader.peek();
  if (token.kind !== 'mark') return parseChain(reader);
  switch (token.text) {
    case '++':
    case '--': {
      reader.next();
      return { kind: 'step', at: token.at, op: token.text, isPrefix: true, target: parseChain(reader) };
    }
    case '!':
    case '~':
    case '+':
    case '-':
      reader.next();
      return { kind: 'unary', at: token.at, op: token.text, operand: reader.deeper(() => parseUnary(reader)) };
    case '(':
      return isCast(reader) ? parseCast(reader) : parseChain(reader);
    default:
      return parseChain(reader);
  }
}

/**
 * Whether a parenthesis holds the type of a cast: a primitive type or `def`, or a name behind whose parenthesis an
 * operand begins that no sign opens.
 */
function isCast(reader: TokenReader): boolean {
  const length = typeLength(reader, 1);
  if (length === 0 || !reader.is(')', 1 + length)) return false;
  const kind = reader.peek(1).kind;
  if (kind === 'primitive' || kind === 'def') return true;
  const behind = reader.peek(length + 2);
  if (behind.kind === 'mark') return ['(', '[', '!', '~'].includes(behind.text);
  if (behind.kind === 'word') return ['true', 'false', 'null', 'new'].includes(behind.text);
  return behind.kind !== 'end';
}

function parseCast(reader: TokenReader): Expression {
  const { at } = reader.expect('(');
  const type = parseType(reader);
  reader.expect(')');
  return { kind: 'cast', at, type, operand: reader.deeper(() => parseUnary(reader)) };
}

function parseChain(reader: TokenReader): Expression {
  let target = parsePrimary(reader);
  for (;;) {
    const token = reader.peek();
    if (token.kind !== 'mark') return target;
    if (token.text === '.' || token.text === '?.') target = parseMember(reader, target);
    else if (token.text === '[') target = parseIndex(reader, target);
    else if (token.text === '++' || token.text === '--') {
      reader.next();
      return { kind: 'step', at: target.at, op: token.text, isPrefix: false, target };
    } else return target;
  }
}

function parseMember(reader: TokenReader, target: Expression): Expression {
  const dot = reader.next();
  const isNullSafe = dot.text === '?.';
  const name = reader.peek();
  if (name.kind === 'integer') {
    reader.next();
    return { kind: 'member', at: dot.at, target, name: name.text, isNullSafe };
  }
  // Behind a dot every word is a name.
  if (!/^[_a-zA-Z$]/.test(name.text) || name.kind === 'text') throw reader.noAlternative();
  reader.next();
  if (!reader.is('(')) return { kind: 'member', at: dot.at, target, name: name.text, isNullSafe };
  return { kind: 'method', at: dot.at, target, name: name.text, args: parseArguments(reader), isNullSafe };
}

function parseIndex(reader: TokenReader, target: Expression): Expression {
  const { at } = reader.expect('[');
  const index = parseExpression(reader);
  reader.expect(']');
  return { kind: 'index', at, target, index };
}

function parsePrimary(reader: TokenReader): Expression {
  const token = reader.peek();
  const { at, text } = token;
  switch (token.kind) {
    case 'integer':
    case 'decimal':
    case 'hex':
    case 'octal':
      reader.next();
      return { kind: 'number', at, text, radix: radixOf(token), isDecimal: token.kind === 'decimal' };
    case 'text':
      reader.next();
      return { kind: 'text', at, value: text };
    case 'regex': {
      reader.next();
      const close = text.lastIndexOf('/');
      return { kind: 'regex', at, pattern: text.slice(1, close), flags: text.slice(close + 1) };
    }
    case 'id':
      if (text === '$' && !reader.is('(', 1)) throw reader.noAlternative();
      reader.next();
      return reader.is('(')
        ? { kind: 'call', at, name: text, args: parseArguments(reader) }
        : { kind: 'name', at, name: text };
    case 'word':
      return parseWord(reader, token);
    case 'mark':
      if (text === '(') return parseGroup(reader);
      if (text === '[') return parseInitializer(reader);
      throw reader.noAlternative();
    default:
      throw reader.noAlternative();
  }
}

function radixOf(token: Token): 8 | 10 | 16 {
  if (token.kind === 'hex') return 16;
  return token.kind === 'octal' ? 8 : 10;
}

function parseWord(reader: TokenReader, token: Token): Expression {
  const { at } = token;
  switch (token.text) {
    case 'true':
    case 'false':
      reader.next();
      return { kind: 'boolean', at, value: token.text === 'true' };
    case 'null':
      reader.next();
      return { kind: 'null', at };
    case 'new':
      return parseNew(reader);
    default:
      throw reader.noAlternative();
  }
}

function parseGroup(reader: TokenReader): Expression {
  reader.expect('(');
  const inner = parseExpression(reader);
  reader.expect(')');
  return inner;
}

function parseInitializer(reader: TokenReader): Expression {
  const { at } = reader.expect('[');
  if (reader.take(']')) return { kind: 'list', at, items: [] };
  if (reader.take(':')) {
    reader.expect(']');
    return { kind: 'map', at, entries: [] };
  }
  const first = parseExpression(reader);
  if (!reader.is(':')) return { kind: 'list', at, items: parseItems(reader, first, ']') };
  reader.next();
  const entries: [Expression, Expression][] = [[first, parseExpression(reader)]];
  while (reader.take(',')) {
    const key = parseExpression(reader);
    if (!reader.take(':')) throw reader.noAlternative();
    entries.push([key, parseExpression(reader)]);
  }
  closeItems(reader, ']');
  return { kind: 'map', at, entries };
}

function parseItems(reader: TokenReader, first: Expression, close: string): Expression[] {
  const items = [first];
  while (reader.take(',')) items.push(parseExpression(reader));
  closeItems(reader, close);
  return items;
}

function closeItems(reader: TokenReader, close: string): void {
  if (!reader.take(close)) throw reader.unexpected(`[{'${close}', ','}]`);
}

function parseNew(reader: TokenReader): Expression {
  const { at } = reader.expect('new');
  const type = parseTypeName(reader);
  if (reader.is('(')) return { kind: 'new', at, type, args: parseArguments(reader) };
  if (!reader.is('[')) throw reader.noAlternative();
  return reader.is(']', 1) ? parseArrayOf(reader, type.name, at) : parseNewArray(reader, type.name, at);
}

function parseArrayOf(reader: TokenReader, name: string, at: number): Expression {
  let dimensions = 0;
  while (reader.take('[')) {
    reader.expect(']');
    dimensions++;
  }
  reader.expect('{');
  const type = { name, at, dimensions };
  if (reader.take('}')) return { kind: 'arrayOf', at, type, items: [] };
  return { kind: 'arrayOf', at, type, items: parseItems(reader, parseExpression(reader), '}') };
}

function parseNewArray(reader: TokenReader, name: string, at: number): Expression {
  const sizes: Expression[] = [];
  while (reader.take('[')) {
    sizes.push(parseExpression(reader));
    reader.expect(']');
  }
  return { kind: 'newArray', at, type: { name, at, dimensions: sizes.length }, sizes };
}
