import { useState } from 'preact/hooks';
import { FixDialog } from './fix-dialog.js';
import type { Cause, Remedy } from './remedy.js';

/** Props of the list. */
interface CauseListProps {
  readonly causes: readonly Cause[];
  /** Called after a call that mends one was made. */
  readonly onDone: () => void;
}

/** Causes of `_why` in their order, each with the calls that mend it. */
export function CauseList({ causes, onDone }: CauseListProps) {
  const [fix, setFix] = useState<readonly Remedy[] | null>(null);
  return (
    <>
      {causes.length === 0 && <p>Nothing.</p>}
      {causes.map((cause) => (
        <CauseView key={`${cause.about} ${cause.why}`} cause={cause} onFix={() => setFix(cause.mend)} />
      ))}
      {fix !== null && <FixDialog remedies={fix} onClose={() => setFix(null)} onDone={onDone} />}
    </>
  );
}

function CauseView({ cause, onFix }: { readonly cause: Cause; readonly onFix: () => void }) {
  const { severity, about, why, evidence = [], advice, mend } = cause;
  return (
    <article class={`cause cause-${severity}`}>
      <h3>
        <span class="severity">{severity}</span> {about}
      </h3>
      <p>{why}</p>
      {evidence.map((line) => (
        <p key={line} class="evidence">
          {line}
        </p>
      ))}
      {advice !== undefined && <p>{advice}</p>}
      {mend.length > 0 && (
        <button type="button" onClick={onFix}>
          Show the fix
        </button>
      )}
    </article>
  );
}
