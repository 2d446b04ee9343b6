import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyzeParts } from './analyze-parts.js';
import type { Analyzer, CustomDefinition } from './analyzer.js';
import { buildAnalysisRegistry } from './registry.js';

const registry = buildAnalysisRegistry({}, { isGlobal: true });

/** `term@position[start-end]` of all tokens, and the position behind them. */
function tokensOf(analyzer: Analyzer, text: string): { shown: string[]; end: number; parts: number } {
  const shown: string[] = [];
  let end = 0;
  let parts = 0;
  for (const { list, offset, position } of analyzeParts(analyzer, text)) {
    parts++;
    for (let i = 0; i < list.count; i++)
      shown.push(
        `${list.terms[i]}@${position + list.positions[i]!}` +
          `[${offset + list.startOffsets[i]!}-${offset + list.endOffsets[i]!}]`,
      );
    end = position + list.endPosition;
  }
  return { shown, end, parts };
}

function wholeOf(analyzer: Analyzer, text: string): { shown: string[]; end: number } {
  const list = analyzer.analyze(text);
  const shown = Array.from(
    { length: list.count },
    (_, i) => `${list.terms[i]}@${list.positions[i]}[${list.startOffsets[i]}-${list.endOffsets[i]}]`,
  );
  return { shown, end: list.endPosition };
}

const word = fc.constantFrom('the', 'Foxes', "it's", '3.14', 'a-b', 'ä', '漢字', '  ', '.', '\n', '\u0301');
const CHAINS: readonly [CustomDefinition, boolean][] = [
  [{ tokenizer: 'standard', filter: ['lowercase', 'stop', 'porter_stem'] }, true],
  [{ tokenizer: 'whitespace' }, true],
  [{ tokenizer: 'letter', filter: ['lowercase'] }, true],
  [{ tokenizer: 'standard', filter: ['shingle'] }, false],
  [{ tokenizer: 'keyword' }, false],
];

test('a text in parts has the tokens of the whole', () => {
  const analyzers: [Analyzer, boolean][] = [
    [registry.analyzer('standard')!, true],
    [registry.analyzer('english')!, true],
    ...CHAINS.map(([chain, isCut]): [Analyzer, boolean] => [registry.custom(chain), isCut]),
  ];
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 200 }), (words) => {
      const text = `${words.join(' ')} `.repeat(Math.ceil(40_000 / words.join(' ').length));
      for (const [analyzer, isCut] of analyzers) {
        const { parts, ...found } = tokensOf(analyzer, text);
        assert.deepEqual(found, wholeOf(analyzer, text), analyzer.name);
        if (!isCut) assert.equal(parts, 1);
      }
    }),
    { numRuns: 10 },
  );
  assert.equal(tokensOf(registry.analyzer('standard')!, 'quick fox '.repeat(10_000)).parts, 4);
});
