import { hitsOf } from '@shoal/values';
import { useEffect, useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { formatAmount } from '../../state/format.js';
import { goTo, place } from '../../state/router.js';
import { Dialog } from '../../widgets/dialog.js';
import { movesFrom, moveText } from './compare.js';
import { NameField } from './name-field.js';
import { type Explanation, queryOf, type SearchOptions } from './search-query.js';

/** Pause after the last key before the search runs. */
const PAUSE_MS = 150;
const SIZE = 20;

/** Keeps a choice in the address, without a step for Back at each letter. */
function keep(name: string, value: string, fallback: string): void {
  const query = new URLSearchParams(place.value.query);
  if (value === fallback) query.delete(name);
  else query.set(name, value);
  goTo(query.size === 0 ? '/app/playground' : `/app/playground?${query}`, true);
}

interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
}

/** Options of a variant in the address; those of the second have a 2 at their end. */
function optionsIn(query: URLSearchParams, end: '' | '2'): SearchOptions {
  return {
    text: query.get('text') ?? '',
    fields: query.get(`fields${end}`) ?? '',
    fuzziness: query.get(`fuzziness${end}`) ?? '0',
    operator: query.get(`operator${end}`) ?? 'or',
  };
}

const bodyOf = (options: SearchOptions): string => JSON.stringify({ query: queryOf(options), size: SIZE }, null, 2);

interface Found {
  readonly hits?: readonly Hit[];
  readonly total?: { readonly value: number };
}

const foundIn = (answer: Answer | null): Found =>
  ((answer?.status === 200 ? answer.json : {}) as { readonly hits?: Found }).hits ?? {};

const keyOf = ({ _index, _id }: Hit): string => `${_index} ${_id}`;

/** A search that runs while it is typed, and a second variant of it beside, if wanted. */
export function SearchTester() {
  const { query } = place.value;
  const index = query.get('i') ?? '';
  const isTwo = query.get('two') === 'true';
  const variants = [optionsIn(query, ''), optionsIn(query, '2')] as const;
  const first = useSearch(index, bodyOf(variants[0]));
  const second = useSearch(isTwo ? index : '', bodyOf(variants[1]));
  const keys = [first, second].map(({ answer }) => (foundIn(answer).hits ?? []).map(keyOf));
  return (
    <>
      <div class="row">
        <NameField label="Index" value={index} onChange={(value) => keep('i', value, '')} />
        <label class="field">
          Search text
          <input
            type="search"
            value={variants[0].text}
            onInput={(event) => keep('text', event.currentTarget.value, '')}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isTwo}
            onChange={(event) => keep('two', event.currentTarget.checked ? 'true' : '', '')}
          />
          Compare two variants
        </label>
      </div>
      {index === '' && (
        <p>Choose an index; its results appear while you type. Fields may have weights: title^2, text.</p>
      )}
      <div class={isTwo ? 'variants' : undefined}>
        <Variant name="" end="" index={index} options={variants[0]} run={first} others={isTwo ? keys[1]! : null} />
        {isTwo && <Variant name="Second " end="2" index={index} options={variants[1]} run={second} others={keys[0]!} />}
      </div>
    </>
  );
}

/** Props of a variant. */
interface VariantProps {
  /** Begins the names of its parts. */
  readonly name: '' | 'Second ';
  readonly end: '' | '2';
  readonly index: string;
  readonly options: SearchOptions;
  readonly run: Run;
  /** Results of the other variant in their order; null without one. */
  readonly others: readonly string[] | null;
}

/** Options, results and query of one variant. */
function Variant({ name, end, index, options, run: { answer, sources }, others }: VariantProps) {
  const [explained, setExplained] = useState<Hit | null>(null);
  const { hits, total } = foundIn(answer);
  const label = (text: string): string => (name === '' ? text : `${name}${text.toLowerCase()}`);
  const moves = others === null ? null : movesFrom((hits ?? []).map(keyOf), others);
  return (
    <section aria-label={label('Variant')}>
      <div class="row">
        <label class="field">
          {label('Fields')}
          <input value={options.fields} onInput={(event) => keep(`fields${end}`, event.currentTarget.value, '')} />
        </label>
        <Choice
          name={label('Fuzziness')}
          value={options.fuzziness}
          values={['0', '1', '2', 'AUTO']}
          id={`fuzziness${end}`}
        />
        <Choice name={label('Operator')} value={options.operator} values={['or', 'and']} id={`operator${end}`} />
      </div>
      {answer !== null && answer.status !== 200 && (
        <p role="alert" class="problem">
          {reasonOf(answer)}
        </p>
      )}
      {hits !== undefined && (
        <>
          <p role="status" aria-label={label('Matches')}>
            {formatAmount(total?.value ?? 0, 'document', 'documents')}
          </p>
          <ol aria-label={label('Results')} class="results">
            {hits.map((hit, i) => (
              <li key={keyOf(hit)}>
                <strong>{hit._id}</strong> <span class="evidence">{`score ${hit._score ?? '–'}`}</span>
                {moves !== null && <span class="move">{moveText(moves[i]!.by)}</span>}
                <pre>{sources[i] ?? ''}</pre>
                <button type="button" aria-label={`Explain score of ${hit._id}`} onClick={() => setExplained(hit)}>
                  Explain score
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
      <ShownQuery index={index} body={bodyOf(options)} label={label('Query')} />
      {explained !== null && (
        <ScoreDialog hit={explained} query={queryOf(options)} onClose={() => setExplained(null)} />
      )}
    </section>
  );
}

/** Props of the query. */
interface ShownQueryProps {
  readonly index: string;
  readonly body: string;
  readonly label: string;
}

function ShownQuery({ index, body, label }: ShownQueryProps) {
  return (
    <details>
      <summary>{label}</summary>
      <pre tabIndex={0} aria-label={label}>
        {body}
      </pre>
      <button
        type="button"
        onClick={() => goTo(`/app/console?${new URLSearchParams({ request: `GET /${index}/_search\n${body}` })}`)}
      >
        Open in console
      </button>
    </details>
  );
}

/** Props of a choice of few values. */
interface ChoiceProps {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly values: readonly string[];
}

function Choice({ name, id, value, values }: ChoiceProps) {
  return (
    <label class="field">
      {name}
      <select value={value} onChange={(event) => keep(id, event.currentTarget.value, values[0]!)}>
        {values.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

/** A search that ran. */
interface Run {
  readonly answer: Answer | null;
  /** Texts of the documents, as they were sent. */
  readonly sources: readonly string[];
}

/** Runs the search after a pause, and cancels the one before. Sources are text as the cluster sends it. */
function useSearch(index: string, body: string): Run {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (index === '') return setAnswer(null);
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      const path = `/${encodeURIComponent(index)}/_search`;
      clusterCall('POST', path, { body, signal: abort.signal }).then(setAnswer, () => undefined);
    }, PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [index, body]);
  return { answer, sources: answer?.status === 200 ? hitsOf(answer.text).map(({ source }) => source ?? '') : [] };
}

/** Props of the dialog. */
interface ScoreDialogProps {
  readonly hit: Hit;
  readonly query: object;
  readonly onClose: () => void;
}

function ScoreDialog({ hit, query, onClose }: ScoreDialogProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    const path = `/${encodeURIComponent(hit._index)}/_explain/${encodeURIComponent(hit._id)}`;
    void clusterCall('POST', path, { body: { query } }).then(setAnswer);
  }, []);
  const explanation = ((answer?.json ?? {}) as { explanation?: Explanation }).explanation;
  return (
    <Dialog title={`Score of ${hit._id}`} onClose={onClose}>
      {answer === null && <p>Loading</p>}
      {explanation !== undefined && (
        <ul>
          <Part part={explanation} />
        </ul>
      )}
      {answer !== null && explanation === undefined && (
        <p role="alert" class="problem">
          {reasonOf(answer)}
        </p>
      )}
      <div class="row">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Part({ part: { value, description, details = [] } }: { readonly part: Explanation }) {
  return (
    <li>
      {`${value}: ${description}`}
      {details.length > 0 && (
        <ul>
          {details.map((detail, i) => (
            <Part key={i} part={detail} />
          ))}
        </ul>
      )}
    </li>
  );
}
