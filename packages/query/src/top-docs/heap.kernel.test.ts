import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { offerScores } from './heap.kernel.js';

kernelContract(
  'offerScores keeps the best documents, of equal ones the first',
  ({ windows, capacity }) => {
    const [scores, docs] = [new Float64Array(capacity), new Int32Array(capacity)];
    let [size, base] = [0, 0];
    for (const window of windows) {
      const own = Int32Array.from(window, (_, i) => i);
      size = offerScores(own, Float64Array.from(window), window.length, base, scores, docs, size, capacity);
      base += window.length;
    }
    const kept = Array.from({ length: size }, (_, i) => ({ score: scores[i]!, doc: docs[i]! }));
    return kept.sort((a, b) => b.score - a.score || a.doc - b.doc);
  },
  ({ windows, capacity }) =>
    windows
      .flat()
      .map((score, doc) => ({ score, doc }))
      .sort((a, b) => b.score - a.score || a.doc - b.doc)
      .slice(0, capacity),
  fc.record({ windows: fc.array(fc.array(fc.nat(9)), { maxLength: 5 }), capacity: fc.nat(9) }),
  500,
);
