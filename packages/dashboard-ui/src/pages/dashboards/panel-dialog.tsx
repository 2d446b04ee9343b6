import { useEffect, useState } from 'preact/hooks';
import { type Field, isDateField, isLeafField } from '../../explore/fields.js';
import { noteIndices, useIndexNames } from '../../explore/recent-indices.js';
import { findObjects, type SavedObject } from '../../request/saved-objects.js';
import { ComboBox } from '../../widgets/combo-box.js';
import { Dialog } from '../../widgets/dialog.js';
import { goalOf, KINDS, measureName, measureNames, measureOf, type Panel, type PanelKind } from './panel.js';
import type { PanelDoor } from './use-panel.js';

/** Props of the dialog. */
interface PanelDialogProps {
  /** The panel that is changed; a new one has an empty title. */
  readonly panel: Panel;
  readonly isNew: boolean;
  readonly door: PanelDoor;
  readonly onDone: (panel: Panel) => void;
  readonly onClose: () => void;
}

const NUMBERS: ReadonlySet<string> = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'scaled_float',
  'unsigned_long',
]);
const POINTS: ReadonlySet<string> = new Set(['geo_point', 'geo_shape']);

/** Fields that a kind of panel takes. */
function fieldsFor(kind: PanelKind, fields: readonly Field[]): readonly string[] {
  const fits = (field: Field): boolean =>
    kind === 'date_histogram'
      ? isDateField(field)
      : kind === 'map'
        ? POINTS.has(field.type)
        : isLeafField(field) && field.isAggregatable;
  return fields.filter(fits).map(({ name }) => name);
}

const NEEDS_FIELD: ReadonlySet<PanelKind> = new Set(['terms', 'pie', 'table', 'heat_map', 'map']);

/** What is missing of a panel; null if nothing is. */
function problemOf({ kind, field, search }: Panel, measure: string, goal: string): string | null {
  if (NEEDS_FIELD.has(kind) && field === '') return 'Choose a field.';
  if (kind === 'search' && search === '') return 'Choose a saved search.';
  if (measureOf(measure) === null)
    return `There is no measure ${measure}: write Count or, for instance, Average of size.`;
  const { op } = measureOf(measure)!;
  if (kind === 'pie' && op !== 'count' && op !== 'sum')
    return 'A pie has the parts of a whole: measure Count or a Sum.';
  if (kind === 'gauge' && goalOf(goal) === null) return 'Write the number above 0 at which the gauge is full.';
  return null;
}

/** A title for a panel that got none. */
function titleOf({ kind, field, measure }: Panel): string {
  const name = KINDS.find(([known]) => known === kind)![1];
  if (kind === 'text' || kind === 'search') return name;
  return field === '' || kind === 'date_histogram'
    ? `${measureName(measure)}: ${name}`
    : `${measureName(measure)} by ${field}`;
}

/** Adds or changes a panel. */
export function PanelDialog({ panel, isNew, door, onDone, onClose }: PanelDialogProps) {
  const [draft, setDraft] = useState(panel);
  const [measure, setMeasure] = useState(measureName(panel.measure));
  const [goal, setGoal] = useState(String(panel.goal));
  const [problem, setProblem] = useState<string | null>(null);
  const set = (part: Partial<Panel>): void => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const missing = problemOf(draft, measure, goal);
    if (missing !== null) return setProblem(missing);
    const done = { ...draft, measure: measureOf(measure)!, goal: goalOf(goal) ?? draft.goal };
    noteIndices(done.indices);
    onDone({ ...done, title: done.title.trim() || titleOf(done) });
  };
  const hasData = draft.kind !== 'text' && draft.kind !== 'search';
  return (
    <Dialog title={isNew ? 'Add panel' : `Edit ${panel.title}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => submit(event as SubmitEvent)}>
        {problem !== null && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <KindChoice kind={draft.kind} onChoose={(kind) => set({ kind })} />
        <label>
          Title
          <input
            value={draft.title}
            maxLength={200}
            autocomplete="off"
            onInput={(event) => set({ title: event.currentTarget.value })}
          />
        </label>
        {hasData && <DataChoices draft={draft} measure={measure} door={door} onSet={set} onMeasure={setMeasure} />}
        {draft.kind === 'gauge' && (
          <label>
            Full at
            <input
              value={goal}
              inputMode="decimal"
              autocomplete="off"
              onInput={(event) => setGoal(event.currentTarget.value)}
            />
          </label>
        )}
        {draft.kind === 'search' && <SearchChoice value={draft.search} onChoose={(search) => set({ search })} />}
        {draft.kind === 'text' && (
          <label>
            Text
            <textarea rows={6} value={draft.text} onInput={(event) => set({ text: event.currentTarget.value })} />
          </label>
        )}
        <div class="row">
          <button type="submit" class="primary">
            {isNew ? 'Add to dashboard' : 'Change panel'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Props of the choice of a kind. */
interface KindChoiceProps {
  readonly kind: PanelKind;
  readonly onChoose: (kind: PanelKind) => void;
}

function KindChoice({ kind: chosen, onChoose }: KindChoiceProps) {
  return (
    <fieldset role="radiogroup" aria-label="Kind">
      <legend>Kind</legend>
      <div class="kinds">
        {KINDS.map(([kind, name]) => (
          <label key={kind} class="check">
            <input type="radio" name="kind" checked={kind === chosen} onChange={() => onChoose(kind)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Props of the choices of data. */
interface DataChoicesProps {
  readonly draft: Panel;
  readonly measure: string;
  readonly door: PanelDoor;
  readonly onSet: (part: Partial<Panel>) => void;
  readonly onMeasure: (name: string) => void;
}

function DataChoices({ draft, measure, door, onSet, onMeasure }: DataChoicesProps) {
  const names = useIndexNames() ?? [];
  const [fields, setFields] = useState<readonly Field[]>([]);
  const { kind, indices, field, split } = draft;
  useEffect(() => {
    let isCurrent = true;
    door.fieldsOf(indices.trim() || '*').then(
      (read) => {
        if (isCurrent) setFields(read);
      },
      () => {
        if (isCurrent) setFields([]);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [indices]);
  const counted = fields.filter((one) => isLeafField(one) && one.isAggregatable);
  const numbers = counted.filter(({ type }) => NUMBERS.has(type)).map(({ name }) => name);
  const others = counted.filter(({ type }) => !NUMBERS.has(type)).map(({ name }) => name);
  return (
    <>
      <ComboBox
        label="Indices"
        value={indices}
        options={names}
        onTake={(taken) => onSet({ indices: taken.trim() || '*' })}
      />
      {kind !== 'metric' && kind !== 'gauge' && (
        <ComboBox
          label="Field"
          value={field}
          options={fieldsFor(kind, fields)}
          onTake={(taken) => onSet({ field: taken.trim() })}
          isLive
        />
      )}
      <ComboBox label="Measure" value={measure} options={measureNames(numbers, others)} onTake={onMeasure} isLive />
      {kind === 'date_histogram' && (
        <ComboBox
          label="Split by"
          value={split}
          options={fieldsFor('terms', fields)}
          onTake={(taken) => onSet({ split: taken.trim() })}
          isLive
        />
      )}
    </>
  );
}

function SearchChoice({ value, onChoose }: { readonly value: string; readonly onChoose: (id: string) => void }) {
  const [searches, setSearches] = useState<readonly SavedObject[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    findObjects('search', ['title'], abort.signal).then(
      (found) => {
        if ('objects' in found) setSearches(found.objects);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, []);
  return (
    <label>
      Saved search
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">Choose one</option>
        {searches.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {String(attributes['title'] || id)}
          </option>
        ))}
      </select>
    </label>
  );
}
