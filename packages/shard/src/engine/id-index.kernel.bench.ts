import { bench } from '@shoal/testing';
import { textHash } from '../buffer/hash-slots.kernel.js';
import { addId, findId, idIndex } from './id-index.kernel.js';

const COUNT = 10_000;
const ids = Array.from({ length: COUNT }, (_, i) => `AbCdEfGh${i}`);
const hashes = Int32Array.from(ids, textHash);
const index = idIndex();
ids.forEach((id, i) => void addId(index, id, hashes[i]!));
let sum = 0;
bench('find an id', COUNT, () => {
  for (let i = 0; i < COUNT; i++) sum += findId(index, ids[i]!, hashes[i]!);
});
bench('add an id', COUNT, () => {
  const own = idIndex();
  for (let i = 0; i < COUNT; i++) addId(own, ids[i]!, hashes[i]!);
});
process.stdout.write(`${sum}\n`);
