import type { Operation } from '../declared-api/openapi-document.ts';
import { OPERATOR_TOKEN } from '../processes/service-process.ts';
import { STAND_IN_KEY, type Trouble } from './troubled-gateways.ts';
import type { Attempt, Provocation, Target } from './provocation.ts';

/** The same request where something is in trouble. */
export function inTrouble({ operation, valid, stage }: Target, trouble: Trouble): Attempt {
  const parts = { ...valid, key: valid.key && (operation.isOperators ? OPERATOR_TOKEN : STAND_IN_KEY) };
  return { how: trouble, baseUrl: stage.troubled.baseUrl(trouble), parts };
}

/** What the keys service answers. */
const OF_KEYS = ['listKeys', 'listKeyActions'];
/** What the gateway answers by itself. */
const OF_THE_GATEWAY = ['listScopes', 'getKey', 'listFeatures'];

/** Whether it calls anything besides the keys service. */
export function callsServices({ operationId }: Operation): boolean {
  return !OF_THE_GATEWAY.includes(operationId);
}

function rests(on: 'keys' | 'services', { operation }: Target): boolean {
  return OF_KEYS.includes(operation.operationId) === (on === 'keys');
}

const servicesAway: Provocation = (target) => [inTrouble(target, 'services away')];

/** Failures that are not the client's: of services that are away, and of services with a bug. */
export const troubleProvocations: Record<string, Provocation> = {
  internal_error: (target) => [
    ...(target.operation.needsKey || rests('keys', target) ? [inTrouble(target, 'keys faulty')] : []),
    ...(callsServices(target.operation) && rests('services', target)
      ? [inTrouble(target, 'services faulty')]
      : []),
  ],
  data_unavailable: (target) => {
    const { needsKey, isOperators, scope } = target.operation;
    const isOfServices = scope === 'data:read' || (isOperators && rests('services', target));
    return [
      ...(needsKey || rests('keys', target) ? [inTrouble(target, 'keys away')] : []),
      ...(isOfServices ? [inTrouble(target, 'services away')] : []),
    ];
  },
  model_unavailable: servicesAway,
  usage_unavailable: servicesAway,
  consent_unavailable: servicesAway,
  consent_write_failed: servicesAway,
};
