import type { Token } from './lexer.js';

const LITERALS: Readonly<Record<string, string>> = {
  PLUS: '"+"',
  MINUS: '"-"',
  LPAREN: '"("',
  RPAREN: '")"',
  COLON: '":"',
  STAR: '"*"',
  CARAT: '"^"',
  RANGEIN_START: '"["',
  RANGEEX_START: '"{"',
  RANGEIN_END: '"]"',
  RANGEEX_END: '"}"',
  RANGE_TO: '"TO"',
};
const TERMS = ['<QUOTED>', '<TERM>', '<PREFIXTERM>', '<WILDTERM>', '<REGEXPTERM>', '"["', '"{"', '<NUMBER>'];
const MODIFIERS = ['<NOT>', '"+"', '"-"'];

/** Tokens that may follow at each point of the grammar, as Lucene's messages list them. */
export const EXPECTED = {
  clause: [...MODIFIERS, '<BAREOPER>', '"("', '"*"', ...TERMS, '<TERM>'],
  clauseAfterOperator: [...MODIFIERS, '<BAREOPER>', '"("', '"*"', ...TERMS, '<TERM>', '"*"'],
  clauseAfterModifier: ['<BAREOPER>', '"("', '"*"', ...TERMS, '<TERM>', '"*"'],
  afterTerm: [
    '<EOF>',
    '<AND>',
    '<OR>',
    ...MODIFIERS,
    '<BAREOPER>',
    '"("',
    '"*"',
    '"^"',
    '<QUOTED>',
    '<TERM>',
    '<FUZZY_SLOP>',
    '<PREFIXTERM>',
    '<WILDTERM>',
    '<REGEXPTERM>',
    '"["',
    '"{"',
    '<NUMBER>',
  ],
  insideParentheses: [
    '<AND>',
    '<OR>',
    ...MODIFIERS,
    '<BAREOPER>',
    '"("',
    '")"',
    '"*"',
    '"^"',
    '<QUOTED>',
    '<TERM>',
    '<FUZZY_SLOP>',
    '<PREFIXTERM>',
    '<WILDTERM>',
    '<REGEXPTERM>',
    '"["',
    '"{"',
    '<NUMBER>',
  ],
  number: ['<NUMBER>'],
  bound: ['<RANGE_QUOTED>', '<RANGE_GOOP>'],
  boundOrTo: ['"TO"', '<RANGE_QUOTED>', '<RANGE_GOOP>'],
  rangeEnd: ['"]"', '"}"'],
} as const;

/** Name of a point of the grammar. */
export type Expectation = keyof typeof EXPECTED;

/**
 * Returns the message of a syntax error: `Encountered "<EOF>" at line 1, column 3.` and the list of expected tokens.
 */
export function unexpectedToken(token: Token, expectation: Expectation): string {
  const kind = LITERALS[token.kind] ?? `<${token.kind}>`;
  const seen = token.kind === 'EOF' ? '"<EOF>"' : `" ${kind} "${token.image} ""`;
  const expected = EXPECTED[expectation];
  const list = expected.map((name) => (name === '<EOF>' ? '    <EOF> \n' : `    ${name} ...\n`)).join('');
  const head = expected.length === 1 ? 'Was expecting:' : 'Was expecting one of:';
  return `Encountered ${seen} at line ${token.line}, column ${token.column}.\n${head}\n${list}    `;
}
