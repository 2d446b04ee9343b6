import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../explore/fields.js';
import { isFailedCall, readFields } from '../../explore/use-search.js';
import { reasonOf } from '../../request/own-call.js';

/** Fields of indices, read anew with each other expression; tells what is wrong with one, empty when it is good. */
export function useIndexFields(indices: string, onProblem: (problem: string) => void): readonly Field[] {
  const [fields, setFields] = useState<readonly Field[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    setFields([]);
    onProblem('');
    if (indices.trim() === '') return;
    readFields({ signal: abort.signal, isPolling: false }, indices).then(setFields, (error: unknown) => {
      if (isFailedCall(error)) onProblem(reasonOf(error.failed.answer));
      else if (!abort.signal.aborted) throw error;
    });
    return () => abort.abort();
  }, [indices]);
  return fields;
}
