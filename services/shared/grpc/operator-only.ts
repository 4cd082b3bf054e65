import { ServiceError } from '../service-error.ts';
import type { Call } from './server.ts';

/** Refuses callers without the operator token. */
export function operatorOnly<Request, Answer>(handler: (request: Request, call: Call) => Answer) {
  return (request: Request, call: Call): Answer => {
    if (!call.isOperator) {
      throw new ServiceError('operator_token_required', 'This call needs the operator token.');
    }
    return handler(request, call);
  };
}
