import type { MethodDefinition } from '@grpc/grpc-js';
import type { RequestWords } from '#proto/saring/wire/v1/words.ts';

/** A service as ts-proto generates it: method name → path, stream kinds and (de)serializers. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type that every method definition fits
export type ServiceMethods = Record<string, MethodDefinition<any, any>>;

export type RequestOf<M> = M extends { requestDeserialize: (bytes: Buffer) => infer Request }
  ? Request
  : never;
/** A request as its handler gets it, where fields with fixed words have the type of the words that the rules allow. */
export type CheckedRequestOf<M> = RequestOf<M> &
  (M extends { path: infer Path extends keyof RequestWords } ? RequestWords[Path] : unknown);
export type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer Response }
  ? Response
  : never;
export type IsStream<M, Side extends 'requestStream' | 'responseStream'> =
  M extends Record<Side, true> ? true : false;
