import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { int, unknownField } from '../../parse/options.js';
import { parseField } from '../../parse/parse-field.js';
import { OBJECT, type SearchSection } from '../section.js';

/**
 * Reciprocal rank fusion: a document scores the sum of 1 / (`rankConstant` + its rank) over all result sets in whose
 * first `windowSize` hits it is (Cormack, Clarke, Buettcher: Reciprocal rank fusion outperforms Condorcet and
 * individual rank learning methods, SIGIR 2009).
 */
export interface ReciprocalRanks {
  readonly rankConstant: number;
  readonly windowSize: number;
}

const RANK_CONSTANT_DEFAULT = 60;
const WINDOW_SIZE_DEFAULT = 100;
const KEYS = ['window_size', 'rank_constant'];

/** `rank`: how the hits of several queries are made one list; null without it. */
export const rank: SearchSection<ReciprocalRanks | null> = {
  keys: ['rank'],
  tokens: OBJECT,
  absent: null,
  parse: (value) => parseRank(value as JsonObject),
  effects: (value) => ({ gathersMore: value !== null }),
};

function parseRank(value: JsonObject): ReciprocalRanks {
  const [name, ...others] = Object.keys(value);
  if (name === undefined)
    throw errors.parsing('expected a rank name, but found token [START_OBJECT] for [rank]', {
      location: { container: value, at: 'end' },
    });
  if (name !== 'rrf') throw errors.namedObjectNotFound(`unknown field [${name}]`, { location: at(value, name) });
  if (others.length > 0)
    throw errors.parsing(`expected [END_OBJECT] but found [FIELD_NAME] [${others[0]}] in [rank]`, {
      location: at(value, others[0]!),
    });
  const body = value[name];
  if (!isPlainObject(body))
    throw errors.xContentParse(`[rrf] Expected START_OBJECT but was: ${tokenOf(body)}`, { location: at(value, name) });
  const rankConstant = numberOf(body, 'rank_constant', RANK_CONSTANT_DEFAULT);
  const windowSize = numberOf(body, 'window_size', WINDOW_SIZE_DEFAULT);
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw unknownField('rrf', unknown, body, KEYS);
  if (rankConstant < 1) throw errors.illegalArgument('[rank_constant] must be greater than [0] for [rrf]');
  return { rankConstant, windowSize };
}

function numberOf(body: JsonObject, key: string, absent: number): number {
  const value = body[key];
  if (value === undefined) return absent;
  return parseField('rrf', body, key, () => int(value, { type: 'rrf', container: body, key }));
}

const at = (container: object, key: string) => ({ container, key });
