import { bench } from '@shoal/testing';
import { offerScores } from './heap.kernel.js';

const COUNT = 4096;
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const random = Float64Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 8);
const rising = Float64Array.from({ length: COUNT }, (_, i) => i);
for (const [what, scores] of [
  ['random', random],
  ['rising', rising],
] as const)
  for (const capacity of [10, 1000]) {
    const [heapScores, heapDocs] = [new Float64Array(capacity), new Int32Array(capacity)];
    bench(`best ${capacity} of ${what} scores`, COUNT, () => {
      offerScores(docs, scores, COUNT, 0, heapScores, heapDocs, 0, capacity);
    });
  }
