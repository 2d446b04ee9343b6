import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '../registry.js';

function terms(definition: object, text: string): string[] {
  const registry = buildAnalysisRegistry({ analyzer: { own: { type: 'snowball', ...definition } } });
  const { terms: found, positions, count } = registry.analyzer('own')!.analyze(text);
  return found.slice(0, count).map((term, i) => `${term}@${positions[i]}`);
}

test('analyzer snowball leaves out stop words and stems, English unless told otherwise', () => {
  assert.deepEqual(terms({}, "The fox's running Foxes"), ['fox@1', 'run@2', 'fox@3']);
  assert.deepEqual(terms({ language: 'German' }, 'die Häuser laufen'), ['haus@1', 'lauf@2']);
  assert.deepEqual(terms({ language: 'Spanish' }, 'los perros'), ['los@0', 'perr@1']);
  assert.deepEqual(terms({ name: 'French', stopwords: '_none_' }, 'les chevaux'), ['le@0', 'cheval@1']);
});

test('analyzer snowball is there by its name, and refuses algorithms that there are not', () => {
  const { terms: found, count } = buildAnalysisRegistry({}).analyzer('snowball')!.analyze('the Running foxes');
  assert.deepEqual(found.slice(0, count), ['run', 'fox']);
  assert.throws(() => terms({ language: 'Klingon' }, 'a'), { reason: 'Invalid stemmer class specified: Klingon' });
});
