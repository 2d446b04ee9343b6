import { rawAt, rawMembers } from '@shoal/values';

/** An alias of one index or data stream. */
export interface AliasRow {
  readonly alias: string;
  readonly index: string;
  /** The query as it is stored; null without one. */
  readonly filter: string | null;
  readonly indexRouting: string | null;
  readonly searchRouting: string | null;
  /** Null: nobody said. */
  readonly isWriteIndex: boolean | null;
  readonly isHidden: boolean;
}

/** What somebody says of an alias; texts may be empty. */
export interface AliasForm {
  readonly alias: string;
  readonly indices: readonly string[];
  readonly filter: string;
  readonly indexRouting: string;
  readonly searchRouting: string;
  readonly isWriteIndex: boolean;
  readonly isHidden: boolean;
}

interface Definition {
  readonly index_routing?: string;
  readonly search_routing?: string;
  readonly is_write_index?: boolean;
  readonly is_hidden?: boolean;
}

/** Reads `{"index": {"aliases": {"alias": {…}}}}`; filters keep their digits. In the order of aliases. */
export function readAliases(answer: string): readonly AliasRow[] {
  const rows = rawMembers(answer).flatMap(({ key: index, from, to }) => {
    const aliases = rawAt(answer.slice(from, to), ['aliases']) ?? '{}';
    return rawMembers(aliases).map((member) => rowOf(index, member.key, aliases.slice(member.from, member.to)));
  });
  const name = ({ alias, index }: AliasRow): string => `${alias}\n${index}`;
  return rows.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}

function rowOf(index: string, alias: string, text: string): AliasRow {
  const definition = JSON.parse(text) as Definition;
  return {
    alias,
    index,
    filter: rawAt(text, ['filter']),
    indexRouting: definition.index_routing ?? null,
    searchRouting: definition.search_routing ?? null,
    isWriteIndex: definition.is_write_index ?? null,
    isHidden: definition.is_hidden ?? false,
  };
}

/** The form that says what a row has. */
export const formOf = (row: AliasRow): AliasForm => ({
  alias: row.alias,
  indices: [row.index],
  filter: row.filter ?? '',
  indexRouting: row.indexRouting ?? '',
  searchRouting: row.searchRouting ?? '',
  isWriteIndex: row.isWriteIndex === true,
  isHidden: row.isHidden,
});

/**
 * Body of `_aliases` for a form; `rows` are the aliases there are. An alias that is to write elsewhere stops writing
 * where it did in the same step: two indices that it writes to are refused.
 */
export function savedAlias(form: AliasForm, rows: readonly AliasRow[]): string {
  const others = form.isWriteIndex
    ? rows.filter((row) => row.alias === form.alias && row.isWriteIndex === true && !form.indices.includes(row.index))
    : [];
  const released = others.map((row) => addOf({ ...formOf(row), isWriteIndex: false }, row.index, true));
  const changed = form.indices.map((index) => {
    const before = rows.find((row) => row.alias === form.alias && row.index === index);
    return addOf(form, index, before !== undefined && before.isWriteIndex !== null);
  });
  return actions([...released, ...changed]);
}

/** Body of `_aliases` that takes an alias away from an index. */
export const removedAlias = ({ alias, index }: AliasRow): string =>
  actions([`{"remove":${JSON.stringify({ index, alias, must_exist: true })}}`]);

const actions = (list: readonly string[]): string => `{"actions":[${list.join(',')}]}`;

/** The action that sets an alias of an index whole. `saysWrites`: also if it does not write there. */
function addOf(form: AliasForm, index: string, saysWrites: boolean): string {
  const { alias, filter, indexRouting, searchRouting, isWriteIndex, isHidden } = form;
  const members: readonly (readonly [string, string | null])[] = [
    ['index', JSON.stringify(index)],
    ['alias', JSON.stringify(alias)],
    ['filter', filter.trim() || null],
    ['index_routing', indexRouting === '' ? null : JSON.stringify(indexRouting)],
    ['search_routing', searchRouting === '' ? null : JSON.stringify(searchRouting)],
    ['is_write_index', isWriteIndex || saysWrites ? String(isWriteIndex) : null],
    ['is_hidden', isHidden ? 'true' : null],
  ];
  const written = members.flatMap(([name, value]) => (value === null ? [] : [`"${name}":${value}`]));
  return `{"add":{${written.join(',')}}}`;
}
