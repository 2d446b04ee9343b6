import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addId, findId, idIndex } from './id-index.kernel.js';
import { LiveVersions } from './live-versions.js';

const id = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.constantFrom('', 'ÿ', 'þ', 'Ā', '\u00ff\u0001', '\u0100', '😀', 'a'.repeat(512)),
);

test('the newest operation of each id is found, whatever its characters, until it is deleted', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.boolean()), { maxLength: 400 }), (steps) => {
      const versions = new LiveVersions();
      const model = new Map<string, number>();
      steps.forEach(([name, isDelete], seqNo) => {
        if (isDelete) {
          versions.delete(name);
          model.delete(name);
        } else {
          versions.put(name, seqNo, 1, 2, 3, 4);
          model.set(name, seqNo);
        }
      });
      for (const [name] of steps) assert.equal(versions.get(name)?.seqNo, model.get(name));
    }),
  );
});

test('many ids are told apart', () => {
  const versions = new LiveVersions();
  for (let i = 0; i < 50_000; i++) versions.put(`id-${i}`, i, 1, 1, i, i);
  for (let i = 0; i < 50_000; i++)
    assert.deepEqual(versions.get(`id-${i}`), { seqNo: i, primaryTerm: 1, version: 1, firstDoc: i, doc: i });
  assert.equal(versions.get('id-50000'), undefined);
});

test('ids of one hash are told apart, however many', () => {
  const index = idIndex();
  const ids = Array.from({ length: 1000 }, (_, i) => `é${i}€`);
  for (const [i, name] of ids.entries()) {
    assert.equal(findId(index, name, 7), -1);
    assert.equal(addId(index, name, 7), i);
  }
  for (const [i, name] of ids.entries()) assert.equal(findId(index, name, 7), i);
});

test('ids whose hashes begin to differ when the table grows are found still', () => {
  const index = idIndex();
  const hashOf = (i: number): number => i << 8;
  for (let count = 1; count <= 300; count++) {
    addId(index, `id-${count - 1}`, hashOf(count - 1));
    for (let i = 0; i <= count; i++) assert.equal(findId(index, `id-${i}`, hashOf(i)), i < count ? i : -1);
  }
});
