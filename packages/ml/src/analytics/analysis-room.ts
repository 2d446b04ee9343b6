import { createHash } from 'node:crypto';
import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type JsonObject, stringify } from '@shoal/json';
import { TRAINER_VERSION, type TrainingBatch, TrainingLog } from '@shoal/learning';
import type { Analysis } from './analysis.js';
import { parseAnalytics } from './analytics-config.js';
import type { AnalyzedField } from './field-selection.js';
import { deflateDefinition } from '../models/model-definition.js';
import { outlierAnalysis } from './outlier-analysis.js';
import { TableBuilder } from './table-builder.js';
import { treeAnalysis } from './tree-analysis.js';

/** Longest time that a step takes, in milliseconds: other analyses, and the end of this one, wait for it. */
const STEP_MS = 50;

interface OpenAnalysis {
  readonly config: ReturnType<typeof parseAnalytics>;
  readonly fields: readonly AnalyzedField[];
  table: TableBuilder;
  work: Analysis | null;
  /** Made once all rows are there. */
  log: TrainingLog | null;
  untilMs: number;
}

const logOf = (own: OpenAnalysis): TrainingLog => {
  own.log ??= new TrainingLog(trainingTask(own));
  return own.log;
};

/** A batch as it was kept; null if it is damaged. */
function batchIn(bytes: Uint8Array): TrainingBatch | null {
  try {
    const batch = JSON.parse(Buffer.from(bytes).toString('utf8')) as TrainingBatch | null;
    return Array.isArray(batch?.losses) && Array.isArray(batch.rounds) ? batch : null;
  } catch {
    return null;
  }
}

/** Names what is trained: trees of another trainer, other columns or other settings would say something else here. */
function trainingTask({ config, fields, table }: OpenAnalysis): string {
  const columns = fields.map(({ name, kind }) => [name, kind]);
  const task = [TRAINER_VERSION, columns, table.rows, config.analysis as unknown as JsonObject];
  return createHash('sha256').update(stringify(task)).digest('base64');
}

/** Analyses on the thread of models: rows in, results and a model out. */
export function createAnalysisActions(monotonic: () => number): Readonly<Record<string, (body: JsonObject) => Value>> {
  const open = new Map<string, OpenAnalysis>();
  const analysisOf = ({ id }: JsonObject): OpenAnalysis => {
    const found = open.get(String(id));
    if (found === undefined) throw errors.illegalState(`analysis [${String(id)}] is not open here`);
    return found;
  };
  const workOf = (body: JsonObject): Analysis => {
    const { work } = analysisOf(body);
    if (work === null) throw errors.illegalState(`analysis [${String(body['id'])}] has not begun`);
    return work;
  };
  return {
    'analysis-open': (body) => {
      const id = String(body['id']);
      const config = parseAnalytics(id, body['config'], Number.MAX_SAFE_INTEGER);
      const fields = body['fields'] as unknown as readonly AnalyzedField[];
      open.set(id, { config, fields, table: new TableBuilder(fields), work: null, untilMs: 0, log: null });
      return null;
    },
    'analysis-rows': (body) => {
      const { table } = analysisOf(body);
      const bytes = body['rows'] as unknown as Uint8Array;
      const rows = JSON.parse(Buffer.from(bytes).toString('utf8')) as readonly (readonly unknown[])[];
      for (const row of rows) table.add(row);
      return { bytes: table.bytes };
    },
    // What an earlier run has trained, after the rows and before the analysis begins; false if it is of another task,
    // or does not follow what is known.
    'analysis-restore': (body) => {
      const batch = body['batch'] as unknown as Uint8Array;
      const known = batchIn(batch);
      return known !== null && logOf(analysisOf(body)).restore(known);
    },
    // What this run has trained since it was asked last; null for nothing.
    'analysis-trained': (body) => {
      const batch = logOf(analysisOf(body)).take();
      return batch === null ? null : Buffer.from(stringify(batch));
    },
    'analysis-begin': (body) => {
      const own = analysisOf(body);
      const isLate = (): boolean => monotonic() >= own.untilMs;
      const { analysis } = own.config;
      own.work =
        analysis.kind === 'outlier_detection'
          ? outlierAnalysis(analysis, own.fields, own.table, isLate)
          : treeAnalysis(analysis, own.fields, own.table, isLate, logOf(own));
      return { counts: own.work.counts, bytes: own.work.bytes };
    },
    'analysis-step': (body) => {
      analysisOf(body).untilMs = monotonic() + STEP_MS;
      return workOf(body).step() as unknown as Value;
    },
    'analysis-results': (body) => {
      const results = workOf(body).results(Number(body['from']), Number(body['to']));
      return Buffer.from(stringify(results));
    },
    'analysis-model': (body) => {
      const model = workOf(body).model();
      if (model === null) return null;
      const { definition, inputs, metadata, fieldType } = model;
      const compressed = deflateDefinition(definition);
      return { definition: compressed, inputs: [...inputs], metadata: stringify(metadata), fieldType };
    },
    'analysis-close': ({ id }) => {
      open.delete(String(id));
      return null;
    },
  };
}
