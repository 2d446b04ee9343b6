import { useState } from 'preact/hooks';
import { instantOf } from '../../explore/time-range.js';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { clock } from '../../state/browser-clock.js';
import { formatDateTime } from '../../state/format.js';
import { boot, message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';
import type { Job } from './ml-answers.js';

/** A text beside a stretch of time of a job. */
interface Annotation {
  readonly id: string;
  readonly index: string;
  readonly text: string;
  readonly from: number;
  readonly to: number | null;
  readonly event: string;
  readonly by: string;
}

const ANNOTATIONS_MAX = 1_000;
const TEXT_CHARS_MAX = 1_000;

function readAnnotations(answer: unknown): readonly Annotation[] {
  const { hits } = (answer ?? {}) as {
    readonly hits?: {
      readonly hits: readonly {
        readonly _id: string;
        readonly _index: string;
        readonly _source: Readonly<Record<string, unknown>>;
      }[];
    };
  };
  return (hits?.hits ?? []).map(({ _id: id, _index: index, _source: one }) => ({
    id,
    index,
    text: String(one['annotation']),
    from: Number(one['timestamp']),
    to: one['end_timestamp'] === undefined ? null : Number(one['end_timestamp']),
    event: String(one['event'] ?? ''),
    by: String(one['create_username'] ?? ''),
  }));
}

function listPath(job: string): string {
  const query = new URLSearchParams({
    q: `job_id:"${job}"`,
    size: String(ANNOTATIONS_MAX),
    sort: 'timestamp:desc',
    ignore_unavailable: 'true',
  });
  return `/.ml-annotations-read/_search?${query}`;
}

/** Writes an annotation of a user; a text is what is wrong with the fields. */
function add(job: string, form: FormData): Promise<Answer | string> {
  const now = clock.now();
  const from = instantOf(String(form.get('from')), now, false);
  const toText = String(form.get('to')).trim();
  const to = toText === '' ? from : instantOf(toText, now, true);
  const text = String(form.get('text')).trim().slice(0, TEXT_CHARS_MAX);
  if (from === null || to === null)
    return Promise.resolve('From and To are dates as 2024-01-31T12:00, or dates as now-1h.');
  if (to < from) return Promise.resolve('To is before From.');
  const user = boot.username ?? 'everybody';
  const body = {
    ...{ annotation: text, timestamp: from, end_timestamp: to, job_id: job, type: 'annotation', event: 'user' },
    ...{ create_time: now, create_username: user, modified_time: now, modified_username: user },
  };
  return clusterCall('POST', '/.ml-annotations-write/_doc?refresh=true&require_alias=true', { body });
}

/** What the job and its users wrote beside the time of its data. */
export function Annotations({ job }: { readonly job: Job }) {
  const list = useCall(listPath(job.id));
  const [isNew, setNew] = useState(false);
  const remove = async ({ index, id }: Annotation): Promise<void> => {
    const path = `/${encodeURIComponent(index)}/_doc/${encodeURIComponent(id)}?refresh=true`;
    const answer = await clusterCall('DELETE', path);
    message.value = answer.status === 200 ? 'The annotation was deleted.' : reasonOf(answer);
    list.again();
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setNew(true)}>
          Add annotation
        </button>
      </div>
      <Loaded call={list}>
        {({ json }) => <AnnotationTable rows={readAnnotations(json)} onRemove={(one) => void remove(one)} />}
      </Loaded>
      {isNew && (
        <FormDialog
          title="Add annotation"
          does="Add"
          run={(form) => add(job.id, form)}
          onClose={() => setNew(false)}
          onDone={() => {
            message.value = 'The annotation was added.';
            list.again();
          }}
        >
          <TextField label="Text" name="text" isRequired isFirst />
          <TextField label="From" name="from" isRequired />
          <TextField label="To" name="to" />
        </FormDialog>
      )}
    </>
  );
}

/** Props of the table. */
interface AnnotationTableProps {
  readonly rows: readonly Annotation[];
  readonly onRemove: (annotation: Annotation) => void;
}

const AnnotationTable = ({ rows, onRemove }: AnnotationTableProps) => (
  <DataTable
    caption="Annotations"
    rows={rows}
    keyOf={({ id }) => id}
    empty="There is no annotation yet."
    columns={[
      { name: 'From', show: ({ from }) => formatDateTime(from), sort: ({ from }) => from },
      { name: 'To', show: ({ to }) => (to === null ? '–' : formatDateTime(to)) },
      { name: 'Text', show: ({ text }) => text },
      { name: 'About', show: ({ event }) => event.replaceAll('_', ' '), sort: ({ event }) => event },
      { name: 'By', show: ({ by }) => by, sort: ({ by }) => by },
      {
        name: 'Actions',
        show: (one) => (
          <button type="button" aria-label={`Delete the annotation ${one.text}`} onClick={() => onRemove(one)}>
            Delete
          </button>
        ),
      },
    ]}
  />
);
