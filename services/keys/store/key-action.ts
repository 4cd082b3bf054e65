import type { Call } from '#platform/grpc/call-context.ts';
import { recordable } from '#platform/wire/plain-text.ts';

export type ActionName = 'created' | 'updated' | 'rotated' | 'disabled' | 'enabled' | 'deleted';

/** Who asked for a change of a key, and in which call. */
export interface Initiator {
  actor: string;
  request_id: string;
}

/** A change of a key, as the audit log stores it. */
export interface KeyAction extends Initiator {
  ts: Date;
  action: ActionName;
  /** The new values, by field. Never contains a secret or a part of one. */
  changes: Record<string, unknown>;
}

export function initiatorOf({ actor = '', requestId }: Pick<Call, 'actor' | 'requestId'>): Initiator {
  return { actor: recordable(actor), request_id: recordable(requestId) };
}
