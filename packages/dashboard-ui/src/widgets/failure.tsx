import { useState } from 'preact/hooks';
import { isMissingCall } from '../request/missing-call.js';
import { type Answer, reasonOf } from '../request/own-call.js';

/** Props of the alert. */
interface FailureProps {
  readonly answer: Answer;
  /** The call as it was made. */
  readonly request: string;
  readonly again: () => void;
}

/** A call that failed: the reason in the cluster's words, the call, and another attempt. */
export function Failure({ answer, request, again }: FailureProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div role="alert" class="problem">
      <p>{isMissingCall(answer) ? 'This cluster has no such call.' : reasonOf(answer)}</p>
      <div class="row">
        <button type="button" onClick={again}>
          Try again
        </button>
        <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          Show request
        </button>
      </div>
      {isShown && <pre>{request}</pre>}
    </div>
  );
}
