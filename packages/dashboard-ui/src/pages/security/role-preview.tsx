import { useEffect, useState } from 'preact/hooks';
import { hitsOf, plainText, leavesOf, readHit, joinedText } from '@shoal/values';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { formatAmount, formatCount } from '../../state/format.js';
import { Facts } from '../../widgets/facts.js';
import { type IndexGrant, meaningOf, previewBody, readRole, type RoleGrants } from './role-rules.js';

/** Names shown of the indices that a grant is for, and characters of a document. */
const NAMES_SHOWN = 20;
const DOCUMENT_CHARS_MAX = 600;

/** What the definition of a role grants, in words, with the documents and fields that its rules show. */
export function RolePreview({ definition }: { readonly definition: string }) {
  let role: RoleGrants;
  try {
    role = readRole(definition);
  } catch {
    return (
      <p role="alert" class="problem">
        The definition is no JSON object.
      </p>
    );
  }
  const { cluster, indices, runAs, applications } = role;
  const list = (items: readonly string[]) => (items.length === 0 ? 'nothing' : items.join('; '));
  return (
    <>
      <Facts
        facts={[
          ['Of the cluster', list(cluster.map(meaningOf))],
          ['Acts as', list(runAs)],
          ['Applications', list(applications)],
        ]}
      />
      {indices.length === 0 && <p>It grants nothing of any index.</p>}
      {indices.map((grant, i) => (
        <GrantPreview key={i} grant={grant} />
      ))}
    </>
  );
}

const resolvePath = (names: readonly string[]): string =>
  `/_resolve/index/${encodeURIComponent(names.join(','))}?expand_wildcards=all`;

/** Names of indices that an expression of a role is for; it may be an expression between slashes. */
function namesOf({ json }: Answer): readonly string[] {
  const {
    indices = [],
    aliases = [],
    data_streams = [],
  } = (json ?? {}) as Readonly<Record<string, readonly { readonly name: string }[] | undefined>>;
  return [...indices, ...aliases, ...data_streams].map(({ name }) => name);
}

/** What is known of a grant's indices and documents. */
interface Seen {
  readonly names: readonly string[];
  readonly answer: Answer | null;
}

async function lookAt(grant: IndexGrant, signal: AbortSignal): Promise<Seen> {
  const { names } = grant;
  if (names.length === 0 || names.some((name) => name.startsWith('/'))) return { names: [], answer: null };
  const found = namesOf(await clusterCall('GET', resolvePath(names), { signal }));
  const body = previewBody(grant);
  if (found.length === 0 || typeof body === 'string') return { names: found, answer: null };
  const path = `/${encodeURIComponent(names.join(','))}/_search?ignore_unavailable=true`;
  return { names: found, answer: await clusterCall('POST', path, { body, signal }) };
}

function GrantPreview({ grant }: { readonly grant: IndexGrant }) {
  const [seen, setSeen] = useState<Seen | null>(null);
  const key = JSON.stringify(grant);
  useEffect(() => {
    const abort = new AbortController();
    setSeen(null);
    lookAt(grant, abort.signal).then(
      (found) => {
        if (!abort.signal.aborted) setSeen(found);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [key]);
  const { names, privileges, query, grant: fields, except } = grant;
  const isLimited = query !== null || except.length > 0 || fields.length !== 1 || fields[0] !== '*';
  return (
    <div role="group" aria-label={`Indices ${names.join(', ')}`} aria-busy={seen === null}>
      <h3>{names.join(', ')}</h3>
      <Facts
        facts={[
          ['Privileges', privileges.map(meaningOf).join('; ') || 'nothing'],
          ['Documents', query === null ? 'all' : `those that match ${query}`],
          ['Fields', fieldsText(grant)],
          ['Now', seen === null ? 'Loading' : indicesText(seen.names)],
        ]}
      />
      {seen !== null && isLimited && <Documents grant={grant} answer={seen.answer} />}
    </div>
  );
}

function fieldsText({ grant, except }: IndexGrant): string {
  if (grant.length === 0) return 'none';
  const shown = grant.includes('*') ? 'all' : grant.join(', ');
  return except.length === 0 ? shown : `${shown}, except ${except.join(', ')}`;
}

function indicesText(names: readonly string[]): string {
  if (names.length === 0) return 'no index has such a name';
  const more = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${formatCount(more)} more` : '');
}

/** The first documents as their users see them. */
function Documents({ grant, answer }: { readonly grant: IndexGrant; readonly answer: Answer | null }) {
  const body = previewBody(grant);
  if (typeof body === 'string') return <p>{body}</p>;
  if (answer === null) return null;
  if (answer.status !== 200)
    return (
      <p role="alert" class="problem">
        {reasonOf(answer)}
      </p>
    );
  const total = (answer.json as { readonly hits: { readonly total: { readonly value: number } } }).hits.total.value;
  const hits = hitsOf(answer.text);
  return (
    <>
      <p>{formatAmount(total, 'document is seen', 'documents are seen')}, among those that you may see yourself.</p>
      <ul>
        {hits.map((hit) => (
          <li key={`${hit.index}/${hit.id}`}>
            {hit.index}/{hit.id}:{' '}
            {leavesOf(readHit(hit).source)
              .map(({ name, values }) => `${name} ${joinedText(values.map(plainText), DOCUMENT_CHARS_MAX)}`)
              .join(', ')
              .slice(0, DOCUMENT_CHARS_MAX) || 'no field'}
          </li>
        ))}
      </ul>
    </>
  );
}
