import { isMissingCall } from '../request/missing-call.js';
import { useCall } from '../request/use-call.js';
import { reasonOf } from '../request/own-call.js';
import { Loaded } from '../widgets/loaded.js';
import { CauseList } from './cause-list.js';
import type { Cause } from './remedy.js';

/** What keeps an index from green, and the calls that mend it. Nothing where the cluster has no such call. */
export function IndexCauses({ index, onDone }: { readonly index: string; readonly onDone: () => void }) {
  const why = useCall(`/_why/${encodeURIComponent(index)}`);
  if (why.failure !== null && (why.failure.status === 404 || isMissingCall(why.failure))) return null;
  if (why.failure?.status === 403) return <p class="bar">{reasonOf(why.failure)}</p>;
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">What needs attention</h2>
      <Loaded call={why}>
        {({ json }) => (
          <CauseList
            causes={((json ?? {}) as { readonly causes?: readonly Cause[] }).causes ?? []}
            onDone={() => {
              why.again();
              onDone();
            }}
          />
        )}
      </Loaded>
    </section>
  );
}
