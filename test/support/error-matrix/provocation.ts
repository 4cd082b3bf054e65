import type { Operation } from '../declared-api/openapi-document.ts';
import type { RequestParts } from '../declared-api/request-parts.ts';
import type { Place } from './envelope-faults.ts';
import type { MatrixStage } from './matrix-stage.ts';

/** A request that must fail in a certain way. */
export interface Attempt {
  /** What is wrong with it. */
  how: string;
  /** The gateway that it goes to: that of the fleet unless said. */
  baseUrl?: string;
  parts: RequestParts;
  /** Sent before it, when it takes two. */
  first?: RequestParts;
  /** What a 422 must name. */
  place?: Place;
  /** What the message must say. */
  says?: string;
}

/** An operation that is to fail, with a request of it at the fleet that has nothing wrong with it. */
export interface Target {
  operation: Operation;
  valid: RequestParts;
  stage: MatrixStage;
}

/** Every way to get a code from an operation that the operation has; none when it has none. */
export type Provocation = (target: Target) => Attempt[];
