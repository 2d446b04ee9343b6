import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { keepMinScore } from './min-score.kernel.js';

kernelContract(
  'keepMinScore drops documents that score less than the minimum',
  ({ scores, minimum }) => {
    const [docs, own] = [Int32Array.from(scores, (_, i) => i * 3), Float64Array.from(scores)];
    const size = keepMinScore(minimum, docs, own, scores.length);
    return Array.from({ length: size }, (_, i) => [docs[i], own[i]]);
  },
  ({ scores, minimum }) => scores.map((score, i) => [i * 3, score]).filter(([, score]) => score! >= minimum),
  fc.record({ scores: fc.array(fc.nat(5)), minimum: fc.nat(6) }),
);
