import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { QuerySyntaxError } from './lexer.js';
import { type SyntaxNode, escapeSyntax, parseSyntax } from './syntax.js';

type Clause = Extract<SyntaxNode, { kind: 'clauses' }>['clauses'][number];

const SIGNS = { none: '', required: '+', prohibited: '-' };

function showClause({ conjunction, modifier, node }: Clause): string {
  return `${conjunction === 'none' ? '' : `${conjunction} `}${SIGNS[modifier]}${show(node)}`;
}

/** A short form: `+a -b (c d) f:x^2`. */
function show(node: SyntaxNode): string {
  const named = (field: string | null, text: string): string => (field === null ? text : `${field}:${text}`);
  switch (node.kind) {
    case 'clauses':
      return `(${node.clauses.map(showClause).join(' ')})`;
    case 'boost':
      return `${show(node.node)}^${node.boost}`;
    case 'text':
      return named(node.field, `{${node.text}}`);
    case 'phrase':
      return named(node.field, `"${node.text}"${node.slop === null ? '' : `~${node.slop}`}`);
    case 'fuzzy':
      return named(node.field, `${node.text}~${node.edits}`);
    case 'prefix':
      return named(node.field, `${node.text}*`);
    case 'range':
      return named(node.field, `${node.includeLow ? '[' : '{'}${node.low} ${node.high}${node.includeHigh ? ']' : '}'}`);
    default:
      return named(node.field, `${node.kind}<${node.text}>`);
  }
}

test('the classic syntax is read as Lucene reads it', () => {
  const cases: [text: string, shown: string][] = [
    ['quick fox', '{quick fox}'],
    ['quick AND fox OR dog', '({quick} and {fox} or {dog})'],
    ['quick fox AND dog cat', '({quick} {fox} and {dog} {cat})'],
    ['k:Quick Fox', '(k:{Quick} {Fox})'],
    ['+quick -fox dog', '(+{quick} -{fox} {dog})'],
    ['!quick', '(-{quick})'],
    ['t2:(quick fox)^2', 't2:{quick fox}^2'],
    ['"a b"~3^2', '"a b"~3^2'],
    ['qu?ck* *', '(wildcard<qu?ck*> wildcard<*>)'],
    ['roam~ roam~1', '(roam~ roam~1)'],
    ['n:[1 TO 5} n:{* TO x]', '(n:[1 5} n:{null x])'],
    ['/a.*b/ c', '(regexp<a.*b> {c})'],
    ['a\\:b \\u0041', '{a:b A}'],
    ['a && b || c', '({a} and {b} or {c})'],
    ['a - b', '({a} {-} {b})'],
    ['f:>=10', 'f:{>=10}'],
    ['*:*', '*:wildcard<*>'],
  ];
  for (const [text, shown] of cases) assert.equal(show(parseSyntax(text)), shown, text);
});

test("text outside the syntax is refused with the parser's words", () => {
  const cases: [text: string, message: RegExp][] = [
    ['a:(', /^Encountered "<EOF>" at line 1, column 3\.\nWas expecting one of:\n {4}<NOT> \.\.\.\n {4}"\+" \.\.\./],
    ['quick)', /^Encountered " "\)" "\) "" at line 1, column 5\./],
    ['AND a', /^Encountered " <AND> "AND "" at line 1, column 0\./],
    ['a^', /^Encountered "<EOF>" at line 1, column 2\.\nWas expecting:\n {4}<NUMBER> \.\.\.\n {4}$/],
    [
      'n:[1 TO 5',
      /^Encountered "<EOF>" at line 1, column 9\.\nWas expecting one of:\n {4}"\]" \.\.\.\n {4}"\}" \.\.\./,
    ],
    [
      '"quick',
      /^Lexical error at line 1, column 7\. {2}Encountered: <EOF> after prefix "\\"quick" \(in lexical state 2\)$/,
    ],
    ['a\\', /^Lexical error at line 1, column 3\. {2}Encountered: <EOF> \(in lexical state 2\)$/],
  ];
  for (const [text, message] of cases)
    assert.throws(
      () => parseSyntax(text),
      (error: Error) => error instanceof QuerySyntaxError && message.test(error.message),
      text,
    );
});

test('any text either parses or is a syntax error, and an escaped text is always words', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab:()[]{}"~*?\\/^+-!&| TO1.AND') }), (text) => {
      try {
        parseSyntax(text);
      } catch (error) {
        assert.ok(error instanceof QuerySyntaxError, String(error));
      }
      const word = text.replaceAll(' ', '').replace(/[<>]/g, '');
      if (!['', 'AND', 'OR', 'NOT'].includes(word))
        assert.deepEqual(parseSyntax(escapeSyntax(word)), { kind: 'text', field: null, text: word, words: 1 });
    }),
    { numRuns: 500 },
  );
});

test('deep nesting is refused instead of exhausting the stack', () => {
  assert.throws(() => parseSyntax(`${'('.repeat(5000)}a${')'.repeat(5000)}`), QuerySyntaxError);
});

test('a hundred thousand tokens are placed in one pass over the text', () => {
  assert.throws(() => parseSyntax('!'.repeat(100_000)), QuerySyntaxError);
  assert.throws(() => parseSyntax(`${'a\n'.repeat(100_000)}(`), /line 100001, column 1/);
});

test('a text of more clauses than allowed is refused', () => {
  assert.throws(() => parseSyntax('a OR '.repeat(10) + 'a', 10), /too many boolean clauses/);
  assert.doesNotThrow(() => parseSyntax('a OR '.repeat(9) + 'a', 10));
});
