import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Analyzer } from './analyzer.js';
import { buildAnalysisRegistry, registryOptions } from './index.js';

const registry = buildAnalysisRegistry({});
const PANGRAM = "The 2 QUICK Brown-Foxes jumped over the lazy dog's bone. foo_bar";

/** Tokens as `term@position`; a token that spans n > 1 positions ends with `:n`. */
function show(analyzer: Analyzer, text: string): string {
  const list = analyzer.analyze(text, true);
  const tokens = Array.from({ length: list.count }, (_, i) => {
    const span = list.positionLengths[i] ?? 1;
    return `${list.terms[i]}@${list.positions[i]}${span === 1 ? '' : `:${span}`}`;
  });
  return tokens.join(' ');
}

const builtIn = (name: string, text: string): string => show(registry.analyzer(name)!, text);

test('the analyzers of the core give the tokens that Elasticsearch gave', () => {
  const cases = JSON.parse(readFileSync(new URL('../golden/analyzers.json', import.meta.url), 'utf8')) as {
    analyzer: string;
    text: string;
    tokens: string[];
  }[];
  for (const { analyzer, text, tokens } of cases) {
    const list = registry.analyzer(analyzer)!.analyze(text, true);
    const shown = Array.from(
      { length: list.count },
      (_, i) => `${list.terms[i]}|${list.startOffsets[i]}-${list.endOffsets[i]}|${list.types[i]}|${list.positions[i]}`,
    );
    assert.deepEqual(shown, tokens, `${analyzer}: ${text}`);
  }
});

test('analyzers of languages and patterns', () => {
  assert.equal(builtIn('english', PANGRAM), '2@1 quick@2 brown@3 fox@4 jump@5 over@6 lazi@8 dog@9 bone@10 foo_bar@11');
  assert.equal(builtIn('fingerprint', PANGRAM), "2 bone brown dog's foo_bar foxes jumped lazy over quick the@0");
  assert.equal(builtIn('pattern', "dog's foo_bar"), 'dog@0 s@1 foo_bar@2');
  assert.equal(builtIn('cjk', `the ${'日本語'} x`), '日本@1 本語@2 x@3');
  assert.equal(builtIn('german', 'Die Häuser der Straße'), 'haus@1 strass@3');
  assert.equal(builtIn('french', "l'avion des amis"), 'avion@0 ami@2');
});

test('a custom chain runs char filters, tokenizer and filters in order', () => {
  const chain = buildAnalysisRegistry({
    analyzer: {
      mine: {
        tokenizer: 'standard',
        char_filter: ['html_strip'],
        filter: ['lowercase', 'plural'],
        position_increment_gap: 7,
      },
    },
    filter: { plural: { type: 'stemmer', language: 'minimal_english' } },
  });
  const analyzer = chain.analyzer('mine')!;
  assert.equal(show(analyzer, '<b>Dogs</b> &amp; CATS'), 'dog@0 cat@1');
  assert.equal(analyzer.positionIncrementGap, 7);
  assert.deepEqual(
    chain.stages(analyzer)?.map((stage) => stage.name),
    ['html_strip', 'standard', 'lowercase', 'plural'],
  );
});

test('offsets are those of the original text', () => {
  const list = registry
    .custom({ tokenizer: 'standard', char_filter: ['html_strip', { type: 'mapping', mappings: [':) => happy'] }] })
    .analyze('<p>a &amp; :) b</p>');
  const offsets = Array.from({ length: list.count }, (_, i) => [
    list.terms[i],
    list.startOffsets[i],
    list.endOffsets[i],
  ]);
  assert.deepEqual(offsets, [
    ['a', 3, 4],
    ['happy', 11, 13],
    ['b', 14, 15],
  ]);
});

test('normalizers make one term', () => {
  const own = buildAnalysisRegistry({
    normalizer: { n: { type: 'custom', char_filter: ['c'], filter: ['lowercase', 'asciifolding'] } },
    char_filter: { c: { type: 'mapping', mappings: ['- => _'] } },
  });
  assert.equal(own.normalizer('n')?.normalize('Été-Là'), 'ete_la');
  assert.equal(own.normalizer('lowercase')?.normalize('ABC'), 'abc');
});

const FAULTS: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ analyzer: { a: { tokenizer: 'zzz' } } }, 'Custom Analyzer [a] failed to find tokenizer under name [zzz]'],
  [{ analyzer: { a: { type: 'custom' } } }, 'Custom Analyzer [a] must be configured with a tokenizer'],
  [
    { analyzer: { a: { tokenizer: 'standard', filter: 'zzz' } } },
    'Custom Analyzer [a] failed to find filter under name [zzz]',
  ],
  [
    { analyzer: { a: { tokenizer: 'standard', char_filter: ['zzz'] } } },
    'Custom Analyzer [a] failed to find char_filter under name [zzz]',
  ],
  [{ analyzer: { a: { type: 'zzz' } } }, 'Unknown analyzer type [zzz] for [a]'],
  [{ analyzer: { _a: { type: 'standard' } } }, 'analyzer name must not start with \'_\'. got "_a"'],
  [{ analyzer: { a: { type: 'standard', max_token_length: 0 } } }, 'maxTokenLength must be greater than zero'],
  [{ filter: { a: { type: 'zzz' } } }, 'Unknown filter type [zzz] for [a]'],
  [{ filter: { a: { x: 1 } } }, 'filter [a] must specify either an analyzer type, or a tokenizer'],
  [{ filter: { a: { type: 'standard' } } }, 'The [standard] token filter has been removed.'],
  [
    { filter: { a: { type: 'stop', ignore_case: 'yes' } } },
    'Failed to parse value [yes] as only [true] or [false] are allowed.',
  ],
  [
    { filter: { a: { type: 'shingle', min_shingle_size: 'x' } } },
    'Failed to parse int setting [min_shingle_size] with value [x]',
  ],
  [{ tokenizer: { a: { type: 'zzz' } } }, 'Unknown tokenizer type [zzz] for [a]'],
  [{ char_filter: { a: { type: 'zzz' } } }, 'Unknown char_filter type [zzz] for [a]'],
  [{ normalizer: { a: { type: 'zzz' } } }, 'Unknown normalizer type [zzz] for [a]'],
  [
    { normalizer: { a: { type: 'custom', filter: ['zzz'] } } },
    'Custom Analyzer [a] failed to find filter under name [zzz]',
  ],
  [{ normalizer: { a: { type: 'custom', filter: ['stop'] } } }, 'Custom normalizer [a] may not use filter [stop]'],
  [
    { normalizer: { a: { type: 'custom', tokenizer: 'keyword' } } },
    'Custom normalizer [a] cannot configure a tokenizer',
  ],
];

test('bad definitions are refused as Elasticsearch refuses them', () => {
  for (const [settings, reason] of FAULTS)
    assert.throws(() => buildAnalysisRegistry(settings), { reason }, JSON.stringify(settings));
});

test('unknown parts of an ad-hoc analyzer are named', () => {
  const global = buildAnalysisRegistry({}, { isGlobal: true });
  assert.throws(() => global.custom({ tokenizer: 'zz' }), { reason: 'failed to find global tokenizer under [zz]' });
  assert.throws(() => registry.custom({ tokenizer: 'standard', filter: ['zz'] }), {
    reason: 'failed to find filter under [zz]',
  });
  assert.throws(() => registry.custom({ tokenizer: { x: 1 } }), {
    reason: 'Missing [type] setting for anonymous tokenizer: {"x":1}',
  });
  assert.throws(() => registry.custom({ tokenizer: 'standard', filter: ['keep'] }), {
    reason: "Analysis settings required - can't instantiate analysis factory",
  });
});

test('a default analyzer of the settings replaces the standard one', () => {
  const own = buildAnalysisRegistry({
    analyzer: { default: { type: 'whitespace' }, default_search: { type: 'keyword' } },
  });
  assert.equal(show(own.defaultAnalyzer, 'A-b C'), 'A-b@0 C@1');
  assert.equal(show(own.defaultSearchAnalyzer, 'A-b C'), 'A-b C@0');
});

test('collecting terms gives what the token list has, gaps included', () => {
  for (const name of ['english', 'german', 'french', 'cjk', 'stop', 'standard', 'fingerprint', 'pattern']) {
    const analyzer = registry.analyzer(name)!;
    const terms: string[] = [];
    const positions: number[] = [];
    const end = analyzer.collect(PANGRAM, 10, terms, positions);
    const list = analyzer.analyze(PANGRAM);
    assert.deepEqual(terms, list.terms.slice(0, list.count), name);
    assert.deepEqual(
      positions,
      list.positions.slice(0, list.count).map((position) => position + 10),
      name,
    );
    assert.equal(end, list.endPosition + 10, name);
  }
});

test('the settings of an index widen the limits of grams and shingles', () => {
  const settings = { 'index.max_ngram_diff': '4', 'index.max_shingle_diff': 8 };
  const own = buildAnalysisRegistry(
    { filter: { s: { type: 'shingle', max_shingle_size: 9 } } },
    registryOptions(settings),
  );
  assert.equal(show(own.custom({ tokenizer: { type: 'ngram', min_gram: 1, max_gram: 5 } }), 'a'), 'a@0');
});

test('a filler at the end of a text has the offset of the end', () => {
  const filter = [{ type: 'stop', stopwords: ['b'] }, { type: 'shingle' }];
  const list = registry.custom({ tokenizer: 'standard', filter }).analyze('a b');
  const last = list.count - 1;
  assert.deepEqual([list.terms[last], list.startOffsets[last], list.endOffsets[last]], ['a _', 0, 3]);
});
