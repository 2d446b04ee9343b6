/** A call of `_why` that mends a cause. */
export interface Remedy {
  readonly does: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** One cause of `_why`. */
export interface Cause {
  readonly severity: string;
  readonly about: string;
  readonly why: string;
  readonly evidence?: readonly string[];
  readonly advice?: string;
  readonly mend: readonly Remedy[];
}

/** A setting that a remedy changes. */
export interface SettingChange {
  readonly name: string;
  readonly present: string;
  readonly next: string;
}

/** The read that shows the present values of what a remedy changes; null if it changes no settings. */
export function presentValuesPath({ method, path }: Remedy): string | null {
  if (method !== 'PUT') return null;
  if (path === '/_cluster/settings') return '/_cluster/settings?flat_settings=true&include_defaults=true';
  return /^\/[^/]+\/_settings$/.test(path) ? `${path}?flat_settings=true&include_defaults=true` : null;
}

/** Settings of a body, flat. `null` in a body means the default. */
function* settingsOf(value: unknown, prefix = ''): Generator<readonly [name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return void (yield [prefix, value]);
  for (const [key, inner] of Object.entries(value)) yield* settingsOf(inner, prefix === '' ? key : `${prefix}.${key}`);
}

/** Present and new value of each setting that a remedy changes. `present` is the answer to `presentValuesPath`. */
export function settingChanges({ path, body }: Remedy, present: unknown): readonly SettingChange[] {
  const isCluster = path === '/_cluster/settings';
  const groups = isCluster ? Object.values((body ?? {}) as Record<string, unknown>) : [body];
  const next = new Map(groups.flatMap((group) => [...settingsOf(group)]));
  const known = isCluster ? clusterValues(present) : indexValues(present);
  return [...next].map(([name, value]) => ({
    name,
    present: shown(known.get(name)),
    next: value === null ? 'default' : shown(value),
  }));
}

type Flat = Readonly<Record<string, unknown>>;
const shown = (value: unknown): string =>
  value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);

/** Later groups win: defaults, then what is persistent, then what is transient. */
function clusterValues(present: unknown): Map<string, unknown> {
  const { defaults, persistent, transient } = (present ?? {}) as Record<string, Flat | undefined>;
  return new Map([defaults, persistent, transient].flatMap((group) => Object.entries(group ?? {})));
}

/** Values of the first index of the answer that sets them. */
function indexValues(present: unknown): Map<string, unknown> {
  const [first] = Object.values((present ?? {}) as Record<string, { settings?: Flat; defaults?: Flat }>);
  return new Map([...Object.entries(first?.defaults ?? {}), ...Object.entries(first?.settings ?? {})]);
}
