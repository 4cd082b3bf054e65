import { SaringError } from './saring-error.ts';

/** Twice the largest message that the services exchange. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** The response, with a body that fails with `unexpected_answer` beyond a size. A server could send one without an end. */
export function boundedResponse(response: Response, maxBytes: number): Response {
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(tooLarge('The answer', maxBytes));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
}

export function tooLarge(what: string, max: number): SaringError {
  return new SaringError('unexpected_answer', `${what} of the server is larger than ${max} bytes.`);
}
