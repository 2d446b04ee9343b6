import type { ComponentChildren } from 'preact';
import type { CallState } from '../request/use-call.js';
import type { Answer } from '../request/own-call.js';
import { Failure } from './failure.js';

/** Props of a part that shows an answer. */
interface LoadedProps {
  readonly call: CallState;
  readonly children: (answer: Answer) => ComponentChildren;
}

/** Shows an answer once it is there; the one before stays while it is made anew, beside a failure too. */
export function Loaded({ call, children }: LoadedProps) {
  const { answer, failure, request, again } = call;
  return (
    <div aria-busy={answer === null && failure === null}>
      {failure !== null && <Failure answer={failure} request={request} again={again} />}
      {answer === null && failure === null && <p>Loading</p>}
      {answer !== null && children(answer)}
    </div>
  );
}
