import { ScoreExplanation } from '@shoal/script';
import type { SegmentReader } from '@shoal/segments';
import { multiNumbers } from '@shoal/segments';
import { formatDouble, formatFloat } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { functionValues } from '../execute/weights/score-functions.js';
import { asFilter, type WeightContext, within } from '../execute/weight-context.js';
import type { ScoreFunction } from '../plan.js';
import { scriptText } from '../scripts/script-text.js';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';

type FunctionScore = PlanOf<'functionScore'>;
type Definition = ScoreFunction['function'];
type Decay = Extract<Definition, { kind: 'decay' }>;

const line = (value: number, text: string, details: readonly Explanation[] = []): Explanation =>
  explanation(Math.fround(value), text, details);

/** Explains a function_score: the score of its query, each function that applies, and how they are combined. */
export function explainFunctions(plan: FunctionScore, context: WeightContext, place: ExplainPlace): Explanation {
  const query = place.explain(plan.plan, within(context, plan.boost), place);
  if (!query.match || plan.functions.length === 0) return withMinScore(plan, query);
  const scored = { ...context, query, place };
  const [first] = plan.functions;
  if (first!.function.kind === 'script' && first!.function.isQuery)
    return withMinScore(plan, explainScriptScore(first!, scored));
  const found = plan.functions.flatMap((one) => explainFunction(one, scored));
  return withMinScore(plan, combined(plan, query, factorOf(plan, found)));
}

/** What functions are explained by: the document and its score by the query. */
interface Scored extends WeightContext {
  readonly query: Explanation;
  readonly place: ExplainPlace;
}

/** Explains the score that a script makes instead of that of the query. */
function explainScriptScore({ function: scored, weight }: ScoreFunction, context: Scored): Explanation {
  const plain = explainPlain(scored, context);
  if (weight === null) return plain;
  const boost = Math.fround(weight);
  return line(plain.value * boost, 'Boosted score, product of:', [line(boost, 'boost'), plain]);
}

function withMinScore({ minScore }: FunctionScore, found: Explanation): Explanation {
  if (!found.match || minScore === null || found.value >= minScore) return found;
  const texts = [minScore, found.value].map((value) => formatFloat(Math.fround(value)));
  return noMatch(`Score value is too low, expected at least ${texts[0]} but got ${texts[1]}`, [found]);
}

const hasFilter = ({ filter }: ScoreFunction): boolean => filter !== null && filter.kind !== 'all';

function explainFunction(one: ScoreFunction, context: Scored): Explanation[] {
  const { filter } = one;
  const { place } = context;
  if (filter !== null && !explainAsWhole(filter, asFilter(context), place).match) return [];
  const plain = explainPlain(one.function, context);
  const weighted =
    one.weight === null
      ? plain
      : line(plain.value * Math.fround(one.weight), 'product of:', [plain, line(one.weight, 'weight')]);
  if (filter === null || !hasFilter(one)) return [weighted];
  const match = line(1, `match filter: ${place.describe(filter)}`);
  return [line(weighted.value, 'function score, product of:', [match, weighted])];
}

/** Value of one function in a document, without its weight. */
function explainPlain(definition: Definition, { searcher, query, place }: Scored): Explanation {
  const values = new Float64Array(1);
  const scores = Float64Array.of(query.value);
  const said = new ScoreExplanation();
  functionValues(definition, searcher, place.segment, said)(Int32Array.of(place.doc), 1, values, scores);
  const value = values[0]!;
  switch (definition.kind) {
    case 'weight':
      return line(1, 'constant score 1.0 - no function provided');
    case 'random':
      return line(value, `random score function (seed: ${definition.givenSeed}, field: ${definition.field})`);
    case 'fieldValueFactor': {
      const { field, missing, modifier, factor } = definition;
      const orMissing = missing === null ? '' : `?:${formatDouble(missing)}`;
      const text = `${modifier}(doc['${field}'].value${orMissing} * factor=${formatFloat(factor)})`;
      return line(value, `field value function: ${text}`);
    }
    case 'script':
      // As in 8.12, the words of a script of `function_score` are not asked for.
      if (definition.isQuery && said.text !== null)
        return { ...explanation(value, said.text, definition.usesScore ? [query] : []), isExact: true };
      return line(
        value,
        `script score function, computed with script:"${scriptText(definition.script)}"`,
        definition.usesScore ? [line(query.value, '_score: ', [query])] : [],
      );
    case 'decay':
      return line(value, `Function for field ${definition.field}:`, [
        line(value, decayText(definition, place.segment.reader, place.doc)),
      ]);
  }
}

function decayText(decay: Decay, reader: SegmentReader, doc: number): string {
  const distance = distanceText(decay, reader, doc);
  const { shape, scale } = decay;
  if (shape === 'gauss')
    return `exp(-0.5*pow(${distance},2.0)/${formatDouble((-0.5 * scale ** 2) / Math.log(decay.decay))})`;
  if (shape === 'exp') return `exp(- ${distance} * ${formatDouble(-Math.log(decay.decay) / scale)})`;
  const reach = formatDouble(scale / (1 - decay.decay));
  return `max(0.0, ((${reach} - ${distance})/${reach})`;
}

function distanceText(decay: Decay, reader: SegmentReader, doc: number): string {
  const { origin, field, multiValueMode } = decay;
  const offset = `${formatDouble(decay.offset)}(=offset), 0)`;
  if (typeof origin === 'number') {
    const values = multiNumbers();
    reader.numbers(field)?.readAll(Int32Array.of(doc), 1, values);
    const texts = valuesOf(values).map(
      (value) =>
        `Math.max(Math.abs(${formatDouble(value)}(=doc value) - ${formatDouble(origin)}(=origin))) - ${offset}`,
    );
    return `${multiValueMode}[${texts.length === 0 ? '0.0' : texts.join(', ')}]`;
  }
  const lats = multiNumbers();
  const lons = multiNumbers();
  reader.geo(field)?.readAll(Int32Array.of(doc), 1, lats, lons);
  const [lat, lon] = origin;
  const at = valuesOf(lats).map((value, i) => `${formatDouble(value)}, ${formatDouble(lons.values[i]!)}`);
  const texts = at.map(
    (point) =>
      `Math.max(arcDistance(${point}(=doc value),${formatDouble(lat)}, ${formatDouble(lon)}(=origin)) - ${offset}`,
  );
  return `${multiValueMode} of: [${texts.length === 0 ? '0.0' : texts.join(', ')}]`;
}

const valuesOf = ({ starts, values }: ReturnType<typeof multiNumbers>): number[] => [...values.subarray(0, starts[1])];

/** Joins the functions by the score mode. A function without a filter that stands alone is shown as it is. */
function factorOf(plan: FunctionScore, found: readonly Explanation[]): Explanation {
  const [first] = found;
  if (first === undefined) return line(1, 'No function matched');
  if (plan.functions.length === 1 && !hasFilter(plan.functions[0]!)) return first;
  return line(joined(plan, found), `function score, score mode [${plan.scoreMode}]`, found);
}

function joined({ functions, scoreMode }: FunctionScore, found: readonly Explanation[]): number {
  const values = found.map((one) => one.value);
  switch (scoreMode) {
    case 'first':
      return values[0]!;
    case 'sum':
      return values.reduce((sum, value) => sum + value, 0);
    case 'avg': {
      const weights =
        functions.length === found.length ? functions.map(({ weight }) => weight ?? 1) : values.map(() => 1);
      return values.reduce((sum, value) => sum + value, 0) / weights.reduce((sum, weight) => sum + weight, 0);
    }
    case 'max':
      return Math.max(...values);
    case 'min':
      return Math.min(...values);
    default:
      return values.reduce((product, value) => product * value, 1);
  }
}

/** Largest float: `max_boost` if none was given. */
const FLOAT_MAX = 3.4028234663852886e38;

function combined({ boostMode, maxBoost }: FunctionScore, query: Explanation, factor: Explanation): Explanation {
  const most = Math.min(maxBoost, FLOAT_MAX);
  const limited = line(Math.min(factor.value, most), 'min of:', [factor, line(most, 'maxBoost')]);
  const details = [query, limited];
  switch (boostMode) {
    case 'replace':
      return limited;
    case 'sum':
      return line(query.value + limited.value, 'sum of', details);
    case 'avg':
      return line((query.value + limited.value) / 2, 'avg of', details);
    case 'min':
      return line(Math.min(query.value, limited.value), 'min of', details);
    case 'max':
      return line(Math.max(query.value, limited.value), 'max of', details);
    default:
      return line(query.value * limited.value, 'function score, product of:', details);
  }
}
