import type { Buffer } from 'node:buffer';

const [QUOTE, ESCAPE, OPEN, CLOSE, LIST, LIST_END, COMMA] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c];

/** An object or a list that is open while a hit is read. */
interface Level {
  readonly isList: boolean;
  /** What it is: a hit; or one of the levels that lead from a hit to its inner hits. */
  readonly role: Role;
  /** Name of the member that is read. */
  key: string;
  /** Whether a name comes next, not a value. */
  isAtName: boolean;
}

/** A hit; `inner_hits`; one of them; its `hits`; their list; anything else. */
type Role = 'hit' | 'inner' | 'named' | 'page' | 'list' | 'other';

function roleBelow({ role, key }: Level): Role {
  if (role === 'hit') return key === 'inner_hits' ? 'inner' : 'other';
  if (role === 'inner') return 'named';
  if (role === 'named') return key === 'hits' ? 'page' : 'other';
  if (role === 'page') return key === 'hits' ? 'list' : 'other';
  return role === 'list' ? 'hit' : 'other';
}

/** The end of the text that begins at `from`, behind its first quote. */
function endOfText(json: Buffer, from: number): number {
  for (let i = from; ; i++) {
    if (json[i] === QUOTE) return i;
    if (json[i] === ESCAPE) i++;
  }
}

/**
 * Returns the places of the names of shards in a hit and in its inner hits, at all depths, in order. What documents
 * have below `_source` may look like them and is none.
 */
export function shardPlaces(json: Buffer): number[] {
  const places: number[] = [];
  const open: Level[] = [];
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    const top = open.at(-1);
    if (byte === OPEN || byte === LIST)
      open.push({ isList: byte === LIST, role: top ? roleBelow(top) : 'hit', key: '', isAtName: byte === OPEN });
    else if (byte === CLOSE || byte === LIST_END) open.pop();
    else if (byte === COMMA && top) top.isAtName = !top.isList;
    else if (byte === QUOTE) {
      const end = endOfText(json, i + 1);
      if (top?.isAtName === true) {
        top.key = json.toString('utf8', i + 1, end);
        top.isAtName = false;
      } else if (top?.role === 'hit' && top.key === '_shard') places.push(i);
      i = end;
    }
  }
  return places;
}
