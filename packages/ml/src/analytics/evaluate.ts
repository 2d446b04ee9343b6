import { type CallContext, OwnCalls } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { bodyReader, isPlainObject, type JsonObject } from '@shoal/json';
import { areaUnderRoc, Confusion, RegressionErrors, type RocPoint } from '@shoal/learning';
import type { MlDoors } from '../ml-doors.js';

const PAGE = 1000;
/** Documents that an evaluation reads. */
const DOCUMENTS_MAX = 2_000_000;
const THRESHOLDS = [0.25, 0.5, 0.75];
const CLASSES_SHOWN = 10;
const CLASSES_MAX = 1000;

type Read = (field: string) => unknown;

/** An evaluation in the making: documents in, the answer out. */
interface Evaluation {
  /** Fields that a document needs. */
  readonly fields: readonly string[];
  add(read: Read): void;
  answer(): JsonObject;
}

/** Kinds of evaluations by their names. */
const KINDS: Readonly<Record<string, (body: unknown) => Evaluation>> = {
  outlier_detection: outlierEvaluation,
  regression: regressionEvaluation,
  classification: classificationEvaluation,
};

/** Evaluates predictions in documents of indices. Throws 8.12's errors. */
export async function evaluate(
  { coordinator }: Pick<MlDoors, 'coordinator'>,
  body: JsonObject,
  { subject, signal }: CallContext,
): Promise<JsonObject> {
  const reader = bodyReader('evaluate_data_frame', body);
  reader.onlyKeys(['index', 'query', 'evaluation']);
  const names = typeof body['index'] === 'string' ? [body['index']] : reader.texts('index');
  if (names.length === 0) throw errors.illegalArgument('Required [index]');
  const [kind, options] = singleMember(reader.object('evaluation'), 'evaluation');
  const make = Object.hasOwn(KINDS, kind) ? KINDS[kind]! : null;
  if (make === null)
    throw errors.namedObjectNotFound(`unknown field [${kind}], known: [${Object.keys(KINDS).join(', ')}]`);
  const evaluation = make(options);
  const query = reader.optionalObject('query') ?? { match_all: {} };
  const filter = [query, ...evaluation.fields.map((field) => ({ exists: { field } }))];
  const calls = new OwnCalls(coordinator, subject, signal);
  let count = 0;
  for await (const source of documentsOf(calls, names, { bool: { filter } })) {
    if (++count > DOCUMENTS_MAX)
      throw errors.illegalArgument(`more than [${DOCUMENTS_MAX}] documents match: give a [query] of fewer`);
    evaluation.add((field) => valueAt(source, field));
  }
  if (count === 0)
    throw errors.status(`No documents found containing all the required fields [${evaluation.fields.join(', ')}]`, {
      status: 400,
    });
  return { [kind]: evaluation.answer() };
}

function singleMember(body: JsonObject, what: string): readonly [string, unknown] {
  const entries = Object.entries(body);
  if (entries.length !== 1) throw errors.illegalArgument(`[${what}] must have exactly one member`);
  return entries[0]!;
}

async function* documentsOf(calls: OwnCalls, names: readonly string[], query: JsonObject): AsyncGenerator<JsonObject> {
  const id = await calls.openPointInTime(names);
  try {
    for (let after: unknown = undefined; ; ) {
      const answer = await calls.searchPlain(names, {
        ...{ size: PAGE, query, pit: { id, keep_alive: '5m' }, sort: [{ _shard_doc: 'asc' }], track_total_hits: false },
        ...(after === undefined ? {} : { search_after: after }),
      });
      const { hits } = answer['hits'] as unknown as { hits: readonly { _source: JsonObject; sort: unknown }[] };
      for (const { _source: source } of hits) yield source;
      if (hits.length < PAGE) return;
      after = hits[hits.length - 1]!.sort;
    }
  } finally {
    await calls.closePointInTime(id);
  }
}

/** Value of a field in a document: by its whole name, or along dots. */
function valueAt(source: JsonObject, field: string): unknown {
  if (Object.hasOwn(source, field)) return source[field];
  let value: unknown = source;
  for (const part of field.split('.')) {
    if (!isPlainObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** The metrics that a request names, with their options. */
function metricsOf(body: JsonObject, known: readonly string[], defaults: readonly string[]): Map<string, JsonObject> {
  const given = body['metrics'];
  if (given === undefined || given === null) return new Map(defaults.map((name) => [name, {}]));
  if (!isPlainObject(given)) throw errors.illegalArgument('[metrics] must be an object');
  if (Object.keys(given).length === 0) throw errors.illegalArgument('[metrics] must have one or more metrics');
  return new Map(
    Object.entries(given).map(([name, options]) => {
      if (!known.includes(name)) throw errors.illegalArgument(`unknown metric [${name}], known: [${known.join(', ')}]`);
      return [name, isPlainObject(options) ? options : {}] as const;
    }),
  );
}

function positive(options: JsonObject | undefined, key: string): number {
  const value = options?.[key] ?? 1;
  if (typeof value !== 'number' || !(value > 0)) throw errors.illegalArgument(`[${key}] must be a positive double`);
  return value;
}

function regressionEvaluation(body: unknown): Evaluation {
  const reader = bodyReader('regression', body);
  reader.onlyKeys(['actual_field', 'predicted_field', 'metrics']);
  const [actual, predicted] = [reader.text('actual_field'), reader.text('predicted_field')];
  const known = ['mse', 'msle', 'huber', 'r_squared'] as const;
  const metrics = metricsOf(body as JsonObject, known, ['mse', 'r_squared', 'huber']);
  const sums = new RegressionErrors(positive(metrics.get('msle'), 'offset'), positive(metrics.get('huber'), 'delta'));
  return {
    fields: [actual, predicted],
    add(read) {
      const [value, guess] = [Number(read(actual)), Number(read(predicted))];
      if (Number.isFinite(value) && Number.isFinite(guess)) sums.add(value, guess);
    },
    answer() {
      if (sums.count === 0) throw errors.status(`[${actual}] and [${predicted}] are not numbers`, { status: 400 });
      const values = sums.values();
      const shown = known.filter((name) => metrics.has(name)).map((name) => [name, { value: finite(values[name]) }]);
      return Object.fromEntries(shown) as JsonObject;
    },
  };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function curveJson(curve: readonly RocPoint[]): JsonObject[] {
  const step = Math.max(1, Math.floor(curve.length / 100));
  const shown = curve.filter((_, i) => i % step === 0 || i === curve.length - 1);
  return shown.map(({ truePositives: tpr, falsePositives: fpr, threshold }) => ({ tpr, fpr, threshold }));
}

/** Scores with whether a document is of the class that they are about. */
class Scored {
  readonly scores: number[] = [];
  readonly isClass: number[] = [];

  add(score: number, isOf: boolean): void {
    this.scores.push(score);
    this.isClass.push(isOf ? 1 : 0);
  }

  json(options: JsonObject, what: string): JsonObject {
    const hits = this.isClass.reduce((sum, own) => sum + own, 0);
    if (hits === 0 || hits === this.isClass.length)
      throw errors.status(
        `[auc_roc] requires at least one ${what} to have the value that is looked for, and one to have another`,
        { status: 400 },
      );
    const { area, curve } = areaUnderRoc(Float64Array.from(this.scores), Uint8Array.from(this.isClass));
    return { value: area, ...(options['include_curve'] === true ? { curve: curveJson(curve) } : {}) };
  }
}

const isActual = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1';

function thresholdsOf(options: JsonObject): readonly number[] {
  const at = options['at'] ?? THRESHOLDS;
  const isRight = Array.isArray(at) && at.length > 0 && at.every((t) => typeof t === 'number' && t >= 0 && t <= 1);
  if (!isRight) throw errors.illegalArgument('[at] must be numbers from 0 to 1');
  return at as number[];
}

function outlierEvaluation(body: unknown): Evaluation {
  const reader = bodyReader('outlier_detection', body);
  reader.onlyKeys(['actual_field', 'predicted_probability_field', 'metrics']);
  const [actual, probability] = [reader.text('actual_field'), reader.text('predicted_probability_field')];
  const known = ['auc_roc', 'precision', 'recall', 'confusion_matrix'];
  const metrics = metricsOf(body as JsonObject, known, known);
  for (const [name, options] of metrics) if (name !== 'auc_roc') thresholdsOf(options);
  const scored = new Scored();
  const at = (threshold: number): { tp: number; fp: number; tn: number; fn: number } => {
    const counts = { tp: 0, fp: 0, tn: 0, fn: 0 };
    scored.scores.forEach((score, i) => {
      const isOf = scored.isClass[i] === 1;
      if (score >= threshold) counts[isOf ? 'tp' : 'fp']++;
      else counts[isOf ? 'fn' : 'tn']++;
    });
    return counts;
  };
  const share = (part: number, rest: number): number => (part + rest === 0 ? 0 : part / (part + rest));
  const values: Readonly<Record<string, (threshold: number) => unknown>> = {
    precision: (threshold) => share(at(threshold).tp, at(threshold).fp),
    recall: (threshold) => share(at(threshold).tp, at(threshold).fn),
    confusion_matrix: at,
  };
  return {
    fields: [actual, probability],
    add(read) {
      const score = Number(read(probability));
      if (Number.isFinite(score)) scored.add(score, isActual(read(actual)));
    },
    answer: () =>
      Object.fromEntries(
        [...metrics].map(([name, options]) => {
          if (name === 'auc_roc') return [name, scored.json(options, actual)];
          const shown = thresholdsOf(options).map((threshold) => [String(threshold), values[name]!(threshold)]);
          return [name, Object.fromEntries(shown)];
        }),
      ) as JsonObject,
  };
}

function classificationEvaluation(body: unknown): Evaluation {
  const reader = bodyReader('classification', body);
  reader.onlyKeys(['actual_field', 'predicted_field', 'top_classes_field', 'metrics']);
  const [actual, predicted] = [reader.text('actual_field'), reader.optionalText('predicted_field')];
  const top = reader.optionalText('top_classes_field') ?? 'ml.top_classes';
  const known = ['accuracy', 'multiclass_confusion_matrix', 'precision', 'recall', 'auc_roc'];
  const metrics = metricsOf(body as JsonObject, known, known.slice(0, 4));
  const roc = metrics.get('auc_roc');
  const rocClass = roc === undefined ? null : bodyReader('auc_roc', roc).text('class_name');
  if (predicted === null && [...metrics.keys()].some((name) => name !== 'auc_roc'))
    throw errors.illegalArgument('[predicted_field] must be set for the metrics that are asked for');
  const size = Number(metrics.get('multiclass_confusion_matrix')?.['size'] ?? CLASSES_SHOWN);
  if (!Number.isInteger(size) || size < 1 || size > CLASSES_MAX)
    throw errors.illegalArgument(`[size] must be an integer in [1, ${CLASSES_MAX}]`);
  const [confusion, scored] = [new Confusion(), new Scored()];
  return {
    fields: predicted === null ? [actual] : [actual, predicted],
    add(read) {
      const name = String(read(actual));
      if (predicted !== null) confusion.add(name, String(read(predicted)));
      if (confusion.counts.size > CLASSES_MAX)
        throw errors.illegalArgument(`[${actual}] has more than [${CLASSES_MAX}] values`);
      if (rocClass !== null) scored.add(probabilityOf(read(top), rocClass), name === rocClass);
    },
    answer: () =>
      Object.fromEntries(
        [...metrics.keys()].map((name) => [
          name,
          name === 'auc_roc' ? scored.json(roc!, actual) : classMetric(name, confusion, size),
        ]),
      ) as JsonObject,
  };
}

/** Probability of a class in the classes of a result; 0 if it is not among them. */
function probabilityOf(classes: unknown, name: string): number {
  if (!Array.isArray(classes)) return 0;
  const found = classes.find((one: unknown) => isPlainObject(one) && String(one['class_name']) === name) as
    | JsonObject
    | undefined;
  return found === undefined ? 0 : Number(found['class_probability']);
}

function classMetric(name: string, confusion: Confusion, size: number): JsonObject {
  const classes = confusion.classes;
  const each = (value: (one: string) => number): JsonObject[] =>
    classes.map((one) => ({ class_name: one, value: value(one) }));
  const mean = (value: (one: string) => number): number =>
    classes.reduce((sum, one) => sum + value(one) / classes.length, 0);
  if (name === 'accuracy')
    return { classes: each((one) => confusion.accuracy(one)), overall_accuracy: confusion.overallAccuracy };
  if (name === 'precision')
    return { classes: each((one) => confusion.precision(one)), avg_precision: mean((one) => confusion.precision(one)) };
  if (name === 'recall')
    return { classes: each((one) => confusion.recall(one)), avg_recall: mean((one) => confusion.recall(one)) };
  const shown = classes.slice(0, size).sort();
  const matrix = shown.map((one) => {
    const row = confusion.counts.get(one)!;
    const predicted = shown.map((other) => ({ predicted_class: other, count: row.get(other) ?? 0 }));
    const known = predicted.reduce((sum, { count }) => sum + count, 0);
    return {
      ...{ actual_class: one, actual_class_doc_count: confusion.actual(one), predicted_classes: predicted },
      other_predicted_class_doc_count: confusion.actual(one) - known,
    };
  });
  return { confusion_matrix: matrix, other_actual_class_count: Math.max(0, classes.length - size) };
}
