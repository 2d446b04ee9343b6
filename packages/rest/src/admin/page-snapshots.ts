import type { SnapshotInfo } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { matchesWildcard } from '@shoal/values';
import type { Params } from '../routing/route.js';
import {
  compareSnapshots,
  compareValues,
  type ListedSnapshot,
  type SnapshotPosition,
  sortedBy,
  type SortKey,
} from './select-snapshots.js';

/** A part of a list of snapshots. */
export interface SnapshotPage {
  readonly listed: readonly ListedSnapshot[];
  readonly total: number;
  readonly remaining: number;
  /** What `after` takes for the next page; absent if there is none. */
  readonly next?: string;
}

interface PageRequest {
  readonly sort: string;
  readonly isDescending: boolean;
  readonly size: number;
  readonly offset: number;
  readonly after: string | null;
  readonly from: string | null;
  readonly policies: string | null;
}

function parsePage(params: Params): PageRequest {
  const order = params.text('order', 'asc');
  if (!/^(?:asc|desc)$/i.test(order))
    throw errors.illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${order.toUpperCase()}`);
  const page = {
    sort: params.text('sort', 'start_time'),
    isDescending: order.toLowerCase() === 'desc',
    size: params.integer('size', -1),
    offset: params.integer('offset', 0),
    after: params.text('after'),
    from: params.text('from_sort_value'),
    policies: params.text('slm_policy_filter'),
  };
  if (page.offset < 0) throw errors.illegalArgument(String(page.offset));
  const problems = problemsOf(page, params.boolean('verbose', true));
  if (problems.length > 0) {
    const listed = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
    throw errors.actionRequestValidation(`Validation Failed: ${listed}`);
  }
  return page;
}

/** What parameters do not allow of each other. */
function problemsOf(page: PageRequest, isVerbose: boolean): readonly string[] {
  const { size, offset, after, from, sort, policies, isDescending } = page;
  const onlyVerbose: readonly (readonly [boolean, string])[] = [
    [offset > 0, 'offset'],
    [size > 0, 'size limit'],
    [sort !== 'start_time', 'non-default sort'],
    [isDescending, 'non-default sort order'],
    [after !== null, 'after'],
    [from !== null, 'from_sort_value'],
    [policies !== null, 'slm policy filter'],
  ];
  const misplaced = isVerbose ? undefined : onlyVerbose.find(([isGiven]) => isGiven);
  return [
    size === 0 || size < -1 ? 'size must be -1 or greater than 0' : null,
    misplaced ? `can't use ${misplaced[1]} with verbose=false` : null,
    after !== null && offset > 0 ? "can't use after and offset simultaneously" : null,
    after !== null && from !== null ? "can't use after and from_sort_value simultaneously" : null,
  ].filter((problem): problem is string => problem !== null);
}

const policyOf = ({ metadata }: SnapshotInfo): string | null => {
  const policy = (metadata as { readonly policy?: unknown } | null | undefined)?.policy;
  return typeof policy === 'string' ? policy : null;
};

/** Whether the policy of a snapshot is one of `a*,-ab,_none`; `_none` are those that no policy took. */
function isOfPolicies(info: SnapshotInfo, policies: string): boolean {
  const policy = policyOf(info);
  const patterns = policies.split(',');
  if (policy === null) return patterns.includes('_none');
  return patterns.reduce((isIn, pattern) => {
    if (pattern.startsWith('-')) return isIn && !matchesWildcard(pattern.slice(1), policy);
    return isIn || (pattern !== '_none' && matchesWildcard(pattern, policy));
  }, false);
}

/** A value of a sort key, as `from_sort_value` and `after` have it. */
function valueOf(key: SortKey, text: string): string | number {
  if (key.isText) return text;
  if (!/^-?\d{1,18}$/.test(text)) throw errors.numberFormat(`For input string: "${text}"`);
  return Number(text);
}

/** The last snapshot of a page, which `after` names: `value,repository,snapshot` in base64. */
function tokenOf(key: SortKey, one: ListedSnapshot): string {
  const text = Buffer.from(`${key.value(one)},${one.repository},${one.info.name}`).toString('base64');
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

function lastOf(key: SortKey, token: string): SnapshotPosition {
  const parts = Buffer.from(token, 'base64url').toString('utf8').split(',');
  if (parts.length !== 3) throw errors.illegalArgument(`invalid ?after parameter [${token}]`);
  const [text, repository, name] = parts as [string, string, string];
  return { value: valueOf(key, text), repository, name };
}

/** Sorts snapshots and takes the page that the parameters ask for. */
export function pageSnapshots(all: readonly ListedSnapshot[], params: Params): SnapshotPage {
  const page = parsePage(params);
  const key = sortedBy(page.sort);
  const direction = page.isDescending ? -1 : 1;
  const from = page.from === null ? null : valueOf(key, page.from);
  const last = page.after === null ? null : lastOf(key, page.after);
  const positionOf = (one: ListedSnapshot): SnapshotPosition => ({
    value: key.value(one),
    name: one.info.name,
    repository: one.repository,
  });
  const listed = all
    .filter(({ info }) => page.policies === null || isOfPolicies(info, page.policies))
    .filter((one) => from === null || direction * compareValues(key.value(one), from) >= 0)
    .toSorted((a, b) => direction * compareSnapshots(positionOf(a), positionOf(b)));
  const begin =
    last === null
      ? page.offset
      : listed.filter((one) => direction * compareSnapshots(positionOf(one), last) <= 0).length;
  const taken = page.size < 0 ? listed.slice(begin) : listed.slice(begin, begin + page.size);
  const remaining = Math.max(0, listed.length - begin - taken.length);
  const end = taken.at(-1);
  return {
    listed: taken,
    total: listed.length,
    remaining,
    ...(remaining > 0 && end ? { next: tokenOf(key, end) } : {}),
  };
}
