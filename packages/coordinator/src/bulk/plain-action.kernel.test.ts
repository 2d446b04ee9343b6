import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { PLACE, PLACES, PLAIN_ACTIONS, scanPlainAction } from './plain-action.kernel.js';

/** What JSON.parse reads of a line, where the line is one that the scan takes. */
function plain(line: string): object | null {
  const shape =
    /^\{"(index|create|delete|update)":\{(?:"_index":"[ -!#-[\]-~\x7f]*")?(,)?(?:"_id":"[ -!#-[\]-~\x7f]*")?\}\}$/;
  if (!shape.test(line)) return null;
  try {
    const [[action, head]] = Object.entries(JSON.parse(line)) as [[string, { _index?: string; _id?: string }]];
    return { action, index: head._index ?? null, id: head._id ?? null };
  } catch {
    return null;
  }
}

const name = fc.oneof(
  { weight: 5, arbitrary: fc.stringMatching(/^[a-z0-9-]{0,5}$/) },
  { weight: 1, arbitrary: fc.constantFrom('\\u0041', 'é', 'a"', 'a\tb', '},{', 'x"}}') },
);
const line = fc
  .record({
    action: fc.constantFrom('index', 'create', 'delete', 'update', 'indexed', 'get'),
    index: fc.option(name),
    id: fc.option(name),
    comma: fc.constantFrom(',', ',', ',', '', ' ,'),
    end: fc.constantFrom('}}', '}}', '}}', '}', '},', '}} ', ',"routing":"a"}}'),
  })
  .map(({ action, index, id, comma, end }) => {
    const heads = [index === null ? '' : `"_index":"${index}"`, id === null ? '' : `"_id":"${id}"`];
    return `{"${action}":{${heads.filter((head) => head !== '').join(comma)}${end}`;
  });

kernelContract(
  'scanPlainAction reads an action line as a parser does, or leaves it to one',
  ({ text, before }) => {
    const bytes = Buffer.from(`${before}${text}`);
    const places = new Int32Array(PLACES);
    const action = scanPlainAction(bytes, before.length, bytes.length, places);
    if (action < 0) return null;
    const part = (from: number, to: number): string | null =>
      places[from]! < 0 ? null : bytes.toString('utf8', places[from], places[to]);
    return {
      action: PLAIN_ACTIONS[action],
      index: part(PLACE.indexStart, PLACE.indexEnd),
      id: part(PLACE.idStart, PLACE.idEnd),
    };
  },
  ({ text }) => plain(text),
  fc.record({ text: line, before: fc.constantFrom('', '{"index":{}}\n') }),
  2000,
);
