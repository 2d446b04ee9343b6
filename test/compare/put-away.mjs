// What reasons of may-differ.mjs put away before answers are compared.

/** An answer with the names of aliases, and the indices of a block, in an order of their own. */
export function withSortedAliases(value, key = '') {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    if (key === 'aliases') return [...value].sort();
    const isNamed = key === 'indices' && value.every((one) => typeof one?.name === 'string');
    return isNamed ? [...value].sort((a, b) => (a.name < b.name ? -1 : 1)) : value.map((one) => withSortedAliases(one));
  }
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withSortedAliases(entry, name)]));
}

/** Queries and aggregations of modules that the compared core lacks. */
const OF_MODULES =
  /^(?:rank_feature|percolate|has_child|has_parent|parent_id|auto_date_histogram|adjacency_matrix|time_series)$/;

/** A hint without what the compared core lacks. */
export const withoutModules = (text) =>
  text.replace(/ did you mean any of \[([^\]]*)\]\?/, (_, names) => {
    const core = names.split(', ').filter((name) => !OF_MODULES.test(name));
    return core.length === 1 ? ` did you mean [${core[0]}]?` : ` did you mean any of [${core.join(', ')}]?`;
  });

/** An answer whose explanations say nothing about why a filter matches. */
export function withoutFilters(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutFilters);
  if (value.description === 'match on required clause, product of:') return '~';
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutFilters(entry)]));
}
