import { isPlainObject } from '@shoal/json';

/** A processor of a pipeline's body: its type and tag. */
export interface UsedProcessor {
  readonly type: string;
  readonly tag: string | null;
}

function inList(list: unknown): UsedProcessor[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => (isPlainObject(entry) ? Object.entries(entry).flatMap(inEntry) : []));
}

function inEntry([type, config]: readonly [string, unknown]): UsedProcessor[] {
  const options = isPlainObject(config) ? config : {};
  const { tag } = options;
  return [
    { type, tag: typeof tag === 'string' ? tag : null },
    ...inList(type === 'foreach' ? [options['processor']] : []),
    ...inList(options['on_failure']),
  ];
}

/** Returns the processors that a pipeline's body names, with those of `on_failure` and `foreach`, in their order. */
export function usedProcessors(body: Readonly<Record<string, unknown>>): readonly UsedProcessor[] {
  return [...inList(body['processors']), ...inList(body['on_failure'])];
}
