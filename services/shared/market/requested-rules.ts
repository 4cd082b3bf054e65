import type { RuleFields } from '#fields/field-type.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { readRules } from '#fields/rules/read-rules.ts';
import { RulesError } from '#fields/rules/rules-error.ts';
import type { Rules } from '#fields/rules/rules.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';

/**
 * The rules of a request, a line of text or an object, in normal form.
 * @param fields those that it may name
 * @throws ServiceError invalid_request that names the column of the text, or the member of the object
 */
export function rulesOf(sent: unknown, fields: RuleFields): Rules {
  try {
    return typeof sent === 'string' ? parseRules(sent, fields) : readRules(sent, fields);
  } catch (error) {
    if (error instanceof RulesError) throw invalidRequest([mistakeOf(error)]);
    throw error;
  }
}

/** `ctx` says which mistake it is, so that it can be shown in any language. */
function mistakeOf({ place, mistake: { code, params }, message, reason }: RulesError): FieldError {
  const type = 'value_error';
  const mistake = { mistake: code, params };
  if ('column' in place)
    return { loc: ['rules'], msg: message, type, ctx: { column: place.column, ...mistake } };
  return { loc: ['rules', ...place.path], msg: reason, type, ctx: mistake };
}
