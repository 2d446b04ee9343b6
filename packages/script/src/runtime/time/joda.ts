import { createRequire } from 'node:module';
import { timeZone, type Zone } from '@shoal/values';

/** An object of @js-joda/core: an immutable value of java.time. */
export interface JodaObject {
  [name: string]: unknown;
}

/** A class of @js-joda/core with its static members. */
export type JodaClass = JodaObject;

export type JodaModule = Readonly<Record<string, JodaClass>>;

let loaded: JodaModule | null = null;

/** Returns @js-joda/core, which is loaded when a script first needs more than a date in UTC. */
export function joda(): JodaModule {
  if (loaded === null) {
    loaded = createRequire(import.meta.url)('@js-joda/core') as JodaModule;
    installZones(loaded);
  }
  return loaded;
}

/** Whether a value is of a class of the library. */
export function isOf(value: unknown, type: JodaClass | undefined): boolean {
  return value instanceof (type as unknown as new () => object);
}

/** Calls a member of an object of the library. */
export function call(target: JodaObject, name: string, ...args: readonly unknown[]): unknown {
  return (target[name] as (...all: unknown[]) => unknown).call(target, ...args);
}

export const callNumber = (target: JodaObject, name: string, ...args: readonly unknown[]): number =>
  call(target, name, ...args) as number;

const DAY_MS = 86_400_000;

/** Makes the library take the rules of regions from the one database of time zones. */
function installZones(module: JodaModule): void {
  const { ZoneOffset, ZoneOffsetTransition, LocalDateTime, ZoneRulesProvider } = module;
  const ZoneRules = module['ZoneRules'] as unknown as new () => object;
  const offset = (ms: number): JodaObject => call(ZoneOffset!, 'ofTotalSeconds', ms / 1000) as JodaObject;
  const utcOf = (local: JodaObject): number => callNumber(local, 'toEpochSecond', ZoneOffset!['UTC']) * 1000;
  const offsetsAt = (zone: Zone, localMs: number): number[] => {
    const before = zone.offsetAt(localMs - DAY_MS);
    const after = zone.offsetAt(localMs + DAY_MS);
    const all = before === after ? [before] : [before, after];
    return all.filter((one) => zone.offsetAt(localMs - one) === one);
  };
  /** The change of clocks in which a local time is skipped or repeated; null for any other time. */
  const transition = (zone: Zone, localMs: number): JodaObject | null => {
    const valid = offsetsAt(zone, localMs);
    if (valid.length === 1) return null;
    const before = zone.offsetAt(localMs - DAY_MS);
    const after = zone.offsetAt(localMs + DAY_MS);
    const at = zone.segmentStart(localMs - (valid.length === 0 ? before : after));
    const local = call(LocalDateTime!, 'ofEpochSecond', (at + before) / 1000, 0, ZoneOffset!['UTC']);
    return call(ZoneOffsetTransition!, 'of', local, offset(before), offset(after)) as JodaObject;
  };
  class RegionRules extends ZoneRules {
    readonly #zone: Zone;
    get zone(): Zone {
      return this.#zone;
    }
    constructor(zone: Zone) {
      super();
      this.#zone = zone;
    }
    isFixedOffset(): boolean {
      return this.#zone.fixedOffset !== null;
    }
    offsetOfInstant(instant: JodaObject): JodaObject {
      return offset(this.#zone.offsetAt(callNumber(instant, 'epochSecond') * 1000));
    }
    offsetOfEpochMilli(ms: number): JodaObject {
      return offset(this.#zone.offsetAt(ms));
    }
    offsetOfLocalDateTime(local: JodaObject): JodaObject {
      const ms = utcOf(local);
      return offset(offsetsAt(this.#zone, ms)[0] ?? this.#zone.offsetAt(ms - DAY_MS));
    }
    validOffsets(local: JodaObject): JodaObject[] {
      return offsetsAt(this.#zone, utcOf(local)).map(offset);
    }
    transition(local: JodaObject): JodaObject | null {
      return transition(this.#zone, utcOf(local));
    }
    isValidOffset(local: JodaObject, given: JodaObject): boolean {
      return offsetsAt(this.#zone, utcOf(local)).includes(callNumber(given, 'totalSeconds') * 1000);
    }
    equals(other: unknown): boolean {
      return other instanceof RegionRules && other.#zone.id === this.#zone.id;
    }
    override toString(): string {
      return `ZoneRules[${this.#zone.id}]`;
    }
  }
  const rules = new Map<string, RegionRules>();
  ZoneRulesProvider!['getRules'] = (id: string): RegionRules => {
    let found = rules.get(id);
    if (!found) {
      found = new RegionRules(timeZone(id));
      if (rules.size >= ZONES_MAX) rules.clear();
      rules.set(id, found);
    }
    return found;
  };
}

/** Regions whose rules are kept. */
const ZONES_MAX = 100;
