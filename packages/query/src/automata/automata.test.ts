import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { intersectDictionary } from '../execute/dictionary/intersect-dictionary.kernel.js';
import type { Automaton } from './automaton.js';
import { editDistance, levenshteinAutomaton } from './levenshtein.js';
import { regexpAutomaton } from './regexp.js';
import { regexpFlags } from './regexp-flags.js';
import { wildcardAutomaton } from './wildcard.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '\u{1f600}', '1'), maxLength: 7 });
const regexp = (pattern: string, flags = 'ALL', caseInsensitive = false): Automaton =>
  regexpAutomaton(pattern, regexpFlags(flags), caseInsensitive, 10_000) as Automaton;

test('a Levenshtein automaton accepts exactly the texts within its distance and prefix', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      (term, other, edits, prefixLength, transpositions) => {
        const prefix = [...term].slice(0, prefixLength).join('');
        const rest = (one: string): string => one.slice(prefix.length);
        const expected = other.startsWith(prefix) && editDistance(rest(term), rest(other), transpositions) <= edits;
        assert.equal(levenshteinAutomaton(term, edits, prefixLength, transpositions).matches(other), expected);
      },
    ),
    { numRuns: 500 },
  );
});

test('a wildcard automaton agrees with a regular expression', () => {
  const pattern = fc
    .array(fc.constantFrom('*', '?', 'a', 'b', '\\*', 'é'), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, text, (wildcard, term) => {
      const source = wildcard.replace(/\\\*|\*|\?/g, (found) =>
        found === '*' ? '[^]*' : found === '?' ? '[^]' : '\\*',
      );
      assert.equal(wildcardAutomaton(wildcard, false).matches(term), new RegExp(`^(?:${source})$`, 'u').test(term));
    }),
    { numRuns: 500 },
  );
});

test('a wildcard of any length has an automaton', () => {
  for (const part of ['*', '?', 'a', 'a*', '*a', '?*'])
    assert.equal(wildcardAutomaton(part.repeat(20_000), false).matches('b'), part === '*');
  assert.equal(wildcardAutomaton('*'.repeat(20_000), false).matches('any'), true);
  assert.equal(wildcardAutomaton('*a'.repeat(100), false).matches('ba'.repeat(100)), true);
});

test('a wildcard that needs too many states is refused', () => {
  const automaton = wildcardAutomaton(`*${'a'.repeat(20_000)}`, false);
  assert.throws(() => automaton.matches('a'.repeat(20_000)), {
    type: 'illegal_argument_exception',
    message: /Determinizing automaton would require more than 5000000 effort\./,
  });
});

test('regular expressions have the operators of Lucene', () => {
  const cases: [pattern: string, accepted: string[], refused: string[]][] = [
    ['ab.*', ['ab', 'abc'], ['a', 'xab']],
    ['a{2,3}b?', ['aa', 'aaab'], ['a', 'aaaa']],
    ['(foo|ba[r-z])+', ['foo', 'bazfoo'], ['ba', '']],
    ['[^a-c]x', ['dx'], ['ax', 'x']],
    ['~(ab.*)', ['a', 'b', ''], ['ab', 'abc']],
    ['<9-11>', ['9', '10', '011'], ['8', '12']],
    ['<01-12>', ['07', '12'], ['7', '13']],
    ['<0000-9999>', ['0000', '9999'], ['999', '10000']],
    ['<1-2147483647>&.*7', ['7', '2147483647', '0999997'], ['0', '2147483657', '8']],
    ['aaa.*&.*bbb', ['aaabbb', 'aaaxbbb'], ['aaa', 'bbb']],
    ['@', ['', 'anything'], []],
    ['#', [], ['', 'a']],
    ['"a.b"', ['a.b'], ['axb']],
    ['a\\.b', ['a.b'], ['axb']],
    ['\\d+\\w', ['12x'], ['x1']],
  ];
  for (const [pattern, accepted, refused] of cases) {
    for (const term of accepted) assert.ok(regexp(pattern).matches(term), `${pattern} accepts ${term}`);
    for (const term of refused) assert.ok(!regexp(pattern).matches(term), `${pattern} refuses ${term}`);
  }
  assert.ok(regexp('a~b', 'NONE').matches('a~b'));
  assert.ok(regexp('AbC', 'ALL', true).matches('aBc'));
  assert.throws(() => regexp('[ab'), { reason: "expected ']' at position 3" });
  assert.throws(() => regexp('<1-2147483648>'), { reason: 'interval syntax error at position 13' });
  assert.throws(() => regexp(`<1-1${'9'.repeat(30)}>&5`), { reason: 'interval syntax error at position 34' });
  assert.throws(() => regexpFlags('ZZ'), { reason: 'Unknown regexp flag [ZZ]' });
});

test('an interval has the numbers between its bounds', () => {
  const bound = fc.nat(3000);
  fc.assert(
    fc.property(bound, bound, fc.array(fc.nat(3500), { minLength: 20, maxLength: 20 }), (a, b, numbers) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const automaton = regexp(`<${a}-${b}>`);
      const digits = String(a).length === String(b).length ? String(a).length : 0;
      for (const n of [low, high, Math.max(0, low - 1), high + 1, ...numbers])
        assert.equal(automaton.matches(String(n).padStart(digits, '0')), n >= low && n <= high, `<${a}-${b}> ${n}`);
    }),
    { numRuns: 100 },
  );
});

test('running an automaton over a dictionary with shared prefixes finds what matching each term finds', () => {
  const patterns = ['a.*', '.*b', '(a|b)+c?', '.{2}', '~(a.*)', '.*'];
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 60 }), fc.constantFrom(...patterns), (unsorted, pattern) => {
      const terms = [...unsorted].sort();
      const starts = Int32Array.from([0, ...terms.map((_, i) => terms.slice(0, i + 1).join('').length)]);
      const shared = Uint8Array.from(terms, (term, i) => sharedPrefix(terms[i - 1] ?? '', term));
      const found = new Int32Array(terms.length);
      const automaton = regexp(pattern);
      const count = intersectDictionary(terms.join(''), starts, shared, 0, terms.length, automaton, found);
      const expected = terms.flatMap((term, i) => (regexp(pattern).matches(term) ? [i] : []));
      assert.deepEqual([...found.subarray(0, count)], expected);
    }),
    { numRuns: 300 },
  );
});

function sharedPrefix(a: string, b: string): number {
  let i = 0;
  while (i < Math.min(a.length, b.length) && a.codePointAt(i) === b.codePointAt(i))
    i += a.codePointAt(i)! > 0xffff ? 2 : 1;
  return i;
}
