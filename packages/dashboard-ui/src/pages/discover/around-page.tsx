import { useEffect, useState } from 'preact/hooks';
import { DocumentGrid } from '../../explore/document-grid.js';
import { timeFieldOf, type Field } from '../../explore/fields.js';
import { type Hit, hitsOf } from '@shoal/values';
import { indicesPath, isFailedCall, readFields } from '../../explore/use-search.js';
import { type Answer, clusterCall } from '../../request/own-call.js';
import { addressOf, place } from '../../state/router.js';
import { formatAmount } from '../../state/format.js';
import { reloads } from '../../state/session.js';
import { Failure } from '../../widgets/failure.js';
import { DocumentDialog } from './document-dialog.js';

/** Documents on each side at first, and more with each step; at most so many. */
const STEP = 5;
const SIDE_MAX = 1_000;

/** What was found around a document. */
interface Around {
  readonly timeField: string | null;
  readonly anchor: Hit | null;
  readonly newer: readonly Hit[];
  readonly older: readonly Hit[];
}

interface Wanted {
  readonly index: string;
  readonly id: string;
  readonly time: string | null;
  readonly newer: number;
  readonly older: number;
}

/** Request for the neighbours on one side of a document. */
function sideBody(field: string, isNewer: boolean, size: number, after: string): string {
  const order = isNewer ? 'asc' : 'desc';
  const sort = [{ [field]: { order, unmapped_type: 'date' } }, { _doc: { order } }];
  const body = JSON.stringify({ size, sort, track_total_hits: false, query: { exists: { field } } });
  return `${body.slice(0, -1)},"search_after":${after}}`;
}

/** Reads a document and its neighbours in time. Returns the answer of a call that failed. */
async function readAround(wanted: Wanted, signal: AbortSignal): Promise<Around | Answer> {
  const { index, id } = wanted;
  const fields: readonly Field[] = await readFields({ signal, isPolling: false }, index);
  const timeField = timeFieldOf(fields, wanted.time);
  const path = `${indicesPath(index)}/_search`;
  const sort = timeField === null ? ['_doc'] : [{ [timeField]: { order: 'desc', unmapped_type: 'date' } }, '_doc'];
  const found = await clusterCall('POST', path, { body: { query: { ids: { values: [id] } }, sort, size: 1 }, signal });
  if (found.status !== 200) return found;
  const anchor = hitsOf(found.text)[0] ?? null;
  if (anchor === null || timeField === null || anchor.sort === null) return { timeField, anchor, newer: [], older: [] };
  const side = (isNewer: boolean): Promise<Answer> => {
    const body = sideBody(timeField, isNewer, isNewer ? wanted.newer : wanted.older, anchor.sort!);
    return clusterCall('POST', path, { body, signal });
  };
  const [newer, older] = await Promise.all([side(true), side(false)]);
  if (newer.status !== 200) return newer;
  if (older.status !== 200) return older;
  return { timeField, anchor, newer: hitsOf(newer.text).toReversed(), older: hitsOf(older.text) };
}

/** A document among those just before and after it, the newest first. */
export function AroundPage() {
  const { query } = place.value;
  const [index, id] = [query.get('i') ?? '', query.get('id') ?? ''];
  const [sizes, setSizes] = useState({ newer: STEP, older: STEP });
  const [around, setAround] = useState<Around | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [opened, setOpened] = useState<Hit | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    document.title = 'Surrounding documents · Shoal';
    const abort = new AbortController();
    readAround({ index, id, time: query.get('time'), ...sizes }, abort.signal).then(
      (found) => {
        if (abort.signal.aborted) return;
        setFailure('status' in found ? found : null);
        if (!('status' in found)) setAround(found);
      },
      (error: unknown) => {
        if (!abort.signal.aborted && isFailedCall(error)) setFailure(error.failed.answer);
      },
    );
    return () => abort.abort();
  }, [index, id, sizes, looks, reloads.value]);
  return (
    <>
      <p>
        <a href={addressOf(`/app/discover?${new URLSearchParams({ i: index })}`)}>Discover {index}</a>
      </p>
      <h1 tabIndex={-1}>Surrounding documents</h1>
      {failure !== null && (
        <Failure answer={failure} request={`POST ${indicesPath(index)}/_search`} again={() => setLooks(looks + 1)} />
      )}
      {around === null && failure === null && <p aria-busy="true">Loading</p>}
      {around !== null && around.anchor === null && <p>The document {id} is not in the index any more.</p>}
      {around !== null && around.timeField === null && around.anchor !== null && (
        <p class="bar">The index has no field of time: there is no order to have neighbours in.</p>
      )}
      {around !== null && around.anchor !== null && (
        <Neighbours around={around} sizes={sizes} onGrow={setSizes} onOpen={setOpened} />
      )}
      {opened !== null && (
        <DocumentDialog
          hit={opened}
          timeField={around?.timeField ?? null}
          columns={[]}
          acts={null}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

interface Sizes {
  readonly newer: number;
  readonly older: number;
}

/** Props of the documents on both sides. */
interface NeighboursProps {
  readonly around: Around;
  /** How many were asked for. */
  readonly sizes: Sizes;
  readonly onGrow: (sizes: Sizes) => void;
  readonly onOpen: (hit: Hit) => void;
}

function Neighbours({ around: { anchor, newer, older, timeField }, sizes, onGrow, onOpen }: NeighboursProps) {
  const hits = [...newer, ...(anchor === null ? [] : [anchor]), ...older];
  const grow = (side: keyof Sizes): void => onGrow({ ...sizes, [side]: Math.min(SIDE_MAX, sizes[side] + 10 * STEP) });
  return (
    <>
      <p role="status" aria-label="Matches">
        {formatAmount(newer.length, 'newer document', 'newer documents')} and{' '}
        {formatAmount(older.length, 'older document', 'older documents')} around {anchor?.id}
      </p>
      <div class="row">
        <button type="button" disabled={newer.length < sizes.newer} onClick={() => grow('newer')}>
          Load newer documents
        </button>
        <button type="button" disabled={older.length < sizes.older} onClick={() => grow('older')}>
          Load older documents
        </button>
      </div>
      <DocumentGrid
        hits={hits}
        timeField={timeField}
        columns={[]}
        count={hits.length}
        sort={null}
        canSort={() => false}
        onSort={() => undefined}
        onOpen={onOpen}
        onEnd={() => undefined}
      />
    </>
  );
}
