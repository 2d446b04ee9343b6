import { useState } from 'preact/hooks';
import { type ColumnWidths, WIDTH_PX, withWidth } from '../../explore/column-widths.js';
import type { SearchState } from '../../explore/search-state.js';
import { Dialog } from '../../widgets/dialog.js';

/** Props of the dialog. */
interface ColumnsDialogProps {
  readonly state: SearchState;
  /** Field of time, always the first column; null for none. */
  readonly timeField: string | null;
  readonly onChange: (part: Pick<SearchState, 'columns' | 'widths'>) => void;
  readonly onClose: () => void;
}

/** Columns with one moved by a place. */
export function moved(columns: readonly string[], at: number, by: 1 | -1): readonly string[] {
  const others = columns.filter((_, i) => i !== at);
  return [...others.slice(0, at + by), columns[at]!, ...others.slice(at + by)];
}

/** Order and widths of columns, for who does not drag. */
export function ColumnsDialog({ state, timeField, onChange, onClose }: ColumnsDialogProps) {
  const [columns, setColumns] = useState<readonly string[]>(state.columns.filter((name) => name !== timeField));
  const [widths, setWidths] = useState(state.widths);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onClose();
    onChange({ columns, widths });
  };
  return (
    <Dialog title="Columns" onClose={onClose}>
      <form class="form" onSubmit={(event) => submit(event as SubmitEvent)}>
        <p>Widths are pixels; a column without one shares the room that is left.</p>
        {[...(timeField === null ? [] : [timeField]), ...columns].map((name) => (
          <ColumnField
            key={name}
            name={name}
            widths={widths}
            onWidths={setWidths}
            at={columns.indexOf(name)}
            last={columns.length - 1}
            onMove={(at, by) => setColumns(moved(columns, at, by))}
          />
        ))}
        <div class="row">
          <button type="submit" class="primary">
            Apply
          </button>
          <button type="button" onClick={() => setWidths({})}>
            Default widths
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Props of the line of a column. */
interface ColumnFieldProps {
  readonly name: string;
  readonly widths: ColumnWidths;
  readonly onWidths: (widths: ColumnWidths) => void;
  /** Place among the columns that can be moved; -1 for none. */
  readonly at: number;
  readonly last: number;
  readonly onMove: (at: number, by: 1 | -1) => void;
}

function ColumnField({ name, widths, onWidths, at, last, onMove }: ColumnFieldProps) {
  return (
    <div class="row column-field">
      <label class="field">
        {`Width of ${name}`}
        <input
          type="number"
          min={WIDTH_PX.least}
          max={WIDTH_PX.most}
          value={Object.hasOwn(widths, name) ? widths[name] : ''}
          onChange={({ currentTarget: { value } }) =>
            onWidths(withWidth(widths, name, value === '' ? null : Number(value)))
          }
        />
      </label>
      {at >= 0 && (
        <>
          <button type="button" aria-label={`Move ${name} left`} disabled={at === 0} onClick={() => onMove(at, -1)}>
            ←
          </button>
          <button type="button" aria-label={`Move ${name} right`} disabled={at === last} onClick={() => onMove(at, 1)}>
            →
          </button>
        </>
      )}
    </div>
  );
}
