import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../explore/fields.js';
import { countBody } from '../../explore/search-body.js';
import { spanOf } from '../../explore/time-range.js';
import { goodCall, indicesPath, isFailedCall, readFields, type FailedCall } from '../../explore/use-search.js';
import { KqlError } from '../../kql/parse-kql.js';
import type { Query } from '../../kql/kql-query.js';
import { clock } from '../../state/browser-clock.js';
import { reloads } from '../../state/session.js';
import { shownZone } from '../../state/shown-zone.js';
import type { LoadQueue } from './load-queue.js';
import type { Dashboard, Panel } from './panel.js';
import { endsOf, type PanelData, readPanel } from './panel-data.js';
import { needsSpan, panelBody, panelQuery, panelStep, panelTimeField, spanBefore } from './panel-request.js';

/** What panels of a page share. */
export interface PanelDoor {
  readonly queue: LoadQueue;
  /** Fields of indices, read once for all panels. */
  readonly fieldsOf: (indices: string) => Promise<readonly Field[]>;
}

/** How long fields that were read are taken for current. */
const FIELDS_MS = 30_000;

/** Reads the fields of indices once in a while, however many panels ask. */
export function createFieldCache(): PanelDoor['fieldsOf'] {
  const kept = new Map<string, { readonly at: number; readonly fields: Promise<readonly Field[]> }>();
  return (indices) => {
    const known = kept.get(indices);
    if (known !== undefined && clock.now() - known.at < FIELDS_MS) return known.fields;
    const fields = readFields({ signal: new AbortController().signal, isPolling: false }, indices);
    kept.set(indices, { at: clock.now(), fields });
    fields.catch(() => kept.delete(indices));
    return fields;
  };
}

/** State of a panel's data. */
export interface PanelState {
  readonly data: PanelData | null;
  /** The measure of the time just before, for a metric; null if there is none. */
  readonly before: PanelData | null;
  readonly request: string;
  readonly failure: FailedCall | null;
  readonly problem: string | null;
  readonly isBusy: boolean;
}

const NOTHING: PanelState = { data: null, before: null, request: '', failure: null, problem: null, isBusy: true };

type Shared = Pick<Dashboard, 'text' | 'language' | 'filters' | 'range'>;

async function load(panel: Panel, shared: Shared, door: PanelDoor, signal: AbortSignal): Promise<Partial<PanelState>> {
  const calls = { signal, isPolling: false };
  const path = `${indicesPath(panel.indices)}/_search`;
  const ask = async (body: object): Promise<string> => (await goodCall(calls, 'POST', path, JSON.stringify(body))).text;
  const context = { fields: await door.fieldsOf(panel.indices), timeZone: shownZone.value };
  const timeField = panelTimeField(panel, context.fields);
  const chosen = shared.range === 'all' ? null : spanOf(shared.range, clock.now());
  const query = panelQuery(shared, context, timeField, chosen);
  const asked = (made: Query, span = chosen): object => panelBody(panel, made, context, timeField, span);
  let span = chosen;
  if (span === null && needsSpan(panel) && timeField !== null) span = endsOf(await ask(countBody(query, timeField)));
  const body = asked(query, span);
  const request = `POST ${path}\n${JSON.stringify(body, null, 2)}`;
  const data = readPanel(panel, await ask(body), span === null ? null : panelStep(panel, span));
  if (panel.kind !== 'metric' || chosen === null || timeField === null) return { data, before: null, request };
  const earlier = panelQuery(shared, context, timeField, spanBefore(chosen));
  return { data, request, before: readPanel(panel, await ask(asked(earlier)), null) };
}

/** Loads a panel whenever it, the range, the query or the filters change, once it is in sight. */
export function usePanel(
  panel: Panel,
  shared: Shared,
  door: PanelDoor,
  isInSight: boolean,
): PanelState & { readonly again: () => void } {
  const [state, setState] = useState<PanelState>(NOTHING);
  const [looks, setLooks] = useState(0);
  const { text, language, filters, range } = shared;
  useEffect(() => {
    if (!isInSight) return;
    const abort = new AbortController();
    const update = (part: Partial<PanelState>): void => {
      if (!abort.signal.aborted) setState((old) => ({ ...old, isBusy: false, failure: null, problem: null, ...part }));
    };
    update({ isBusy: true });
    door.queue
      .run(() => load(panel, shared, door, abort.signal), abort.signal)
      .then(update, (error: unknown) => {
        if (error instanceof KqlError) update({ problem: error.message });
        else if (isFailedCall(error)) update({ failure: error.failed, data: null });
        else if (!abort.signal.aborted) throw error;
      });
    return () => abort.abort();
  }, [
    JSON.stringify([{ ...panel, title: '', isWide: false }, text, language, filters, range]),
    looks,
    isInSight,
    shownZone.value,
    reloads.value,
  ]);
  return { ...state, again: () => setLooks((count) => count + 1) };
}
