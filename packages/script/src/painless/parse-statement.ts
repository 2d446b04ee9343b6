import { parseExpression } from './parse-expression.js';
import { parseType, typeLength } from './parse-type.js';
import type { TokenReader } from './token-reader.js';
import type { Block, Catch, Declared, Statement } from './tree.js';

/** What may stand behind a statement without braces. */
const STATEMENT_ENDS = "[{<EOF>, ';'}]";

/** Reads statements in braces; a semicolon may be missing before the closing one. */
export function parseBlock(reader: TokenReader): Block {
  return reader.deeper(() => {
    const { at } = reader.expect('{');
    const statements: Statement[] = [];
    while (!reader.take('}')) statements.push(parseStatement(reader, true));
    return { kind: 'block', at, statements };
  });
}

/** Reads one statement with the semicolon behind it. Within braces the last one needs none. */
export function parseStatement(reader: TokenReader, isInBraces = false): Statement {
  return reader.deeper(() => {
    const structured = parseStructured(reader);
    if (structured) return structured;
    const statement = parseSimple(reader);
    if (reader.take(';') || reader.peek().kind === 'end' || (isInBraces && reader.is('}'))) return statement;
    throw reader.unexpected(STATEMENT_ENDS);
  });
}

function parseStructured(reader: TokenReader): Statement | null {
  if (reader.peek().kind !== 'word') return null;
  switch (reader.peek().text) {
    case 'if':
      return parseIf(reader);
    case 'while':
      return parseWhile(reader);
    case 'for':
      return parseFor(reader);
    case 'try':
      return parseTry(reader);
    default:
      return null;
  }
}

function parseSimple(reader: TokenReader): Statement {
  const token = reader.peek();
  const { at } = token;
  if (token.kind === 'word') {
    switch (token.text) {
      case 'do':
        return parseDo(reader);
      case 'continue':
      case 'break':
        reader.next();
        return { kind: token.text, at };
      case 'return': {
        reader.next();
        const isEmpty = reader.is(';') || reader.is('}') || reader.peek().kind === 'end';
        if (reader.is(')') || reader.is(']')) throw reader.unexpected(STATEMENT_ENDS);
        return { kind: 'return', at, value: isEmpty ? null : parseExpression(reader) };
      }
      case 'throw':
        reader.next();
        return { kind: 'throw', at, value: parseExpression(reader) };
    }
  }
  return isDeclaration(reader) ? parseDeclaration(reader) : { kind: 'expression', at, value: parseExpression(reader) };
}

function isDeclaration(reader: TokenReader): boolean {
  const length = typeLength(reader);
  return length > 0 && reader.peek(length).kind === 'id';
}

function parseDeclaration(reader: TokenReader): Statement {
  const type = parseType(reader);
  const variables: Declared[] = [];
  do {
    const name = reader.name();
    variables.push({ at: name.at, name: name.text, value: reader.take('=') ? parseExpression(reader) : null });
  } while (reader.take(','));
  return { kind: 'declare', at: type.at, type, variables };
}

/** Reads what hangs on an `if` or a loop: a block, or one statement. */
function parseTrailer(reader: TokenReader): Block {
  if (reader.is('{')) return parseBlock(reader);
  const { at } = reader.peek();
  return { kind: 'block', at, statements: [parseStatement(reader)] };
}

function parseTest(reader: TokenReader): ReturnType<typeof parseExpression> {
  reader.expect('(');
  const test = parseExpression(reader);
  reader.expect(')');
  return test;
}

function parseIf(reader: TokenReader): Statement {
  const { at } = reader.expect('if');
  const test = parseTest(reader);
  const whenTrue = parseTrailer(reader);
  return { kind: 'if', at, test, whenTrue, whenFalse: reader.take('else') ? parseTrailer(reader) : null };
}

function parseLoopBody(reader: TokenReader): Block | null {
  return reader.take(';') ? null : parseTrailer(reader);
}

function parseWhile(reader: TokenReader): Statement {
  const { at } = reader.expect('while');
  return { kind: 'while', at, test: parseTest(reader), body: parseLoopBody(reader) };
}

function parseDo(reader: TokenReader): Statement {
  const { at } = reader.expect('do');
  const body = parseBlock(reader);
  reader.expect('while');
  return { kind: 'do', at, body, test: parseTest(reader) };
}

function parseFor(reader: TokenReader): Statement {
  const { at } = reader.expect('for');
  reader.expect('(');
  if (reader.peek().kind === 'id' && reader.is('in', 1)) return parseEach(reader, at, false);
  const length = typeLength(reader);
  if (length > 0 && reader.peek(length).kind === 'id' && reader.is(':', length + 1)) return parseEach(reader, at, true);
  const first = reader.is(';') ? null : parseForStart(reader);
  reader.expect(';');
  const test = reader.is(';') ? null : parseExpression(reader);
  reader.expect(';');
  const after = reader.is(')') ? null : parseExpression(reader);
  reader.expect(')');
  return { kind: 'for', at, first, test, after, body: parseLoopBody(reader) };
}

function parseForStart(reader: TokenReader): Statement {
  if (isDeclaration(reader)) return parseDeclaration(reader);
  const { at } = reader.peek();
  return { kind: 'expression', at, value: parseExpression(reader) };
}

function parseEach(reader: TokenReader, at: number, isTyped: boolean): Statement {
  const type = isTyped ? parseType(reader) : null;
  const name = reader.name().text;
  reader.next();
  const values = parseExpression(reader);
  reader.expect(')');
  return { kind: 'each', at, type, name, values, body: parseTrailer(reader) };
}

function parseTry(reader: TokenReader): Statement {
  const { at } = reader.expect('try');
  const body = parseBlock(reader);
  const catches: Catch[] = [];
  while (reader.is('catch')) catches.push(parseCatch(reader));
  if (catches.length === 0) throw reader.unexpected("['catch']");
  return { kind: 'try', at, body, catches };
}

function parseCatch(reader: TokenReader): Catch {
  const { at } = reader.expect('catch');
  reader.expect('(');
  const type = parseType(reader);
  const name = reader.name().text;
  reader.expect(')');
  return { at, type, name, body: parseBlock(reader) };
}
