import { errors } from '@shoal/errors';
import { bodyReader, tokenOf } from '@shoal/json';
import { didYouMean, parseTimeValue } from '@shoal/values';

type Json = Readonly<Record<string, unknown>>;

const KEYS = ['data_retention', 'enabled', 'downsampling'];

/**
 * Parses the lifecycle of a data stream as templates and `_lifecycle` have it. Throws x_content_parse_exception, and
 * illegal_argument_exception for rounds of `downsampling` that do not follow each other.
 */
export function parseStreamLifecycle(json: Json): Json {
  const odd = Object.keys(json).find((key) => !KEYS.includes(key));
  if (odd !== undefined)
    throw errors.xContentParse(`[lifecycle] unknown field [${odd}]${didYouMean(odd, KEYS)}`, {
      location: { container: json, key: odd, at: 'key' },
    });
  const { enabled = true, data_retention: retention = null, downsampling = null } = json;
  const refuse = (key: string): Error =>
    errors.xContentParse(`[lifecycle] ${key} doesn't support values of type: ${tokenOf(json[key])}`, {
      location: { container: json, key },
    });
  if (typeof enabled !== 'boolean') throw refuse('enabled');
  if (retention !== null && typeof retention !== 'string') throw refuse('data_retention');
  if (downsampling !== null && !Array.isArray(downsampling)) throw refuse('downsampling');
  const rounds = downsampling === null ? null : parseRounds(downsampling as readonly unknown[]);
  if (retention !== null && parseTimeValue(retention, 'data_retention') <= 0)
    throw errors.illegalArgument(`[data_retention] must be greater than 0 but was [${retention}]`);
  return {
    enabled,
    ...(retention === null ? {} : { data_retention: retention }),
    ...(rounds === null ? {} : { downsampling: rounds }),
  };
}

/** Downsampling of indices that were rolled over for a time, to documents of an interval. */
export interface DownsamplingRound {
  readonly after: string;
  readonly fixed_interval: string;
}

const ROUNDS_MAX = 10;
const INTERVAL_MS_MIN = 300_000;

function parseRound(json: unknown): DownsamplingRound {
  const reader = bodyReader('downsampling', json);
  reader.onlyKeys(['after', 'fixed_interval']);
  const round = { after: reader.text('after'), fixed_interval: reader.text('fixed_interval') };
  parseTimeValue(round.after, 'after');
  if (parseTimeValue(round.fixed_interval, 'fixed_interval') < INTERVAL_MS_MIN)
    throw errors.illegalArgument(
      `A downsampling round must have a fixed interval of at least five minutes but found: ${round.fixed_interval}`,
    );
  return round;
}

/** Refuses a round that is not later than the one before, or whose documents cannot be made of its documents. */
function checkOrder(before: DownsamplingRound, round: DownsamplingRound): void {
  if (parseTimeValue(round.after, 'after') < parseTimeValue(before.after, 'after'))
    throw errors.illegalArgument(
      `A downsampling round must have a later 'after' value than the proceeding, ${round.after} is not after ` +
        `${before.after}.`,
    );
  const [shorter, longer] = [before, round].map((each) => parseTimeValue(each.fixed_interval, 'fixed_interval'));
  const is = `Downsampling interval [${round.fixed_interval}] must be`;
  if (longer! <= shorter!)
    throw errors.illegalArgument(`${is} greater than the source index interval [${before.fixed_interval}].`);
  if (longer! % shorter! !== 0)
    throw errors.illegalArgument(`${is} a multiple of the source index interval [${before.fixed_interval}].`);
}

function parseRounds(json: readonly unknown[]): readonly DownsamplingRound[] {
  if (json.length === 0)
    throw errors.illegalArgument('Downsampling configuration should have at least one round configured.');
  if (json.length > ROUNDS_MAX)
    throw errors.illegalArgument(
      `Downsampling configuration supports maximum ${ROUNDS_MAX} configured rounds. Found: ${json.length}`,
    );
  const rounds = json.map(parseRound);
  for (let i = 1; i < rounds.length; i++) checkOrder(rounds[i - 1]!, rounds[i]!);
  return rounds;
}
