import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areMarked, markedParts, matchedWords } from './marks.js';

test('words that matched are told by field, and for the field that a variant is of', () => {
  const others = [['highlight', '{"message.keyword":["\ue000Time out\ue001"],"m":["a \ue000b\ue001 \ue000cc\ue001"]}']];
  const words = matchedWords({ others: others as never });
  assert.deepEqual(words.get('message'), ['Time out']);
  assert.deepEqual(words.get('m'), ['cc', 'b']);
  assert.equal(matchedWords({ others: [] }).size, 0);
  const markup = [['highlight', '{"m":["an <em>element</em> of the document"]}']];
  assert.deepEqual([...matchedWords({ others: markup as never }).values()].flat(), []);
});

test('a text is cut where a word stands alone, and keeps each character', () => {
  const marked = (text: string, words: readonly string[]): string =>
    markedParts(text, words)
      .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
      .join('');
  assert.equal(marked('a cat, catalogue; cat', ['cat', 'a']), '[a] [cat], catalogue; [cat]');
  assert.equal(marked('<b>x</b>', ['x']), '<b>[x]</b>');
  assert.equal(marked('größe gr', ['gr']), 'größe [gr]');
  assert.equal(marked('', ['a']), '');
  assert.equal(marked('none', []), 'none');
  assert.ok(areMarked(['text', 'long']));
  assert.ok(!areMarked(Array.from({ length: 501 }, () => 'text')));
});
