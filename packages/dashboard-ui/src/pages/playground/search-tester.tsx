import { hitsOf } from '@shoal/values';
import { useEffect, useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { formatAmount } from '../../state/format.js';
import { goTo, place } from '../../state/router.js';
import { shownZone } from '../../state/shown-zone.js';
import { Dialog } from '../../widgets/dialog.js';
import { movesFrom, moveText } from './compare.js';
import { NameField } from './name-field.js';
import { type Explanation, madeSearch, type MadeSearch, queryTemplate, type SearchOptions } from './search-query.js';

/** Pause after the last key before the search runs. */
const PAUSE_MS = 150;

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
    filter: query.get('filter') ?? '',
    own: query.get(`query${end}`),
  };
}

const bodyOf = (search: MadeSearch): string | null => ('body' in search ? search.body : null);

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
  const searches = variants.map((options) => madeSearch(options, shownZone.value)) as [MadeSearch, MadeSearch];
  const first = useSearch(index, bodyOf(searches[0]));
  const second = useSearch(isTwo ? index : '', bodyOf(searches[1]));
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
        <label class="field">
          Filter
          <input
            value={variants[0].filter}
            placeholder="level: error and size > 10"
            spellcheck={false}
            onInput={(event) => keep('filter', event.currentTarget.value, '')}
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
        <Variant
          {...{ name: '', end: '', index, options: variants[0], search: searches[0], run: first }}
          others={isTwo ? keys[1]! : null}
        />
        {isTwo && (
          <Variant
            {...{ name: 'Second ', end: '2', index, options: variants[1], search: searches[1], run: second }}
            others={keys[0]!}
          />
        )}
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
  readonly search: MadeSearch;
  readonly run: Run;
  /** Results of the other variant in their order; null without one. */
  readonly others: readonly string[] | null;
}

/** Options, results and query of one variant. */
function Variant({ name, end, index, options, search, run: { answer, sources }, others }: VariantProps) {
  const [explained, setExplained] = useState<Hit | null>(null);
  const { hits, total } = foundIn(answer);
  const label = (text: string): string => (name === '' ? text : `${name}${text.toLowerCase()}`);
  const moves = others === null ? null : movesFrom((hits ?? []).map(keyOf), others);
  return (
    <section aria-label={label('Variant')}>
      <div class="row">
        <label class="field">
          {label('Fields')}
          <input
            value={options.fields}
            disabled={options.own !== null}
            onInput={(event) => keep(`fields${end}`, event.currentTarget.value, '')}
          />
        </label>
        <Choice
          name={label('Fuzziness')}
          value={options.fuzziness}
          values={['0', '1', '2', 'AUTO']}
          id={`fuzziness${end}`}
          isOff={options.own !== null}
        />
        <Choice
          name={label('Operator')}
          value={options.operator}
          values={['or', 'and']}
          id={`operator${end}`}
          isOff={options.own !== null}
        />
      </div>
      {'problem' in search && (
        <p role="alert" class="problem">
          {search.problem}
        </p>
      )}
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
      <EditedQuery index={index} options={options} body={bodyOf(search)} label={label('Query')} end={end} />
      {explained !== null && 'query' in search && (
        <ScoreDialog hit={explained} query={search.query} onClose={() => setExplained(null)} />
      )}
    </section>
  );
}

const openInConsole = (request: string): void => goTo(`/app/console?${new URLSearchParams({ request })}`);

/** Props of the query. */
interface EditedQueryProps extends Pick<VariantProps, 'index' | 'options' | 'end'> {
  /** The search as it is sent; null if it is none. */
  readonly body: string | null;
  readonly label: string;
}

/** The query that is sent, to be read and changed; one that is changed stays until the fields make it again. */
function EditedQuery({ index, options, body, label, end }: EditedQueryProps) {
  return (
    <details open={options.own !== null}>
      <summary>{label}</summary>
      <label class="field">
        {`${label}, with {{text}} for what is searched`}
        <textarea
          class="code"
          rows={8}
          spellcheck={false}
          value={queryTemplate(options)}
          onInput={(event) => keep(`query${end}`, event.currentTarget.value, '')}
        />
      </label>
      <div class="row">
        {options.own !== null && (
          <button type="button" onClick={() => keep(`query${end}`, '', '')}>
            Back to the fields
          </button>
        )}
        {body !== null && (
          <button type="button" onClick={() => openInConsole(`GET /${index}/_search\n${body}`)}>
            Open in console
          </button>
        )}
      </div>
    </details>
  );
}

/** Props of a choice of few values. */
interface ChoiceProps {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly isOff: boolean;
}

function Choice({ name, id, value, values, isOff }: ChoiceProps) {
  return (
    <label class="field">
      {name}
      <select value={value} disabled={isOff} onChange={(event) => keep(id, event.currentTarget.value, values[0]!)}>
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

/** Runs the search after a pause, and cancels the one before; null keeps what was found. */
function useSearch(index: string, body: string | null): Run {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (index === '') return setAnswer(null);
    if (body === null) return;
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
  /** As text. */
  readonly query: string;
  readonly onClose: () => void;
}

function ScoreDialog({ hit, query, onClose }: ScoreDialogProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    const path = `/${encodeURIComponent(hit._index)}/_explain/${encodeURIComponent(hit._id)}`;
    void clusterCall('POST', path, { body: `{"query":${query}}` }).then(setAnswer);
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
