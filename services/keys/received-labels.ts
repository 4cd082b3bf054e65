import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import type { Labels } from './store/tables.ts';

/** The start of a label called `__proto__` on the wire. A text with these bytes has a line feed, and is refused for it. */
const LOST_LABEL = Buffer.from('\n\t__proto__');

/**
 * The methods of the keys service. Generated decoders assign labels to an object, which ignores the name `__proto__`: the label
 * would be lost without a word. Here the request shows it, so that it is refused like other mistakes.
 */
export const KEYS_SERVICE = {
  ...KeysServiceService,
  createKey: showingAllLabels(KeysServiceService.createKey),
  updateKey: showingAllLabels(KeysServiceService.updateKey),
};

function showingAllLabels<
  R extends { labels: Labels },
  M extends { requestDeserialize: (bytes: Buffer) => R },
>(method: M): M {
  const requestDeserialize = (bytes: Buffer) => {
    const request = method.requestDeserialize(bytes);
    if (bytes.includes(LOST_LABEL))
      Object.defineProperty(request.labels, '__proto__', { value: '', enumerable: true });
    return request;
  };
  return { ...method, requestDeserialize };
}
