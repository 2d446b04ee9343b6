import type { ApiError } from '@shoal/errors';
import { resolveDateMath } from '@shoal/state';
import { plainWrite } from '../bulk/plain-write.js';
import type { WriteOperation } from '../bulk/write-request.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { entryBytes } from './entry.js';
import { type OwnWrite, writeOwn } from './own-writes.js';
import { ensureQuarantine, quarantineAlias, quarantinedName } from './quarantine-index.js';
import type { Refusal } from './refusal.js';

/** Writes of entries wait as long for their shard, at most: the client waits for them, too. */
const TIMEOUT_MS_MAX = 10_000;
/** Entries are made and written in groups of so many bytes of sources; the thread is yielded between them. */
const GROUP_BYTES = 256 * 1024;
/** A loss is told once in this time. */
const TELL_MS = 60_000;

/**
 * Keeps refused documents in the quarantines of their indices. Returns where each is kept; null for those that are not
 * to be kept and for those that could not. Never throws: the answer of a write does not depend on it.
 */
export async function keepRefused(
  context: CoordinatorContext,
  refusals: readonly Refusal[],
  asked: boolean | undefined,
  timeoutMs: number,
  call: CallContext,
): Promise<(OwnWrite | null)[]> {
  const names = namesOf(context, refusals, asked);
  const kept = refusals.map((): OwnWrite | null => null);
  const wait = Math.min(timeoutMs, TIMEOUT_MS_MAX);
  for (const [name, positions] of byName(names)) {
    try {
      await ensureQuarantine(context, name);
      await keepAll({ context, name, timeoutMs: wait, call }, refusals, positions, kept);
    } catch (thrown) {
      noteLoss(context, name, context.apiError(thrown));
    }
  }
  const wanted = names.filter((name) => name !== null).length;
  const count = kept.filter((one) => one !== null).length;
  context.quarantine.kept += count;
  context.quarantine.lost += wanted - count;
  return kept;
}

/** Names of the quarantines of refusals: of the index that the client named, else of the one that refused. */
function namesOf(
  { cluster, clock }: CoordinatorContext,
  refusals: readonly Refusal[],
  asked: boolean | undefined,
): (string | null)[] {
  const state = cluster.state();
  const nowMs = clock.now();
  const known = new Map<string, string | null>();
  const nameOf = (index: string): string | null => {
    if (!known.has(index)) known.set(index, quarantinedName(state, index, nowMs, asked));
    return known.get(index)!;
  };
  return refusals.map(({ operation, index }) => nameOf(operation.index) ?? nameOf(index));
}

function byName(names: readonly (string | null)[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  names.forEach((name, position) => {
    if (name === null) return;
    const group = groups.get(name);
    if (group) group.push(position);
    else groups.set(name, [position]);
  });
  return groups;
}

/** What keeping documents in one quarantine needs. */
interface Keeping {
  readonly context: CoordinatorContext;
  readonly name: string;
  readonly timeoutMs: number;
  readonly call: CallContext;
}

/** Writes entries group by group, those that their index refuses again with the source as text. */
async function keepAll(
  keeping: Keeping,
  refusals: readonly Refusal[],
  positions: readonly number[],
  kept: (OwnWrite | null)[],
): Promise<void> {
  const { context, name } = keeping;
  for (let from = 0; from < positions.length; ) {
    let [to, bytes] = [from, 0];
    while (to < positions.length && (to === from || bytes < GROUP_BYTES))
      bytes += refusals[positions[to++]!]!.operation.source.length;
    const group = positions.slice(from, to);
    const outcomes = await writeEntries(keeping, refusals, group, false);
    const again = group.filter((_position, i) => isRefusal(outcomes[i]!));
    const second = again.length === 0 ? [] : await writeEntries(keeping, refusals, again, true);
    const all = new Map([...zip(group, outcomes), ...zip(again, second)]);
    for (const [position, outcome] of all) {
      if ('members' in outcome) kept[position] = outcome;
      else noteLoss(context, name, outcome);
    }
    await context.clock.yield();
    from = to;
  }
}

const zip = <T>(positions: readonly number[], values: readonly T[]): [number, T][] =>
  positions.map((position, i) => [position, values[i]!]);

const isRefusal = (outcome: OwnWrite | ApiError): boolean => 'status' in outcome && outcome.status === 400;

async function writeEntries(
  { context, name, timeoutMs, call }: Keeping,
  refusals: readonly Refusal[],
  positions: readonly number[],
  isRaw: boolean,
): Promise<(OwnWrite | ApiError)[]> {
  const nowMs = context.clock.now();
  const user = call.subject.authentication?.user.username ?? null;
  const entries = positions.map((position) => {
    const refusal = refusals[position]!;
    const index = resolveDateMath(refusal.operation.index, nowMs);
    const source = entryBytes(refusal, { nowMs, index, user }, isRaw);
    return newEntry(quarantineAlias(name), context.autoIds.next(), source);
  });
  const release = context.takeWrite(entries.reduce((sum, { source }) => sum + source.length, 0));
  try {
    return await writeOwn(context, entries, timeoutMs, call);
  } finally {
    release();
  }
}

const newEntry = (index: string, id: string, source: Uint8Array): WriteOperation => ({
  ...plainWrite('create', index, id, source),
  requireAlias: true,
});

function noteLoss({ clock, log, quarantine }: CoordinatorContext, name: string, error: ApiError): void {
  const nowMs = clock.monotonic();
  if (nowMs - quarantine.toldAtMs < TELL_MS) return;
  quarantine.toldAtMs = nowMs;
  log.write('warn', 'a refused document could not be kept', { index: name, error });
}
