import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotInfo } from '@shoal/coordinator';
import { RequestParameters } from '../routing/params.js';
import { pageSnapshots } from './page-snapshots.js';

const listed = ['a', 'b', 'c', 'd'].map((name, i) => ({
  repository: 'w',
  info: {
    name,
    uuid: name,
    state: 'SUCCESS',
    indices: [],
    includeGlobalState: false,
    metadata: i === 3 ? { policy: 'daily' } : null,
    startedAtMs: 1795861630501 + i,
    endedAtMs: 1795861630501 + 3 * i,
    failures: [],
    totalShards: 1,
  } as SnapshotInfo,
}));

/** The page of a query string: names, total, remaining, next. */
function page(query: string): unknown[] {
  const params = new RequestParameters(new Map(new URLSearchParams(query)), {});
  const { listed: some, total, remaining, next } = pageSnapshots(listed, params);
  return [some.map(({ info }) => info.name).join(''), total, remaining, next];
}

test('pages of snapshots begin at an offset, at a value, or after the last one of a page before, as in 8.12', () => {
  const cases: [string, unknown[]][] = [
    ['sort=name&size=2', ['ab', 4, 2, 'Yix3LGI=']],
    ['sort=name&after=Yix3LGI=&size=1', ['c', 4, 1, 'Yyx3LGM=']],
    ['sort=name&order=desc&after=Yix3LGI=', ['a', 4, 0, undefined]],
    ['sort=shard_count&size=2&order=desc', ['dc', 4, 2, 'MSx3LGM=']],
    ['size=1', ['a', 4, 3, 'MTc5NTg2MTYzMDUwMSx3LGE=']],
    ['sort=name&from_sort_value=b&offset=1&size=1', ['c', 3, 1, 'Yyx3LGM=']],
    ['sort=name&from_sort_value=c&order=desc', ['cba', 3, 0, undefined]],
    ['sort=duration&from_sort_value=3', ['cd', 2, 0, undefined]],
    ['offset=9', ['', 4, 0, undefined]],
    ['slm_policy_filter=_none', ['abc', 3, 0, undefined]],
    ['slm_policy_filter=d*', ['d', 1, 0, undefined]],
    ['slm_policy_filter=*,-daily', ['', 0, 0, undefined]],
  ];
  for (const [query, wanted] of cases) assert.deepEqual(page(query), wanted, query);
});

test('parameters of pages that do not fit are refused in the words of 8.12', () => {
  const cases: [string, RegExp][] = [
    ['sort=colour', /unknown sort order \[colour\]/],
    ['order=odd', /No enum constant .*SortOrder\.ODD/],
    ['size=0', /size must be -1 or greater than 0/],
    ['offset=-1', /^-1$/],
    ['after=bmFtZQ', /invalid \?after parameter \[bmFtZQ\]/],
    ['sort=duration&after=Yix3LGI=', /For input string: "b"/],
    ['from_sort_value=x', /For input string: "x"/],
    ['after=YSx3LGE=&offset=1', /can't use after and offset simultaneously/],
    ['after=YSx3LGE=&from_sort_value=1', /can't use after and from_sort_value simultaneously/],
    ['verbose=false&size=1', /can't use size limit with verbose=false/],
    ['verbose=false&slm_policy_filter=x', /can't use slm policy filter with verbose=false/],
  ];
  for (const [query, message] of cases) assert.throws(() => page(query), { message }, query);
});
