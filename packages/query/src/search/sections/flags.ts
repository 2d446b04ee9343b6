import { boolean } from '../../parse/options.js';
import { type SearchEffects, type SearchSection, VALUE } from '../section.js';

/** Returns a section that is `true` or `false`, or one of them as text. */
function flag(key: string, effects?: (value: boolean) => Partial<SearchEffects>): SearchSection<boolean> {
  return {
    keys: [key],
    tokens: VALUE,
    absent: false,
    parse: (value, { body }) => boolean(value, { type: 'search', container: body, key }),
    ...(effects ? { effects } : {}),
  };
}

/** `version`: hits show their version. */
export const version = flag('version');

/** `seq_no_primary_term`: hits show the sequence number and primary term of their last change. */
export const seqNoPrimaryTerm = flag('seq_no_primary_term');

/** `explain`: hits show how their score was computed. */
export const explain = flag('explain', (isExplained) => ({ isCostlyToShow: isExplained }));

/** `track_scores`: hits of a sorted search have scores. */
export const tracksScores = flag('track_scores');

/** `profile`: the answer shows what each shard did, so that no shard is skipped. */
export const profile = flag('profile', (isProfiled) => ({ gathersMore: isProfiled }));
