import { useMemo, useState } from 'preact/hooks';
import { type FieldValues, type Hit, joinedText, leavesOf, plainText, prettyJson, readHit } from '@shoal/values';
import { type Filter, negated } from '../../explore/filters.js';
import { addressOf } from '../../state/router.js';
import { message } from '../../state/session.js';
import { formatAmount, formatCount } from '../../state/format.js';
import { Dialog } from '../../widgets/dialog.js';
import { LocalTabs } from '../../widgets/tabs.js';

/** Props of the dialog. */
interface DocumentDialogProps {
  readonly hit: Hit;
  readonly timeField: string | null;
  readonly columns: readonly string[];
  /** What filters and columns do; null where there are none. */
  readonly acts: {
    readonly onFilter: (filter: Filter) => void;
    readonly onColumn: (name: string, isShown: boolean) => void;
  } | null;
  readonly onClose: () => void;
}

/** Longest value, in characters, and most values, that become a filter: it is in the address. */
const FILTER_CHARS_MAX = 1_000;
const FILTER_VALUES_MAX = 20;

/** The filter for the values of a field; null if they are too long for one. */
function filterOf({ name, values }: FieldValues): Filter | null {
  const texts = values.map(plainText);
  const isShort = texts.length <= FILTER_VALUES_MAX && texts.join('').length <= FILTER_CHARS_MAX;
  if (!isShort || values.some((value) => value === null || value instanceof Map || Array.isArray(value))) return null;
  return texts.length === 1 ? { field: name, op: 'is', value: texts[0]! } : { field: name, op: 'in', value: texts };
}

/** Rows shown at once, and characters of a value. */
const ROWS_SHOWN = 150;
const VALUE_CHARS_MAX = 2_000;

/** Address of the documents around one. */
function aroundAddress({ index, id, others }: Hit, timeField: string | null): string {
  const routing = others.find(([name]) => name === '_routing')?.[1];
  return `/app/discover/around?${new URLSearchParams({
    i: index,
    id,
    ...(timeField === null ? {} : { time: timeField }),
    ...(routing === undefined ? {} : { routing: String(JSON.parse(routing)) }),
  })}`;
}

/** The JSON of a hit: what the index keeps, or else the values that the cluster made. */
const jsonOf = ({ source, fields }: Hit): string => prettyJson(source ?? fields ?? '{}');

/** A document exactly as it is stored: fields and values, and its JSON. */
export function DocumentDialog(props: DocumentDialogProps) {
  const { hit, timeField, onClose } = props;
  const json = useMemo(() => jsonOf(hit), [hit]);
  const copy = (): void => {
    void navigator.clipboard?.writeText(json).then(() => (message.value = 'The document was copied.'));
  };
  return (
    <Dialog title={`Document ${hit.id}`} onClose={onClose}>
      <p class="evidence">Index: {hit.index}</p>
      <LocalTabs
        label="Forms of the document"
        tabs={[
          { id: 'table', name: 'Table', show: () => <FieldTable {...props} /> },
          {
            id: 'json',
            name: 'JSON',
            show: () => (
              <pre tabIndex={0} aria-label="Document as stored">
                {json}
              </pre>
            ),
          },
        ]}
      />
      <div class="row">
        <a href={addressOf(aroundAddress(hit, timeField))}>Surrounding documents</a>
        <button type="button" onClick={copy}>
          Copy as JSON
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function FieldTable({ hit, columns, acts, onClose }: DocumentDialogProps) {
  const [count, setCount] = useState(ROWS_SHOWN);
  const leaves = useMemo(() => {
    const { source, fields } = readHit(hit);
    return leavesOf(source ?? fields);
  }, [hit]);
  const left = leaves.length - count;
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Fields of the document, scrolls">
      <table>
        <caption>Fields</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            {acts !== null && <th scope="col">Use</th>}
          </tr>
        </thead>
        <tbody>
          {leaves.slice(0, count).map((leaf) => (
            <tr key={leaf.name}>
              <th scope="row">{leaf.name}</th>
              <td>
                <LongText text={joinedText(leaf.values, Number.MAX_SAFE_INTEGER)} />
              </td>
              {acts !== null && (
                <td class="acts">
                  <LeafActs leaf={leaf} columns={columns} acts={acts} onClose={onClose} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p>
          {formatAmount(left, 'field', 'fields')} not shown.{' '}
          <button type="button" onClick={() => setCount(count + ROWS_SHOWN)}>
            Show {formatCount(Math.min(left, ROWS_SHOWN))} more fields
          </button>
        </p>
      )}
    </div>
  );
}

/** Props of what is done with a field. */
interface LeafActsProps extends Pick<DocumentDialogProps, 'columns' | 'onClose'> {
  readonly leaf: FieldValues;
  readonly acts: NonNullable<DocumentDialogProps['acts']>;
}

function LeafActs({ leaf, columns, acts, onClose }: LeafActsProps) {
  const filter = filterOf(leaf);
  const apply = (chosen: Filter): void => {
    onClose();
    acts.onFilter(chosen);
  };
  const { name } = leaf;
  return (
    <>
      {filter !== null && (
        <>
          <button type="button" aria-label={`Filter for this ${name}`} onClick={() => apply(filter)}>
            For
          </button>
          <button type="button" aria-label={`Filter out this ${name}`} onClick={() => apply(negated(filter))}>
            Out
          </button>
        </>
      )}
      <button
        type="button"
        aria-label={`Column ${name}`}
        aria-pressed={columns.includes(name)}
        onClick={() => acts.onColumn(name, !columns.includes(name))}
      >
        Column
      </button>
    </>
  );
}

/** A text whose rest is shown when it is asked for. */
function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= VALUE_CHARS_MAX || isWhole) return <>{text}</>;
  return (
    <>
      {text.slice(0, VALUE_CHARS_MAX)}…{' '}
      <button type="button" onClick={() => setWhole(true)}>
        Show all {formatAmount(text.length, 'character', 'characters')}
      </button>
    </>
  );
}
