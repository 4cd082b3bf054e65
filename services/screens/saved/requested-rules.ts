import { FACT_GROUP, FIELDS } from '#fields/catalogue/catalogue.ts';
import type { RuleFields, Unit } from '#fields/field-type.ts';
import type { Rules } from '#fields/rules/rules.ts';
import type { Field, FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { rulesOf } from '#shared/market/requested-rules.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

export class RequestedRules {
  readonly #fields: Pick<ServiceClient<FieldServiceService>, 'listFields'>;

  constructor(fields: Pick<ServiceClient<FieldServiceService>, 'listFields'>) {
    this.#fields = fields;
  }

  /**
   * Rules in normal form. Only market-data knows which fields the operator has imported, and it is asked only about rules that are
   * wrong without them.
   * @throws ServiceError invalid_request, data_unavailable
   */
  async of(sent: unknown, { requestId, traceparent, market, signal }: CallContext): Promise<Rules> {
    try {
      return rulesOf(sent, FIELDS);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error;
    }
    const { fields } = await this.#fields.listFields({}, { requestId, traceparent, market, signal });
    return rulesOf(sent, withFacts(fields));
  }
}

function withFacts(listed: readonly Field[]): RuleFields {
  const facts = listed.filter(({ group }) => group === FACT_GROUP);
  return new Map([
    ...FIELDS,
    ...facts.map(({ name, type, unit = 'none' }) => {
      const field = { type: type as 'number' | 'text' | 'boolean', unit: unit as Unit };
      return [name, field] as const;
    }),
  ]);
}
