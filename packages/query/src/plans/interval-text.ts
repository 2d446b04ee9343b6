import type { IntervalRelation, IntervalTree } from '../execute/positions/interval-tree.js';

/** Returns a rule of intervals as Lucene's sources print themselves: `MAXGAPS/1(UNORDERED(quick,fox))`. */
export function intervalText(tree: IntervalTree): string {
  switch (tree.kind) {
    case 'term':
      return tree.term;
    case 'none':
      return 'NOMATCH';
    case 'or':
      return tree.text ?? `or(${tree.sources.map(intervalText).sort().join(',')})`;
    case 'phrase':
      return `BLOCK(${listText(tree.sources)})`;
    case 'ordered':
      return `ORDERED(${listText(tree.sources)})`;
    case 'unordered':
      return `UNORDERED(${listText(tree.sources)})`;
    case 'repeat':
      return listText([tree]);
    case 'extend':
      return `EXTEND(${intervalText(tree.source)},${tree.before},0)`;
    case 'maxGaps':
      return `MAXGAPS/${tree.gaps}(${intervalText(tree.source)})`;
    case 'script':
      return `FILTER(${tree.script.source ?? tree.script.id})(${intervalText(tree.source)})`;
    case 'filter':
      return RELATIONS[tree.relation](intervalText(tree.source), intervalText(tree.by));
  }
}

function listText(sources: readonly IntervalTree[]): string {
  return sources
    .flatMap((source): string[] =>
      source.kind === 'repeat'
        ? Array.from({ length: source.count }, () => intervalText(source.source))
        : [intervalText(source)],
    )
    .join(',');
}

const named =
  (name: string) =>
  (source: string, by: string): string =>
    `${name}(${source},${by})`;

const RELATIONS: Readonly<Record<IntervalRelation, (source: string, by: string) => string>> = {
  before: (source, by) => `CONTAINED_BY(${source},EXTEND(PRECEDING(${by}),2147483647,0))`,
  after: (source, by) => `CONTAINED_BY(${source},EXTEND(FOLLOWING(${by}),0,2147483647))`,
  contained_by: named('CONTAINED_BY'),
  containing: named('CONTAINING'),
  not_contained_by: named('NOT_CONTAINED_BY'),
  not_containing: named('NOT_CONTAINING'),
  not_overlapping: named('NON_OVERLAPPING'),
  overlapping: named('OVERLAPPING'),
};
