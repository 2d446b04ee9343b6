import { inPath } from './index-rows.js';

/** Characters of names in one path: paths of 8 KB are refused. */
const CHARS_MAX = 4_000;

/** Names as parts of paths, joined by commas, as few as fit. */
export function nameBatches(names: readonly string[], charsMax = CHARS_MAX): readonly string[] {
  const batches: string[] = [];
  let batch = '';
  for (const name of names.map(inPath)) {
    if (batch !== '' && batch.length + 1 + name.length > charsMax) {
      batches.push(batch);
      batch = '';
    }
    batch = batch === '' ? name : `${batch},${name}`;
  }
  return batch === '' ? batches : [...batches, batch];
}
