import type { Search } from '@shoal/aggregations';
import { errors } from '@shoal/errors';
import type { shard } from '@shoal/protocol';
import type { Searcher } from '@shoal/query';

/** Refuses slices of a single page. Throws Elasticsearch's error of a shard. */
export function checkSlice({ slice }: Search, { isScroll, isPit }: shard.SearchOptions): void {
  if (slice !== null && !isScroll && !isPit)
    throw errors.search('[slice] can only be used with [scroll] or [point-in-time] requests');
}

/** Refuses a search that exceeds the limits of its index. Throws Elasticsearch's errors of a shard. */
export function checkLimits(body: Search, options: shard.SearchOptions, settings: Searcher['settings']): void {
  checkWindow(options, settings.maxResultWindow);
  if (body.rescore.length > 0 && body.hitSort.length > 0)
    throw errors.illegalArgument('Cannot use [sort] option in conjunction with [rescore].');
  if (body.slice !== null) checkSlices(body.slice.max, settings.maxSlicesPerScroll);
}

function checkWindow(options: shard.SearchOptions, max: number): void {
  const window = options.from + options.size;
  if (window <= max) return;
  const limit = `must be less than or equal to: [${max}] but was [${window}].`;
  if (options.isScroll) {
    throw errors.illegalArgument(
      `Batch size is too large, size ${limit} Scroll batch sizes cost as much memory as result windows so they are ` +
        'controlled by the [index.max_result_window] index level setting.',
    );
  }
  throw errors.illegalArgument(
    `Result window is too large, from + size ${limit} See the scroll api for a more efficient way to request large ` +
      'data sets. ' +
      'This limit can be set by changing the [index.max_result_window] index level setting.',
  );
}

/** Refuses groups of hits beside what excludes them. Throws Elasticsearch's errors of a shard. */
export function checkCollapse(body: Search, field: string, options: shard.SearchOptions): void {
  if (options.isScroll) throw errors.search('cannot use `collapse` in a scroll context');
  if (body.rescore.length > 0) throw errors.search('cannot use `collapse` in conjunction with `rescore`');
  if (body.searchAfter === null) return;
  const [first, second] = body.hitSort;
  if (second === undefined && first?.kind === 'field' && first.field === field) return;
  throw errors.illegalArgument(
    'Cannot use [collapse] in conjunction with [search_after] unless the search is sorted on the same field. ' +
      'Multiple sort fields are not allowed.',
  );
}

function checkSlices(slices: number, max: number): void {
  if (slices <= max) return;
  throw errors.illegalArgument(
    `The number of slices [${slices}] is too large. It must be less than [${max}]. This limit can be set by ` +
      'changing the [index.max_slices_per_scroll] index level setting.',
  );
}
