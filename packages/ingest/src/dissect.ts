/** A key of a pattern, and the text between it and the next one. */
interface Part {
  readonly name: string;
  readonly kind: 'plain' | 'append' | 'skip' | 'key' | 'value';
  readonly order: number;
  readonly skipsPadding: boolean;
  readonly delimiter: string;
}

/** A pattern of `dissect`, compiled. */
export interface Dissect {
  /** Returns the texts by key, in order; null if the text does not match. */
  parse(text: string): ReadonlyMap<string, string> | null;
}

const KEY = /%\{([^}]*)\}/g;

function partOf(modified: string, delimiter: string): Part {
  const skipsPadding = modified.endsWith('->');
  const bare = skipsPadding ? modified.slice(0, -2) : modified;
  const first = bare[0];
  const order = /\/(\d+)$/.exec(bare);
  const name = bare.replace(/\/\d+$/, '').replace(/^[+?*&]/, '');
  const kinds: Readonly<Record<string, Part['kind']>> = { '+': 'append', '?': 'skip', '*': 'key', '&': 'value' };
  const kind = name === '' ? 'skip' : (kinds[first ?? ''] ?? 'plain');
  return { name, kind, order: order ? Number(order[1]) : 0, skipsPadding, delimiter };
}

/** Compiles a pattern such as `%{ip} [%{+time}] "%{?verb}"`. Throws an Error in words for one that is malformed. */
export function compileDissect(pattern: string, appendSeparator: string): Dissect {
  const keys = [...pattern.matchAll(KEY)];
  if (keys.length === 0)
    throw new Error(`Unable to parse pattern: ${pattern} Reason: Unable to find any keys or delimiters.`);
  const start = pattern.slice(0, keys[0]!.index);
  const parts = keys.map((match, i) => {
    const end = keys[i + 1]?.index ?? pattern.length;
    return partOf(match[1]!, pattern.slice(match.index + match[0].length, end));
  });
  checkReferences(pattern, parts);
  return { parse: (text) => parse(text, start, parts, appendSeparator) };
}

function checkReferences(pattern: string, parts: readonly Part[]): void {
  const names = (kind: Part['kind']): string[] => parts.filter((part) => part.kind === kind).map(({ name }) => name);
  const alone = [...names('key'), ...names('value')].find(
    (name) => !names('key').includes(name) || !names('value').includes(name),
  );
  if (alone !== undefined)
    throw new Error(
      `Unable to parse pattern: ${pattern} Reason: Found invalid key/reference associations: '${alone}' ` +
        "Please ensure each '*<key>' is matched with a matching '&<key>",
    );
}

/** Cuts the text at each delimiter in turn; the last key takes the rest. */
function valuesOf(text: string, start: string, parts: readonly Part[]): string[] | null {
  if (!text.startsWith(start)) return null;
  const values: string[] = [];
  let at = start.length;
  for (const { delimiter, skipsPadding } of parts) {
    const end = delimiter === '' ? text.length : text.indexOf(delimiter, at);
    if (end < 0) return null;
    values.push(text.slice(at, end));
    at = end + delimiter.length;
    if (skipsPadding && delimiter !== '') while (text.startsWith(delimiter, at)) at += delimiter.length;
  }
  return at < text.length && parts.at(-1)!.delimiter !== '' ? null : values;
}

function parse(
  text: string,
  start: string,
  parts: readonly Part[],
  separator: string,
): ReadonlyMap<string, string> | null {
  const values = valuesOf(text, start, parts);
  if (values === null) return null;
  const found = new Map<string, string>();
  const appended = new Map<string, { order: number; value: string }[]>();
  const named = new Map<string, string>();
  parts.forEach(({ kind, name, order }, i) => {
    const value = values[i]!;
    const isAppended =
      kind === 'append' || (kind === 'plain' && parts.some((part) => part.kind === 'append' && part.name === name));
    if (kind === 'key') named.set(name, value);
    else if (isAppended) {
      found.set(name, '');
      appended.set(name, [...(appended.get(name) ?? []), { order, value }]);
    } else if (kind === 'plain') found.set(name, value);
  });
  for (const [name, list] of appended)
    found.set(
      name,
      list
        .sort((a, b) => a.order - b.order)
        .map(({ value }) => value)
        .join(separator),
    );
  parts.forEach(({ kind, name }, i) => {
    if (kind === 'value') found.set(named.get(name)!, values[i]!);
  });
  return found;
}
