import type { Json } from '@shoal/json';

/** One suggestion as shards and answers show it. */
interface Option extends Json {
  readonly text?: unknown;
}

interface Entry extends Json {
  readonly options: readonly Option[];
}

/** Suggestions of one shard by name. */
export type ShardSuggestions = Readonly<Record<string, readonly Entry[]>>;

const score = (option: Option): number => Number(option['score'] ?? option['_score'] ?? 0);

function combine(a: Option, b: Option): Option {
  const better = score(b) > score(a) ? b : a;
  return 'freq' in a ? { ...better, freq: Number(a['freq']) + Number(b['freq'] ?? 0) } : better;
}

function keyOf(option: Option): string {
  return '_id' in option ? `${String(option['_index'])}/${String(option['_id'])}` : String(option.text);
}

function mergeOptions(lists: readonly (readonly Option[])[]): Option[] {
  const merged = new Map<string, Option>();
  for (const option of lists.flat()) {
    const known = merged.get(keyOf(option));
    merged.set(keyOf(option), known ? combine(known, option) : option);
  }
  return [...merged.values()].sort(
    (a, b) =>
      score(b) - score(a) ||
      Number(b['freq'] ?? 0) - Number(a['freq'] ?? 0) ||
      (String(a.text) < String(b.text) ? -1 : 1),
  );
}

function mergeEntries(lists: readonly (readonly Entry[])[]): Entry[] {
  const [first = []] = lists;
  return first.map((entry, i) => {
    const options = lists.map((list) => list[i]?.options ?? []);
    const longest = Math.max(...options.map((list) => list.length));
    return { ...entry, options: mergeOptions(options).slice(0, longest) };
  });
}

/** Merges the suggestions of all shards: options with the same text or document are combined, and the best are kept. */
export function reduceSuggestions(shards: readonly ShardSuggestions[]): Readonly<Record<string, unknown>> {
  if (shards.length === 1) return shards[0]!;
  const names = new Set(shards.flatMap((suggestions) => Object.keys(suggestions)));
  return Object.fromEntries(
    [...names].map((name) => [name, mergeEntries(shards.map((suggestions) => suggestions[name] ?? []))]),
  );
}
