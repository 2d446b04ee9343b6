import { tokenize } from './lexer.js';
import { parseParameters } from './parse-arguments.js';
import { parseExpression } from './parse-expression.js';
import { parseBlock, parseStatement } from './parse-statement.js';
import { parseType, typeLength } from './parse-type.js';
import { TokenReader } from './token-reader.js';
import type { FunctionNode, Script, Statement } from './tree.js';

/**
 * Parses a Painless script: functions first, then statements. Throws a SyntaxFailure at the offset of the token that
 * does not fit. Grammar: the Painless language specification of Elasticsearch 8.12, read by recursive descent with
 * binding powers (Pratt, "Top down operator precedence", 1973).
 */
export function parseScript(source: string): Script {
  const reader = new TokenReader(tokenize(source), { expression: parseExpression, block: parseBlock });
  const functions: FunctionNode[] = [];
  while (isFunction(reader)) functions.push(parseFunction(reader));
  const statements: Statement[] = [];
  while (reader.peek().kind !== 'end') statements.push(parseStatement(reader));
  return { functions, statements };
}

function isFunction(reader: TokenReader): boolean {
  const length = typeLength(reader);
  return length > 0 && reader.peek(length).kind === 'id' && reader.is('(', length + 1);
}

function parseFunction(reader: TokenReader): FunctionNode {
  const result = parseType(reader);
  const name = reader.name();
  return {
    at: result.at,
    result,
    name: name.text,
    parameters: parseParameters(reader, false),
    body: parseBlock(reader),
  };
}
