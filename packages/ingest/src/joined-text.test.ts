import assert from 'node:assert/strict';
import { test } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';
import { compileTextRegex } from '@shoal/script';
import { replaceAllAsJava } from './java-replacement.js';
import { JoinedText } from './joined-text.js';

test('pieces are joined in their order, whatever their lengths', () => {
  const text = new JoinedText();
  const pieces = ['', 'a', 'b'.repeat(40_000), '', 'c', 'd'.repeat(32_768), 'e'];
  for (const piece of pieces) text.add(piece);
  assert.equal(text.join(), pieces.join(''));
  assert.equal(new JoinedText().join(), '');
});

test('a text of hundreds of thousands of replacements is one text, not a tree of them', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    return v8.getHeapStatistics().used_heap_size;
  };
  const text = 'ab'.repeat(400_000);
  const site = { charge: () => undefined, pause: () => null };
  const regex = compileTextRegex('b');
  const pattern = { matcher: (of: string) => regex.matcher(of, () => undefined) };
  const before = used();
  const result = await replaceAllAsJava(pattern, text, 'xy', site);
  const bytes = used() - before;
  assert.equal(result.length, 1_200_000);
  // A tree would take 25 MB and more.
  assert.ok(bytes < 8_000_000, `${bytes} bytes`);
});
