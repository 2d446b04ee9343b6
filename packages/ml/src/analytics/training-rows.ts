import { errors } from '@shoal/errors';
import { seededDraws, type TrainTarget } from '@shoal/learning';
import type { TreeSpec } from './analytics-config.js';

/** Rows that are learnt from. */
export interface TrainingRows {
  readonly rows: Int32Array;
  /** 1 for a row that is learnt from. */
  readonly isTraining: Uint8Array;
  /** Rows that have a target. */
  readonly known: number;
}

/** Draws the rows to learn from among those with a target; of each class the same share (stratified sampling). */
export function trainingRows({ trainingPercent, seed }: TreeSpec, target: TrainTarget): TrainingRows {
  const { values } = target;
  const groups = new Map<number, number[]>();
  values.forEach((value, row) => {
    if (Number.isNaN(value)) return;
    const key = target.kind === 'classification' ? value : 0;
    const own = groups.get(key) ?? [];
    own.push(row);
    groups.set(key, own);
  });
  const draw = seededDraws(seed ^ 0x2545f491);
  const isTraining = new Uint8Array(values.length);
  let known = 0;
  for (const rows of groups.values()) {
    known += rows.length;
    for (let i = rows.length - 1; i > 0 && trainingPercent < 100; i--) {
      const j = Math.floor(draw() * (i + 1));
      [rows[i], rows[j]] = [rows[j]!, rows[i]!];
    }
    const count = Math.max(1, Math.round((rows.length * trainingPercent) / 100));
    for (const row of rows.slice(0, count)) isTraining[row] = 1;
  }
  const rows = Int32Array.from([...isTraining.keys()].filter((row) => isTraining[row] === 1));
  if (rows.length < 2)
    throw errors.status(
      `an analysis needs at least [2] documents with a dependent variable to learn from, found [${rows.length}]`,
      {
        status: 400,
      },
    );
  return { rows, isTraining, known };
}
