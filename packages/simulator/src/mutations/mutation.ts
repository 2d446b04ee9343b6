import { type Task, TASKS } from '@shoal/cluster/testing';
import type { Guards } from '@shoal/consensus';
import type { TransportOptions } from '@shoal/transport';
import type { Lies } from '../disk/device.js';
import type { PlanOptions } from '../plan/draw-plan.js';

/** Handles a message that arrives at a node; `next` is the node's own handler. */
export type Receive = (
  action: string,
  payload: Uint8Array,
  next: (payload: Uint8Array) => Promise<Uint8Array>,
) => Promise<Uint8Array>;

/**
 * A bug that the simulator must notice. It is planted in the effects of nodes, in master tasks, or as a disabled guard
 * of the consensus state machine.
 */
export interface Mutation {
  readonly name: string;
  /** Options of the runs that look for the bug. */
  readonly plan: PlanOptions;
  readonly guards?: Guards;
  readonly lies?: Lies;
  readonly receive?: Receive;
  readonly tasks?: Readonly<Record<string, (task: Task) => Task>>;
}

/** Makes messages pass through the mutation first. */
export function mutatedReceiver(options: TransportOptions, receive: Receive): TransportOptions {
  return {
    ...options,
    handler: (from, action, payload, signal, context) =>
      receive(action, new Uint8Array(payload), (changed) => options.handler(from, action, changed, signal, context)),
  };
}

/** Replaces master tasks by mutated ones. Returns a function that restores them. */
export function plantTasks(mutated: NonNullable<Mutation['tasks']>): () => void {
  const catalogue = TASKS as Map<string, Task>;
  const before = Object.keys(mutated).map((name) => catalogue.get(name)!);
  for (const task of before) catalogue.set(task.name, mutated[task.name]!(task));
  return () => {
    for (const task of before) catalogue.set(task.name, task);
  };
}
