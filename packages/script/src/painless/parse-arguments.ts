import { parseType, typeLength } from './parse-type.js';
import type { TokenReader } from './token-reader.js';
import type { Argument, Parameter } from './tree.js';

/** Reads the arguments of a call, parentheses included. */
export function parseArguments(reader: TokenReader): Argument[] {
  reader.expect('(');
  const args: Argument[] = [];
  if (reader.take(')')) return args;
  do args.push(parseArgument(reader));
  while (reader.take(','));
  if (!reader.take(')')) throw reader.unexpected(`[{')', ','}]`);
  return args;
}

function parseArgument(reader: TokenReader): Argument {
  if (reader.peek().kind === 'id' && reader.is('->', 1)) return parseLambda(reader);
  if (reader.is('(') && isLambdaHead(reader)) return parseLambda(reader);
  const length = reader.is('this') ? 1 : typeLength(reader);
  if (length > 0 && reader.is('::', length)) return parseReference(reader);
  return reader.grammar.expression(reader);
}

/** Whether the parenthesis at the place closes in front of an arrow. */
function isLambdaHead(reader: TokenReader): boolean {
  let ahead = 1;
  while (!reader.is(')', ahead)) {
    const { kind, text } = reader.peek(ahead);
    const mayStand = kind === 'id' || kind === 'def' || kind === 'primitive' || [',', '.', '[', ']'].includes(text);
    if (!mayStand || kind === 'text') return false;
    ahead++;
  }
  return reader.is('->', ahead + 1);
}

function parseLambda(reader: TokenReader): Argument {
  const { at } = reader.peek();
  const parameters = reader.is('(') ? parseParameters(reader, true) : [untyped(reader)];
  reader.expect('->');
  const body = reader.is('{') ? reader.grammar.block(reader) : reader.grammar.expression(reader);
  return { kind: 'lambda', at, parameters, body };
}

function untyped(reader: TokenReader): Parameter {
  const name = reader.name();
  return { type: null, name: name.text, at: name.at };
}

/** Reads the parameters of a function, or of a lambda, whose parameters may lack their types. */
export function parseParameters(reader: TokenReader, mayLackTypes: boolean): Parameter[] {
  reader.expect('(');
  const parameters: Parameter[] = [];
  if (reader.take(')')) return parameters;
  do {
    if (mayLackTypes && reader.peek().kind === 'id' && (reader.is(',', 1) || reader.is(')', 1)))
      parameters.push(untyped(reader));
    else {
      const type = parseType(reader);
      const name = reader.name();
      parameters.push({ type, name: name.text, at: name.at });
    }
  } while (reader.take(','));
  reader.expect(')');
  return parameters;
}

function parseReference(reader: TokenReader): Argument {
  const { at } = reader.peek();
  const type = reader.take('this') ? { name: 'this', dimensions: 0 } : parseType(reader);
  reader.expect('::');
  const name = reader.is('new') ? reader.next() : reader.name();
  return { kind: 'reference', at, owner: type.name + '[]'.repeat(type.dimensions), name: name.text };
}
