import { useState } from 'preact/hooks';
import { isDateField } from '../../explore/fields.js';
import { DENSITIES, type Density } from '../../explore/densities.js';
import { chooseDensity, density } from '../../explore/density.js';
import type { SearchState } from '../../explore/search-state.js';
import { indicesPath, type SearchResult } from '../../explore/use-search.js';
import { message } from '../../state/session.js';
import { Dialog } from '../../widgets/dialog.js';
import { RequestDialog } from '../../widgets/request-dialog.js';
import { ColumnsDialog } from './columns-dialog.js';
import { ExportMenu } from './export-menu.js';
import { SavedSearches, SaveSearch } from './saved-searches.js';
import { type Live, PAUSES } from './use-live.js';

/** Props of the row. */
interface ToolRowProps {
  readonly state: SearchState & { readonly indices: string };
  readonly result: SearchResult;
  readonly live: Live;
  readonly onChange: (part: Partial<SearchState>) => void;
}

/** The search as a request that anybody can make. */
export function requestText(indices: string, { lines }: Pick<SearchResult, 'lines'>): string {
  const body = lines === null ? {} : { query: lines.query, sort: lines.sort, size: 100 };
  return `POST ${indicesPath(indices)}/_search\n${JSON.stringify(body, null, 2)}`;
}

type ToolName = 'columns' | 'request' | 'link' | 'save' | 'saved';

/** Props of a dialog of the row. */
interface ToolDialogProps extends Omit<ToolRowProps, 'live'> {
  readonly dialog: ToolName;
  readonly onClose: () => void;
}

function ToolDialog({ dialog, state, result, onChange, onClose }: ToolDialogProps) {
  switch (dialog) {
    case 'columns':
      return <ColumnsDialog {...{ state, onChange, onClose }} timeField={result.timeField} />;
    case 'request':
      return <RequestDialog request={requestText(state.indices, result)} onClose={onClose} />;
    case 'save':
      return <SaveSearch state={state} onClose={onClose} />;
    case 'saved':
      return <SavedSearches onClose={onClose} />;
    case 'link':
      return <LinkDialog onClose={onClose} />;
  }
}

/** What is done with a search: field of time, repetition, link, request. */
export function ToolRow({ state, result, live, onChange }: ToolRowProps) {
  const [dialog, setDialog] = useState<ToolName | null>(null);
  const dates = result.fields.filter(isDateField);
  const copy = (): void => {
    const copied = navigator.clipboard?.writeText(window.location.href) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => (message.value = 'The link was copied.'),
      () => setDialog('link'),
    );
  };
  return (
    <div class="row">
      {dates.length > 0 && (
        <label class="field">
          Time field
          <select
            value={result.timeField ?? ''}
            onChange={(event) => onChange({ timeField: event.currentTarget.value, range: null, sort: null })}
          >
            {dates.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
            <option value="">None</option>
          </select>
        </label>
      )}
      <label class="field">
        Lines
        <select value={density.value} onChange={(event) => chooseDensity(event.currentTarget.value as Density)}>
          {Object.keys(DENSITIES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="field">
        Refresh every
        <select value={live.seconds} onChange={(event) => live.choose(Number(event.currentTarget.value))}>
          {PAUSES.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {(result.timeField !== null || state.columns.length > 0) && (
        <button type="button" onClick={() => setDialog('columns')}>
          Columns
        </button>
      )}
      <button type="button" onClick={() => setDialog('save')}>
        Save search
      </button>
      <button type="button" onClick={() => setDialog('saved')}>
        Saved searches
      </button>
      {result.lines !== null && <ExportMenu state={state} result={result} />}
      <button type="button" onClick={copy}>
        Copy link
      </button>
      {result.failure === null && (
        <button type="button" onClick={() => setDialog('request')}>
          Show request
        </button>
      )}
      {dialog !== null && <ToolDialog {...{ dialog, state, result, onChange }} onClose={() => setDialog(null)} />}
    </div>
  );
}

/** The link as text, where the browser lets no page write to its clipboard. */
function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Copy link" onClose={onClose}>
      <label class="field">
        Link
        <input readOnly value={window.location.href} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="row">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
