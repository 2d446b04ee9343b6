import type { Zone } from '@shoal/values';
import { call, callNumber, joda, type JodaObject } from '../../../runtime/time/joda.js';
import { fromJoda, guarded, TimeValue, toJoda } from '../../../runtime/time/time-value.js';
import type { AllowTable, Implementation } from '../class-row.js';

const YEAR_MS = 366 * 86_400_000;
/** How far away the next or the last change of clocks is looked for. */
const SEARCH_MS = 150 * YEAR_MS;

/** The zone of a region's rules; null for those of one offset. */
const zoneOf = ({ object }: TimeValue): Zone | null => (object['zone'] as Zone | undefined) ?? null;
const msOf = (instant: unknown): number => callNumber(toJoda(instant) as JodaObject, 'toEpochMilli');

function offsetAt(rules: TimeValue, instant: unknown): number {
  return callNumber(call(rules.object, 'offsetOfInstant', toJoda(instant)) as JodaObject, 'totalSeconds');
}

/** Seconds of the offset without summer time: the least one of half a year before and behind a moment. */
function standardAt(rules: TimeValue, instant: unknown): number {
  const zone = zoneOf(rules);
  if (zone === null) return offsetAt(rules, instant);
  const ms = msOf(instant);
  let least = zone.offsetAt(ms);
  for (let at = ms - YEAR_MS / 2; at < ms + YEAR_MS / 2; at = zone.segmentEnd(at))
    least = Math.min(least, zone.offsetAt(at));
  return least / 1000;
}

/** The change of clocks at a moment at which the offset changes. */
function transitionAt(zone: Zone, ms: number): unknown {
  const { LocalDateTime, ZoneOffset, ZoneOffsetTransition } = joda();
  const offset = (at: number): unknown => call(ZoneOffset!, 'ofTotalSeconds', zone.offsetAt(at) / 1000);
  const local = call(LocalDateTime!, 'ofEpochSecond', (ms + zone.offsetAt(ms - 1)) / 1000, 0, ZoneOffset!['UTC']);
  return call(ZoneOffsetTransition!, 'of', local, offset(ms - 1), offset(ms));
}

function nextTransition(rules: TimeValue, instant: unknown): unknown {
  const zone = zoneOf(rules);
  if (zone === null) return null;
  const ms = msOf(instant);
  for (let at = ms; at < ms + SEARCH_MS; ) {
    const end = zone.segmentEnd(at);
    if (zone.offsetAt(end) !== zone.offsetAt(at)) return transitionAt(zone, end);
    at = end;
  }
  return null;
}

function previousTransition(rules: TimeValue, instant: unknown): unknown {
  const zone = zoneOf(rules);
  if (zone === null) return null;
  // A transition at the moment itself is no earlier one, unless the moment has a fraction of a millisecond.
  const hasRest = callNumber(toJoda(instant) as JodaObject, 'nano') % 1e6 !== 0;
  const ms = msOf(instant) - (hasRest ? 0 : 1);
  for (let at = ms; at > ms - SEARCH_MS; ) {
    const start = zone.segmentStart(at);
    if (zone.offsetAt(start - 1) !== zone.offsetAt(at)) return transitionAt(zone, start);
    at = start - 1;
  }
  return null;
}

const answered =
  (run: (rules: TimeValue, value: unknown) => unknown): Implementation =>
  (rules: TimeValue, value: unknown) =>
    guarded(() => fromJoda(run(rules, value)));
const member = (name: string): Implementation => answered(({ object }) => call(object, name));
const LOCAL = 'LocalDateTime';
const TRANSITION = 'java.time.zone.ZoneOffsetTransition';

/** Rules of time zones: their offsets, and when clocks change. */
export const ZONE_RULES: AllowTable = [
  {
    name: 'java.time.zone.ZoneRules',
    statics: {
      'java.time.zone.ZoneRules of(ZoneOffset)': (offset: TimeValue) =>
        guarded(() => fromJoda(call(offset.object, 'rules'))),
    },
    methods: {
      'ZoneOffset getOffset(Instant)': answered((rules, instant) =>
        call(rules.object, 'offsetOfInstant', toJoda(instant)),
      ),
      'ZoneOffset getStandardOffset(Instant)': answered((rules, instant) =>
        call(joda()['ZoneOffset']!, 'ofTotalSeconds', standardAt(rules, instant)),
      ),
      'Duration getDaylightSavings(Instant)': answered((rules, instant) =>
        call(joda()['Duration']!, 'ofSeconds', offsetAt(rules, instant) - standardAt(rules, instant)),
      ),
      'boolean isDaylightSavings(Instant)': answered(
        (rules, instant) => offsetAt(rules, instant) !== standardAt(rules, instant),
      ),
      'boolean isFixedOffset()': member('isFixedOffset'),
      [`List getValidOffsets(${LOCAL})`]: answered((rules, local) => call(rules.object, 'validOffsets', toJoda(local))),
      [`boolean isValidOffset(${LOCAL},ZoneOffset)`]: (rules: TimeValue, local: unknown, offset: unknown) =>
        guarded(() => call(rules.object, 'isValidOffset', toJoda(local), toJoda(offset))),
      [`${TRANSITION} getTransition(${LOCAL})`]: answered((rules, local) =>
        call(rules.object, 'transition', toJoda(local)),
      ),
      [`${TRANSITION} nextTransition(Instant)`]: answered(nextTransition),
      [`${TRANSITION} previousTransition(Instant)`]: answered(previousTransition),
    },
  },
  {
    name: TRANSITION,
    parents: ['java.lang.Comparable'],
    statics: {
      [`${TRANSITION} of(${LOCAL},ZoneOffset,ZoneOffset)`]: (local: unknown, before: unknown, after: unknown) =>
        guarded(() =>
          fromJoda(call(joda()['ZoneOffsetTransition']!, 'of', toJoda(local), toJoda(before), toJoda(after))),
        ),
    },
    methods: {
      [`${LOCAL} getDateTimeBefore()`]: member('dateTimeBefore'),
      [`${LOCAL} getDateTimeAfter()`]: member('dateTimeAfter'),
      'ZoneOffset getOffsetBefore()': member('offsetBefore'),
      'ZoneOffset getOffsetAfter()': member('offsetAfter'),
      'Duration getDuration()': member('duration'),
      'Instant getInstant()': member('instant'),
      'boolean isGap()': member('isGap'),
      'boolean isOverlap()': member('isOverlap'),
      'long toEpochSecond()': member('toEpochSecond'),
      'boolean isValidOffset(ZoneOffset)': answered(({ object }, offset) =>
        call(object, 'isValidOffset', toJoda(offset)),
      ),
    },
  },
];
