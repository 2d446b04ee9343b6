import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { textHash } from '../buffer/hash-slots.kernel.js';
import { addId, findId, idIndex } from './id-index.kernel.js';

/** Adds the ids to an index; returns their numbers. */
function numbered(ids: readonly string[], hashOf: (id: string) => number): number[] {
  const index = idIndex();
  return ids.map((id) => {
    const found = findId(index, id, hashOf(id));
    return found >= 0 ? found : addId(index, id, hashOf(id));
  });
}

const inOrder = (ids: readonly string[]): number[] => {
  const distinct = [...new Set(ids)];
  return ids.map((id) => distinct.indexOf(id));
};
const id = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.nat(30).map(String),
  fc.constantFrom('\u00ff', '\u0100', '\uffff'),
);

kernelContract(
  'every id has the number of its first arrival',
  (ids) => numbered(ids, textHash),
  inOrder,
  fc.array(id, { maxLength: 300, size: 'max' }),
  100,
);

kernelContract(
  'ids of few hashes are told apart, also once the table grows',
  (ids) => numbered(ids, (own) => (own.length % 3) << 28),
  inOrder,
  fc.array(id, { maxLength: 300, size: 'max' }),
  60,
);
