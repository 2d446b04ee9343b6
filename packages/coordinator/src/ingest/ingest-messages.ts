import { decodeError, encodeError } from '@shoal/errors';
import type { FailedAt, IngestedItem, IngestItem, IngestTarget } from '@shoal/ingest';
import { decodeJson, encodeJson, type JsonObject } from '@shoal/json';
import type { coordinator } from '@shoal/protocol';

/** Makes the message of documents whose pipelines another node runs. */
export function ingestRequest(items: readonly IngestItem[], user: JsonObject | null): coordinator.IngestRequest {
  return {
    user: user === null ? undefined : encodeJson(user),
    items: items.map((item) => ({
      source: item.source,
      target: targetMessage(item),
      first: item.pipelines.first ?? undefined,
      final: item.pipelines.final ?? undefined,
    })),
  };
}

/** Reads the documents of a message. */
export function itemsOf({ items }: coordinator.IngestRequest): IngestItem[] {
  return items.map(({ source, target, first, final }) => ({
    ...targetOf(target!),
    source,
    pipelines: { first: first ?? null, final: final ?? null },
  }));
}

/** Reads the caller of a message; null if security is off. */
export function userOf({ user }: coordinator.IngestRequest): JsonObject | null {
  return user ? (decodeJson(user) as JsonObject) : null;
}

/** Makes the answer of the node that ran the pipelines. */
export function ingestResponse(results: readonly IngestedItem[]): coordinator.IngestResponse {
  return {
    items: results.map((result) => {
      if (result.kind === 'failed')
        return { executed: [], error: encodeJson(encodeError(result.error)), ...placeMessage(result.at) };
      const { executed, target } = result;
      return {
        target: targetMessage(target),
        executed: [...executed],
        ...(result.kind === 'written' ? { source: result.source } : {}),
      };
    }),
  };
}

/** Reads the answer of the node that ran the pipelines. */
export function resultsOf({ items }: coordinator.IngestResponse): IngestedItem[] {
  return items.map((item): IngestedItem => {
    const { target, source, executed, error } = item;
    if (error) {
      const decoded = decodeError(decodeJson(error) as Parameters<typeof decodeError>[0]);
      return { kind: 'failed', error: decoded, at: placeOf(item) };
    }
    const found = targetOf(target!);
    return source ? { kind: 'written', source, target: found, executed } : { kind: 'dropped', target: found, executed };
  });
}

function placeMessage(at: FailedAt | null): Partial<coordinator.IngestedItem> {
  if (at === null) return {};
  return {
    failedPipeline: at.pipeline,
    failedType: at.processorType ?? undefined,
    failedTag: at.processorTag ?? undefined,
  };
}

/** Null also from an older node, which does not tell. */
function placeOf({ failedPipeline, failedType, failedTag }: coordinator.IngestedItem): FailedAt | null {
  if (failedPipeline === undefined) return null;
  return { pipeline: failedPipeline, processorType: failedType ?? null, processorTag: failedTag ?? null };
}

function targetMessage(target: IngestTarget): coordinator.IngestTarget {
  const { index, id, routing, version, versionType, ifSeqNo, ifPrimaryTerm, dynamicTemplates } = target;
  return {
    index,
    id: id ?? undefined,
    routing: routing ?? undefined,
    version: version ?? undefined,
    versionType,
    ifSeqNo: ifSeqNo ?? undefined,
    ifPrimaryTerm: ifPrimaryTerm ?? undefined,
    dynamicTemplates: dynamicTemplates === null ? undefined : encodeJson(dynamicTemplates),
  };
}

function targetOf(message: coordinator.IngestTarget): IngestTarget {
  const { dynamicTemplates } = message;
  return {
    index: message.index,
    id: message.id ?? null,
    routing: message.routing ?? null,
    version: message.version ?? null,
    versionType: message.versionType,
    ifSeqNo: message.ifSeqNo ?? null,
    ifPrimaryTerm: message.ifPrimaryTerm ?? null,
    dynamicTemplates: dynamicTemplates ? (decodeJson(dynamicTemplates) as IngestTarget['dynamicTemplates']) : null,
  };
}
